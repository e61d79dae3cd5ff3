import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { repositoryRoot } from "./paths.ts";

/** How many files may be run once more: if more fail, the machine is not the cause. */
const mostFiles = 2;

/** The part of vitest's report that is read and written here; the rest is kept. */
interface Report {
	numPassedTests: number;
	numFailedTests: number;
	numFailedTestSuites: number;
	success: boolean;
	testResults: FileResult[];
}

interface FileResult {
	readonly name: string;
	readonly status: string;
	readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

/** The files with a story that failed, relative to the repository, when they are few enough to be run once more. */
export async function filesToRepeat(report: string): Promise<readonly string[]> {
	const { testResults } = await read(report);
	const failed = testResults.filter(({ status }) => status !== "passed");
	return failed.length > mostFiles ? [] : failed.map(({ name }) => path.relative(repositoryRoot, name));
}

/**
 * Merges the results of a second run into the report of the first, and names the stories that passed only then. Such a
 * story is a defect all the same: its pictures of the first run are kept, and it is fixed before other work.
 */
export async function joinSecondRun(report: string, second: string): Promise<readonly string[]> {
	const [first, again] = [await read(report), await read(second)];
	const later = new Map(again.testResults.map((result) => [result.name, result]));
	const flaky = first.testResults.flatMap(({ name, assertionResults }) => {
		const passed = new Set(
			later.get(name)?.assertionResults.flatMap(({ fullName, status }) => (status === "passed" ? [fullName] : [])),
		);
		return assertionResults.flatMap(({ fullName, status }) =>
			status === "failed" && passed.has(fullName) ? [`${path.basename(name)}: ${fullName}`] : [],
		);
	});
	first.testResults = first.testResults.map((result) => later.get(result.name) ?? result);
	const stories = first.testResults.flatMap(({ assertionResults }) => assertionResults);
	first.numPassedTests = stories.filter(({ status }) => status === "passed").length;
	first.numFailedTests = stories.filter(({ status }) => status === "failed").length;
	first.numFailedTestSuites = again.numFailedTestSuites;
	first.success = again.success;
	await writeFile(report, JSON.stringify(first));
	return flaky;
}

async function read(file: string): Promise<Report> {
	return JSON.parse(await readFile(file, "utf8")) as Report;
}
