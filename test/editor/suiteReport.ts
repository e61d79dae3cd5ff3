import { readFile } from "node:fs/promises";

/** One test as a report names it. */
export interface ReportedTest {
	readonly name: string;
	readonly status: string;
	readonly messages: readonly string[];
}

/** The counts of one suite's report. */
export interface SuiteReport {
	readonly passed: number;
	readonly failed: number;
	readonly tests: readonly ReportedTest[];
}

/** The output of vitest's JSON reporter, and of `writeReport` for the suites that vitest does not run. */
interface ReportFile {
	readonly numPassedTests: number;
	readonly numFailedTests: number;
	readonly testResults: readonly {
		readonly assertionResults: readonly {
			readonly fullName: string;
			readonly status: string;
			readonly failureMessages?: readonly string[];
		}[];
	}[];
}

/** Reads a report; undefined when the suite wrote none, or only a part of it. */
export async function readReport(file: string): Promise<SuiteReport | undefined> {
	let report: ReportFile;
	try {
		report = JSON.parse(await readFile(file, "utf8")) as ReportFile;
	} catch {
		return undefined;
	}
	const results = report.testResults.flatMap((result) => result.assertionResults);
	return {
		passed: report.numPassedTests,
		failed: report.numFailedTests,
		tests: results.map((test) => ({ name: test.fullName, status: test.status, messages: test.failureMessages ?? [] })),
	};
}
