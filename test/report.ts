import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** How one test ended. `pending` is one that was not run, with the reason as its message. */
export interface TestOutcome {
	readonly fullName: string;
	readonly status: "passed" | "failed" | "pending";
	/** In milliseconds. */
	readonly duration?: number;
	readonly failureMessages: readonly string[];
}

/** Writes a report in the shape of vitest's JSON reporter, so that one reader understands every suite of this project. */
export function writeReport(path: string, suite: string, outcomes: readonly TestOutcome[]): void {
	const count = (status: TestOutcome["status"]): number =>
		outcomes.filter((outcome) => outcome.status === status).length;
	const report = {
		numTotalTests: outcomes.length,
		numPassedTests: count("passed"),
		numFailedTests: count("failed"),
		numPendingTests: count("pending"),
		success: count("failed") === 0,
		testResults: [{ name: suite, status: count("failed") === 0 ? "passed" : "failed", assertionResults: outcomes }],
	};
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, `${JSON.stringify(report, undefined, "\t")}\n`);
}
