import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { finished } from "node:stream/promises";
import { tail } from "../editor/processes.ts";
import { elapsed } from "../editor/progress.ts";
import { readReport, type ReportedTest } from "../editor/suiteReport.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";
import type { Step } from "./steps.ts";

/** How many tests passed and failed, and a line for each story that passed only when it was run once more. */
export interface Counts {
	readonly passed: number;
	readonly failed: number;
	readonly flaky: readonly string[];
}

const running = new Set<ChildProcess>();

/**
 * Runs the script of one step, its output in `test-output/<script>.log`, and says how it went. A step that fails outside
 * its tests, or that ran none, counts as one failure.
 */
export async function runStep(step: Step): Promise<Counts> {
	const start = performance.now();
	const { code, output } = await runScript(step.script);
	const report = step.report === undefined ? undefined : await readReport(path.join(outputFolder, step.report));
	const isReportMissing = step.report !== undefined && (report === undefined || report.passed + report.failed === 0);
	const passed = report?.passed ?? 0;
	const failed = report?.failed ?? 0;
	const tests = report === undefined ? "" : `, ${passed} tests passed${failed > 0 ? `, ${failed} failed` : ""}`;
	const flaky = [...output.matchAll(/^FLAKY, .*$/gm)].map(([line]) => line);
	for (const line of flaky) console.log(`  ${line}`);
	if (code === 0 && failed === 0 && !isReportMissing) {
		console.log(`  ${step.script} ok in ${elapsed(start)}${tests}`);
		return { passed, failed, flaky };
	}
	console.log(`${tail(output, 80)}\n`);
	console.log(summaryOf(report?.tests ?? [], output));
	const reason =
		code === 0 && isReportMissing
			? `ran no test (test-output/${step.report} is missing or empty)`
			: `ended with code ${code}`;
	console.log(
		`  ${step.script} FAILED in ${elapsed(start)}: it ${reason}${tests}. All of its output: test-output/${logName(step.script)}`,
	);
	return { passed, failed: Math.max(failed, 1), flaky };
}

/** The summary for a reader of only the end of a log: each failure in two lines, and the content of the windows then. */
function summaryOf(tests: readonly ReportedTest[], output: string): string {
	const failures = tests
		.filter(({ status }) => status === "failed")
		.map(({ name, messages }) => `  ✗ ${name}\n    ${messages.join(" ").split("\n")[0]?.slice(0, 300) ?? ""}`);
	const shown = output.match(/^What was shown .*(\n {2}.*)+/gm) ?? [];
	return [...failures, ...shown].join("\n");
}

/** Ends the running steps, with all that they started. */
export function endSteps(): void {
	for (const { pid } of running) {
		if (pid === undefined) continue;
		try {
			process.kill(process.platform === "win32" ? pid : -pid, "SIGTERM");
		} catch {
			// It has ended meanwhile.
		}
	}
}

async function runScript(script: string): Promise<{ readonly code: number; readonly output: string }> {
	const start = performance.now();
	const log = createWriteStream(path.join(outputFolder, logName(script)));
	const isWindows = process.platform === "win32";
	// A group of its own, so that ending the step ends what it started.
	const child = spawn("npm", ["run", "-s", script], {
		cwd: repositoryRoot,
		env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
		stdio: ["ignore", "pipe", "pipe"],
		detached: !isWindows,
		shell: isWindows,
	});
	running.add(child);
	let output = "";
	const collect = (chunk: Buffer): void => {
		output += chunk.toString();
		log.write(chunk);
	};
	child.stdout.on("data", collect);
	child.stderr.on("data", collect);
	const heartbeat = setInterval(() => console.log(`  … ${script} ${elapsed(start)}  ${lastLine(output)}`), 15_000);
	const { promise, resolve } = Promise.withResolvers<number>();
	child.on("error", (error) => {
		output += error.message;
		resolve(127);
	});
	child.on("close", (code) => resolve(code ?? 1));
	const code = await promise;
	running.delete(child);
	clearInterval(heartbeat);
	log.end();
	await finished(log);
	return { code, output };
}

function logName(script: string): string {
	return `${script.replaceAll(":", "-")}.log`;
}

function lastLine(output: string): string {
	return (output.trimEnd().split("\n").at(-1) ?? "").trim().slice(0, 100);
}
