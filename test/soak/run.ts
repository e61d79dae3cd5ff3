/**
 * `npm run soak [-- --short] [-- --seed n]`: a host with three servers through thousands of calls and hundreds of
 * reconnects. Every call must end as planned or as a disturbance explains, the servers must have carried out exactly
 * the calls reported to the callers, and the process must hold in the end what it held after the warm-up. Writes
 * test-output/soak.json, prints one line of JSON last, and ends with an error when something is amiss.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { TestHost } from "../integration/testHost.ts";
import { writeReport, type TestOutcome } from "../report.ts";
import { audit, countBy } from "./account.ts";
import { Driver } from "./driver.ts";
import { makePlan, shortExtent, wholeExtent } from "./plan.ts";
import { countProcesses, measureHoldings, type Holdings } from "./probes.ts";
import { startWeb } from "./web.ts";

const { values: flags } = parseArgs({
	options: { short: { type: "boolean", default: false }, seed: { type: "string", default: "20261121" } },
});
/** Longer than a loaded machine delays anything, shorter than users would wait. */
const requestMs = 5000;
/** The share of the plan after which the caches are warm. */
const warmUpShare = 0.2;
const memoryLimitMegabytes = 30;
const countLimit = 5;

const started = performance.now();
const seed = Number(flags.seed);
const extent = flags.short ? shortExtent : wholeExtent;
const plan = makePlan(extent, seed);
let leakWarnings = 0;
process.on("warning", ({ name }) => {
	if (name === "MaxListenersExceededWarning") leakWarnings++;
});
console.log(
	`Seed ${seed}: ${extent.calls} calls, ${extent.crashes} crashes, ${extent.losses} lost sessions, ${extent.cuts} cuts`,
);

const { driver, folder, before, after } = await soak();
const processesLeft = await countProcesses(folder);
const carriedOut = countCarriedOut(folder);
const findings = audit(driver.calls, driver.disturbed, carriedOut);
const outcomes = countBy(driver.calls, ({ outcome }) => outcome);
const missing = extent.calls - driver.calls.length;
const seconds = Math.round((performance.now() - started) / 1000);
report();

async function soak(): Promise<{ driver: Driver; folder: string; before: Holdings; after: Holdings }> {
	await using host = new TestHost({ requestMs });
	// Beside the host's folder, which goes with the host.
	const folder = `${host.folder}-soak`;
	mkdirSync(folder);
	const log = (name: string): string => join(folder, name);
	for (const name of ["stdio", "http", "sse"]) writeFileSync(log(name), "");
	await using web = await startWeb(log("http"), log("sse"));
	const server = resolve(import.meta.dirname, "server.ts");
	await host.configure({
		stdio: { command: process.execPath, args: [server, "stdio", log("stdio")] },
		http: { url: `http://127.0.0.1:${web.port}/mcp` },
		sse: { type: "sse", url: `http://127.0.0.1:${web.port}/sse` },
	});
	await host.host.startApproved();
	const sessions = { stdio: host.session("stdio"), http: host.session("http"), sse: host.session("sse") };
	const driver = new Driver(sessions, web);
	const warm = Math.round(plan.length * warmUpShare);
	await driver.run(plan.slice(0, warm));
	host.log.length = 0;
	const before = await measureHoldings();
	await driver.run(plan.slice(warm));
	host.log.length = 0;
	return { driver, folder, before, after: await measureHoldings(before.activeResources + countLimit) };
}

/** How often the servers carried out each call, by their logs. */
function countCarriedOut(folder: string): ReadonlyMap<number, number> {
	const counts = new Map<number, number>();
	for (const name of ["stdio", "http", "sse"]) {
		for (const line of readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1)) {
			counts.set(Number(line), (counts.get(Number(line)) ?? 0) + 1);
		}
	}
	return counts;
}

function report(): void {
	const { unexplained, doubled, miscounted } = findings;
	const grown = (key: keyof Holdings): number => (after[key] ?? 0) - (before[key] ?? 0);
	const kinds = ["result", "cancelled", "timed-out", "unknown"] as const;
	const differing = kinds.filter((outcome) => (driver.logged[outcome] ?? 0) !== (outcomes[outcome] ?? 0));
	const tests: readonly TestOutcome[] = [
		// A soak without disturbances would show nothing.
		test(
			"every kind of outcome occurs",
			kinds.filter((outcome) => (outcomes[outcome] ?? 0) === 0).map((outcome) => `${outcome} did not`),
		),
		test("every call ends", missing === 0 ? [] : [`${missing} did not`]),
		test("every outcome is explained", unexplained),
		test("no call is carried out twice", doubled),
		test("the servers carried out the calls as reported to callers", miscounted),
		test(
			"the log of requests matches the callers' outcomes",
			differing.map(
				(outcome) => `${outcome}: ${driver.logged[outcome] ?? 0} in the log, ${outcomes[outcome] ?? 0} told`,
			),
		),
		atMost("memory after the warm-up stays", grown("memoryMegabytes"), memoryLimitMegabytes, "MB"),
		atMost("file descriptors stay", Math.abs(grown("fileDescriptors")), countLimit),
		atMost("listeners stay", Math.abs(grown("listeners")) + leakWarnings, 0),
		atMost("timers and sockets stay", grown("activeResources"), countLimit),
		atMost("no process is left", processesLeft, 0),
	];
	writeReport(resolve(import.meta.dirname, "../../test-output/soak.json"), "soak", tests);
	for (const { fullName, status, failureMessages } of tests) {
		console.log(`  ${status === "passed" ? "ok  " : "FAIL"}  ${fullName}`);
		for (const message of failureMessages.slice(0, 20)) console.log(`        ${message}`);
	}
	if (tests.some(({ status }) => status === "failed")) process.exitCode = 1;
	console.log(
		JSON.stringify({
			seed,
			seconds,
			calls: driver.calls.length,
			reconnects: extent.crashes + extent.losses + extent.cuts,
			outcomes,
			unexplained: unexplained.length + missing + miscounted.length,
			doubled: doubled.length,
			before,
			after,
			leakWarnings,
			processesLeft,
		}),
	);
}

function atMost(fullName: string, value: number, limit: number, unit = ""): TestOutcome {
	return test(fullName, value <= limit ? [] : [`${value} ${unit} more, where ${limit} are allowed`]);
}

function test(fullName: string, failureMessages: readonly string[]): TestOutcome {
	return { fullName, status: failureMessages.length === 0 ? "passed" : "failed", failureMessages };
}
