/**
 * Runs the protocol's conformance suite for clients against the product's connection: `npm run conformance`.
 * Prints one line per scenario, writes test-output/conformance.json, and ends with an error if a check failed.
 */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { writeReport, type TestOutcome } from "../report.ts";
import { excluded, scenarios } from "./scenarios.ts";

const root = resolve(import.meta.dirname, "../..");
const output = join(root, "test-output");
const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
/** Each run is two processes that mostly wait. */
const concurrency = 3;
const run = promisify(execFile);

await run(process.execPath, ["esbuild.mjs"], { cwd: root });
rmSync(join(output, "conformance"), { recursive: true, force: true });

const { stdout } = await run(process.execPath, [suite, "list"], { cwd: root });
const known = clientScenarios(stdout);
const outcomes: TestOutcome[] = [];
const queue = scenarios.flatMap(({ name, revisions }) => revisions.map((revision) => ({ name, revision })));
await Promise.all(Array.from({ length: concurrency }, work));
for (const name of known) {
	if (scenarios.some((scenario) => scenario.name === name)) continue;
	const reason = excluded.find(({ prefix }) => name.startsWith(prefix))?.reason;
	// A scenario that is new in the suite must be looked at, not skipped unseen.
	const status = reason === undefined ? "failed" : "pending";
	const failureMessages = [reason ?? "Neither run nor excluded: decide in test/conformance/scenarios.ts"];
	outcomes.push({ fullName: name, status, failureMessages });
}
report(outcomes);

async function work(): Promise<void> {
	for (let next = queue.shift(); next !== undefined; next = queue.shift()) outcomes.push(await test(next));
}

async function test({ name, revision }: { name: string; revision: string }): Promise<TestOutcome> {
	const start = performance.now();
	const fullName = `${name} (${revision})`;
	// The suite splits the command at blanks, so nothing in it may hold one: both are found relative to the root.
	const command = `node ${join("test", "conformance", "client.ts")}`;
	const folder = join("test-output", "conformance", revision);
	const args = ["client", "--command", command, "--scenario", name, "--spec-version", revision, "-o", folder];
	const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}` };
	const finished = (status: TestOutcome["status"], failureMessages: readonly string[]): TestOutcome => {
		const duration = Math.round(performance.now() - start);
		console.log(`  ${status === "passed" ? "ok  " : "FAIL"}  ${fullName}  ${duration} ms`);
		return { fullName, status, duration, failureMessages };
	};
	try {
		await run(process.execPath, [suite, ...args], { cwd: root, env });
		return finished("passed", []);
	} catch (error) {
		const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
		return finished("failed", [`${stdout}\n${stderr}`.trim() || String(error)]);
	}
}

/** The names in the part of the suite's list that is about clients. */
function clientScenarios(list: string): readonly string[] {
	const part = list.split("Client scenarios")[1]?.split("Authorization server scenarios")[0] ?? "";
	return [...part.matchAll(/^\s+- (\S+)/gm)].map(([, name = ""]) => name);
}

function report(results: readonly TestOutcome[]): void {
	const of = (status: TestOutcome["status"]): readonly TestOutcome[] =>
		results.filter((result) => result.status === status);
	writeReport(join(output, "conformance.json"), "conformance", results);
	for (const { fullName, failureMessages } of of("failed"))
		console.error(`\n${fullName}\n${failureMessages.join("\n")}`);
	for (const { prefix, reason } of excluded) {
		const count = of("pending").filter(({ fullName }) => fullName.startsWith(prefix)).length;
		console.log(`  not run: ${count} × ${prefix}* (${reason})`);
	}
	console.log(
		`Conformance: ${of("passed").length} passed, ${of("failed").length} failed, ${of("pending").length} not run.`,
	);
	if (of("failed").length > 0 || of("passed").length === 0) process.exitCode = 1;
}
