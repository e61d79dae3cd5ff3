/**
 * `npm test [step…]`: every step in order, or only the named ones. Stops at the first step that fails. The last line is
 * `N passed, N failed` with the tests of all suites; a step that fails outside its tests counts as one failure.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { ensureBrowser } from "../editor/ensureBrowser.ts";
import { ensureEditor } from "../editor/ensureEditor.ts";
import { tail } from "../editor/processes.ts";
import { elapsed, runTask, SetupError } from "../editor/progress.ts";
import { readReport } from "../editor/suiteReport.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

/** An npm script, and the report that its tests leave in `test-output`. */
interface Step {
	readonly script: string;
	readonly report?: string;
	readonly needsEditor?: boolean;
	/** It looks into /proc and sends POSIX signals. */
	readonly needsLinux?: boolean;
}

const steps: readonly Step[] = [
	{ script: "check", report: "unit.json" },
	{ script: "test:integration", report: "integration.json" },
	{ script: "package" },
	{ script: "test:package", report: "package.json" },
	{ script: "test:editor", report: "host.json", needsEditor: true },
	{ script: "test:e2e", report: "e2e.json", needsEditor: true },
	{ script: "conformance", report: "conformance.json" },
	{ script: "faults", report: "faults.json", needsLinux: true },
	{ script: "soak:short", report: "soak.json", needsLinux: true },
];

interface Counts {
	readonly passed: number;
	readonly failed: number;
}

let running: ChildProcess | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
	process.on(signal, () => {
		endStep();
		process.exit(130);
	});
}

await runTask(async () => {
	const start = performance.now();
	const chosen = chooseSteps(process.argv.slice(2));
	await mkdir(outputFolder, { recursive: true });
	await removeReports();
	if (chosen.some((step) => step.needsEditor === true)) {
		// First, so that what the machine lacks is said before minutes of tests.
		await ensureBrowser();
		await ensureEditor();
	}
	let total: Counts = { passed: 0, failed: 0 };
	for (const [index, step] of chosen.entries()) {
		console.log(`\n[${index + 1}/${chosen.length}] ${step.script}`);
		const counts = await runStep(step);
		total = { passed: total.passed + counts.passed, failed: total.failed + counts.failed };
		if (counts.failed > 0) {
			break;
		}
	}
	const hasRun = total.passed + total.failed > 0;
	console.log(
		`\n${hasRun ? "Everything" : "No test ran; everything"} took ${elapsed(start)}. Reports and pictures: test-output`,
	);
	console.log(`${total.passed} passed, ${total.failed} failed`);
	return hasRun && total.failed === 0 ? 0 : 1;
});

function chooseSteps(names: readonly string[]): readonly Step[] {
	const unknown = names.find((name) => !steps.some((step) => step.script === name));
	if (unknown !== undefined) {
		throw new SetupError(`Unknown step "${unknown}": use some of ${steps.map((step) => step.script).join(", ")}.`);
	}
	const chosen = names.length === 0 ? steps : steps.filter((step) => names.includes(step.script));
	return chosen.filter((step) => {
		const canRun = step.needsLinux !== true || process.platform === "linux";
		if (!canRun) console.log(`${step.script} is left out: it runs on Linux only.`);
		return canRun;
	});
}

/** Runs one script, its output in `test-output/<script>.log`, and says how it went. */
async function runStep(step: Step): Promise<Counts> {
	const start = performance.now();
	const { code, output } = await runScript(step.script);
	const report = step.report === undefined ? undefined : await readReport(path.join(outputFolder, step.report));
	const isReportMissing = step.report !== undefined && (report === undefined || report.passed + report.failed === 0);
	const passed = report?.passed ?? 0;
	const failed = report?.failed ?? 0;
	const tests = report === undefined ? "" : `, ${passed} tests passed${failed > 0 ? `, ${failed} failed` : ""}`;
	if (code === 0 && failed === 0 && !isReportMissing) {
		console.log(`  ok in ${elapsed(start)}${tests}`);
		return { passed, failed };
	}
	console.log(`${tail(output, 80)}\n`);
	const reason =
		code === 0 && isReportMissing
			? `ran no test (test-output/${step.report} is missing or empty)`
			: `ended with code ${code}`;
	console.log(
		`  ${step.script} FAILED in ${elapsed(start)}: it ${reason}${tests}. All of its output: test-output/${logName(step.script)}`,
	);
	return { passed, failed: Math.max(failed, 1) };
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
	running = child;
	let output = "";
	const collect = (chunk: Buffer): void => {
		output += chunk.toString();
		log.write(chunk);
	};
	child.stdout.on("data", collect);
	child.stderr.on("data", collect);
	const heartbeat = setInterval(() => console.log(`  … ${elapsed(start)}  ${lastLine(output)}`), 15_000);
	const { promise, resolve } = Promise.withResolvers<number>();
	child.on("error", (error) => {
		output += error.message;
		resolve(127);
	});
	child.on("close", (code) => resolve(code ?? 1));
	const code = await promise;
	running = undefined;
	clearInterval(heartbeat);
	log.end();
	await finished(log);
	return { code, output };
}

function endStep(): void {
	if (running?.pid === undefined) {
		return;
	}
	try {
		process.kill(process.platform === "win32" ? running.pid : -running.pid, "SIGTERM");
	} catch {
		// It has ended in the meantime.
	}
}

/** What stands there from an earlier run must not be counted. */
async function removeReports(): Promise<void> {
	const reports = (await readdir(outputFolder)).filter((name) => name.endsWith(".json"));
	await Promise.all(reports.map((name) => rm(path.join(outputFolder, name))));
}

function logName(script: string): string {
	return `${script.replace(":", "-")}.log`;
}

function lastLine(output: string): string {
	return (output.trimEnd().split("\n").at(-1) ?? "").trim().slice(0, 100);
}
