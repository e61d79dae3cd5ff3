/**
 * `npm run conformance`: the protocol's conformance suite for clients against the product's connection. First the
 * requirements of both revisions, then all scenarios. Writes test-output/conformance.json; the last line is one line of
 * JSON about all scenarios. Ends with an error when anything failed.
 */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { writeReport, type TestOutcome } from "../report.ts";
import { readSummary, type ScenarioResult } from "./summary.ts";

const root = resolve(import.meta.dirname, "../..");
const output = join(root, "test-output");
const suite = join(root, "node_modules/@modelcontextprotocol/conformance");
/** The suite starts all clients at once, which takes time on a busy machine. In milliseconds. */
const scenarioTimeoutMs = 120_000;
const runFile = promisify(execFile);

/** The ways in which the suite is run. */
const runs = [
	{ name: "2025-11-25", args: ["--requirements", "2025-11-25"] },
	{ name: "2026-07-28", args: ["--requirements", "2026-07-28"] },
	{ name: "all", args: ["--suite", "all"] },
] as const;

interface SuiteRun {
	readonly name: string;
	/** The suite's own verdict: for requirements, unscored checks do not count. */
	readonly isComplete: boolean;
	readonly results: readonly ScenarioResult[];
}

await runFile(process.execPath, ["esbuild.mjs"], { cwd: root });
rmSync(join(output, "conformance"), { recursive: true, force: true });
const done: SuiteRun[] = [];
for (const { name, args } of runs) done.push(await runSuite(name, args));

const outcomes = done.flatMap(outcomesOf);
writeReport(join(output, "conformance.json"), "conformance", outcomes);
for (const { fullName, status, failureMessages } of outcomes) {
	if (status === "failed") console.error(`\n${fullName}\n${failureMessages.join("\n")}`);
}
const isGood = done.every(({ isComplete }) => isComplete) && outcomes.every(({ status }) => status === "passed");
if (!isGood) process.exitCode = 1;
console.log(JSON.stringify(summary()));

async function runSuite(name: string, args: readonly string[]): Promise<SuiteRun> {
	const start = performance.now();
	const folder = join("test-output", "conformance", name);
	// The suite splits the command at blanks, so nothing in it may hold one: both are found relative to the root.
	const command = `node ${join("test", "conformance", "client.ts")}`;
	const all = ["client", "--command", command, ...args, "--timeout", String(scenarioTimeoutMs), "-o", folder];
	const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}` };
	const { text, isComplete } = await runFile(process.execPath, [join(suite, "dist/index.js"), ...all], {
		cwd: root,
		env,
		maxBuffer: 64 * 1024 * 1024,
	}).then(
		({ stdout }) => ({ text: stdout, isComplete: true }),
		(error: unknown) => ({ text: (error as { stdout?: string }).stdout ?? String(error), isComplete: false }),
	);
	const results = readSummary(text, join(root, folder));
	const passed = results.filter(({ isPassed }) => isPassed).length;
	const seconds = ((performance.now() - start) / 1000).toFixed(1);
	console.log(
		`${name === "all" ? "All scenarios" : `Requirements of ${name}`}: ${passed} of ${results.length} passed in ${seconds} s`,
	);
	if (results.length === 0) console.error(text.trim());
	return { name, isComplete: isComplete && results.length > 0, results };
}

function outcomesOf({ name, isComplete, results }: SuiteRun): readonly TestOutcome[] {
	const found = results.map(({ scenario, isPassed, messages }): TestOutcome => ({
		fullName: `${name}: ${scenario}`,
		status: isPassed ? "passed" : "failed",
		failureMessages: messages,
	}));
	if (isComplete || found.some(({ status }) => status === "failed")) return found;
	return [...found, { fullName: name, status: "failed", failureMessages: ["The suite did not finish."] }];
}

function summary(): object {
	const all = done.at(-1)?.results ?? [];
	const sum = (pick: (result: ScenarioResult) => number): number =>
		all.reduce((total, result) => total + pick(result), 0);
	const { version } = createRequire(import.meta.url)(join(suite, "package.json")) as { readonly version: string };
	return {
		passed: all.filter(({ isPassed }) => isPassed).length,
		total: all.length,
		checks: sum(({ passedChecks }) => passedChecks),
		failedChecks: sum(({ failedChecks }) => failedChecks),
		warnings: sum(({ warnings }) => warnings),
		requirements: Object.fromEntries(
			done.slice(0, -1).map(({ name, isComplete, results }) => [
				name,
				{
					complete: isComplete,
					passed: results.filter(({ isPassed }) => isPassed).length,
					total: results.length,
				},
			]),
		),
		failed: all.filter(({ isPassed }) => !isPassed).map(({ scenario }) => scenario),
		suite: version,
	};
}
