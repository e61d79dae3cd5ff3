/**
 * `npm run faults [-- words…]`: every fault of `faults.ts`, or those whose names hold all the words, against the product's
 * own host and client. Prints a line for every fault that it did not survive and a table by row, writes
 * test-output/faults.json, and prints one line of JSON last. Ends with an error when one was not survived.
 */
import { execFile, fork, type ChildProcess } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { writeReport } from "../report.ts";
import { processesWith, endAll } from "./census.ts";
import { cases, forgotten, notInjected } from "./faults.ts";
import { paceNow } from "./pace.ts";
import type { TrialResult } from "./trial.ts";

const root = resolve(import.meta.dirname, "../..");
/** The trials mostly wait; each has its own host. */
const laneCount = 5;
/** A host that is silent for this long is stuck as a whole, in milliseconds. */
const trialMs = 180_000;
const goneAfterKillMs = 10_000;
/** Marks the lanes and all that descends from them. */
const runMark = `run-${process.pid}`;
const runMarkName = "MCP_FAULT_RUN";
const pace = paceNow();
const environment = {
	...process.env,
	...pace.environment,
	[runMarkName]: runMark,
	NODE_COMPILE_CACHE: join(root, "test-output", "faults-compiled"),
};

const { values, positionals } = parseArgs({
	options: { "skip-build": { type: "boolean" }, verbose: { type: "boolean" } },
	allowPositionals: true,
});
const start = performance.now();
if (values["skip-build"] !== true) await promisify(execFile)(process.execPath, ["esbuild.mjs"], { cwd: root });

const chosen = cases.filter(({ id }) => positionals.every((word) => id.includes(word)));
const queue = [...chosen];
const results: TrialResult[] = [];
await Promise.all(Array.from({ length: Math.min(laneCount, queue.length) }, work));
const left = await whatIsLeft();
endAll(left);
report();

/** Tries one fault after the other in a lane of its own; a lane that dies is replaced. */
async function work(): Promise<void> {
	let lane: ChildProcess | undefined;
	for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
		lane ??= fork(join(import.meta.dirname, "lane.ts"), { env: environment });
		const result = await tried(lane, next.id, next.fault.row);
		if (lane.exitCode !== null || lane.signalCode !== null) lane = undefined;
		results.push(result);
		if (result.complaints.length > 0) console.log(`  FAIL  ${result.id}: ${result.complaints.map(brief).join(" | ")}`);
		else if (values.verbose === true) console.log(`  ok    ${result.id}  ${result.ms} ms`);
	}
	lane?.kill("SIGKILL");
}

/** The lanes were killed, as a host may be: all their processes have to end on their own. */
async function whatIsLeft(): Promise<readonly number[]> {
	const end = performance.now() + goneAfterKillMs;
	while (processesWith(runMark, runMarkName).length > 0 && performance.now() < end) await setTimeout(100);
	return processesWith(runMark, runMarkName);
}

/** Sends one fault to a lane; a lane that ends or hangs did not survive it. */
function tried(lane: ChildProcess, id: string, row: string): Promise<TrialResult> {
	const { promise, resolve: settle } = Promise.withResolvers<TrialResult>();
	const patience = new AbortController();
	void setTimeout(trialMs, undefined, { signal: patience.signal }).then(
		() => lane.kill("SIGKILL"),
		() => undefined,
	);
	const onExit = (code: number | null, signal: string | null): void => {
		const complaints = [`the host was ended (${signal ?? `code ${code}`})`];
		settle({
			id,
			row,
			complaints,
			lost: 0,
			doubled: 0,
			processesLeft: 0,
			isWedged: true,
			silenceMs: 0,
			grewBytes: 0,
			ms: 0,
		});
	};
	lane.once("exit", onExit);
	lane.once("message", (result) => settle(result as TrialResult));
	lane.send(id);
	return promise.finally(() => {
		patience.abort();
		lane.off("exit", onExit);
		lane.removeAllListeners("message");
	});
}

function byRow(a: TrialResult, b: TrialResult): number {
	return a.row < b.row ? -1 : Number(a.row > b.row);
}

/** Enough of a complaint for one line; the report has all of it. */
function brief(complaint: string): string {
	return complaint.split("\n", 2).join(" ").slice(0, 300);
}

function report(): void {
	const sum = (of: (result: TrialResult) => number): number => results.reduce((total, one) => total + of(one), 0);
	const survived = results.filter(({ complaints }) => complaints.length === 0).length;
	console.log(
		`\n${"row".padEnd(10)}${"injected".padStart(10)}${"survived".padStart(10)}${"longest silence".padStart(18)}`,
	);
	for (const [row, of] of Map.groupBy(results.toSorted(byRow), (result) => result.row)) {
		const silence = Math.max(...of.map(({ silenceMs }) => silenceMs));
		const whole = of.filter(({ complaints }) => complaints.length === 0).length;
		console.log(
			`${row.padEnd(10)}${String(of.length).padStart(10)}${String(whole).padStart(10)}${`${silence} ms`.padStart(18)}`,
		);
	}
	for (const { row, reason } of notInjected) console.log(`${row.padEnd(10)}not injected: ${reason}`);
	writeReport(
		join(root, "test-output", "faults.json"),
		"faults",
		results.map(({ id, complaints, ms }) => ({
			fullName: id,
			status: complaints.length === 0 ? "passed" : "failed",
			duration: ms,
			failureMessages: complaints,
		})),
	);
	const figures = {
		injected: results.length,
		survived,
		lost: sum((one) => one.lost),
		doubled: sum((one) => one.doubled),
		processesLeft: sum((one) => one.processesLeft) + left.length,
		wedged: results.filter(({ isWedged }) => isWedged).length,
		longestSilenceMs: Math.max(0, ...results.map(({ silenceMs }) => silenceMs)),
		mostMemoryMb: Math.round(Math.max(0, ...results.map(({ grewBytes }) => grewBytes)) / 1024 / 1024),
		stretched: Math.round(pace.factor * 10) / 10,
		seconds: Math.round((performance.now() - start) / 1000),
	};
	for (const row of forgotten) console.error(`The row ${row} has no fault: add one, or say in faults.ts why not.`);
	const isWhole = survived === results.length && results.length > 0 && left.length === 0 && forgotten.length === 0;
	console.log(JSON.stringify(figures));
	if (!isWhole) process.exitCode = 1;
}
