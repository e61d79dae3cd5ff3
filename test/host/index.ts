/** Runs in the extension host (`extensionTestsPath`): all in-host tests, bundled as dist-test/host.mjs. */
import { mocha } from "./mocha.ts";
/* oxlint-disable import/no-unassigned-import -- imported for the suites that they declare, with what mocha.ts defines */
import "./activation.test.ts";
import "./bind.test.ts";
import "./foreignModel.test.ts";
import "./hints.test.ts";
import "./keys.test.ts";
import "./languageModel.test.ts";
import "./logLinks.test.ts";
import "./demo.test.ts";
import "./followed.test.ts";
import "./guest.test.ts";
import "./manifest.test.ts";
import "./namedCalls.test.ts";
import "./otherHost.test.ts";
import "./proposedApi.test.ts";
/* oxlint-enable import/no-unassigned-import */
import { writeReport, type TestOutcome } from "../report.ts";

/**
 * Runs the tests; rejects when one failed, which makes the editor exit with an error.
 * A report is written to the path in the environment variable MCP_HOST_TEST_REPORT.
 */
export async function run(): Promise<void> {
	const outcomes: TestOutcome[] = [];
	await new Promise<void>((resolve) => {
		mocha
			.run(() => resolve())
			.on("pass", (test) => {
				outcomes.push({ ...outcome(test, "passed"), duration: test.duration ?? 0 });
			})
			.on("fail", (test, error: Error) => {
				outcomes.push({ ...outcome(test, "failed"), failureMessages: [error.stack ?? error.message] });
			})
			.on("pending", (test) => {
				outcomes.push(outcome(test, "pending"));
			});
	});
	const path = process.env["MCP_HOST_TEST_REPORT"];
	if (path !== undefined) writeReport(path, "host", outcomes);
	const failed = outcomes.filter(({ status }) => status === "failed");
	if (outcomes.length === 0) throw new Error("No test was run.");
	if (failed.length > 0) throw new Error(`${failed.length} of ${outcomes.length} tests failed.`);
}

function outcome(test: Pick<Mocha.Test, "fullTitle">, status: TestOutcome["status"]): TestOutcome {
	return { fullName: test.fullTitle(), status, failureMessages: [] };
}
