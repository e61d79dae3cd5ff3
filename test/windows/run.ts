/**
 * `npm run test:windows [-- words…]`: the tests that concern processes, paths, files, stores, configurations, command
 * lines, named pipes and the command-line program, or those whose paths hold one of the words, as `win32` under Wine.
 * Installs what it needs: Node for Windows from npm, and Wine from Debian's packages where it may. Writes
 * test-output/windows.json, names the tests that Wine cannot run with the reasons, and ends with an error when one failed.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { elapsed, runTask, withProgress } from "../editor/progress.ts";
import { type TestOutcome, writeReport } from "../report.ts";
import { outputFolder, repositoryRoot } from "../tasks/paths.ts";
import { bundleForWindows } from "./bundle.ts";
import { chosenTests } from "./chosenTests.ts";
import { skipped } from "./skipped.ts";
import { Wine } from "./wine.ts";

/** How many Nodes of Windows run test files at the same time. */
const lanes = 2;
/** How many files of unit tests one of them runs. */
const mostTogether = 15;
/** How long a file of integration tests may take, in milliseconds. */
const fileMs = 1_200_000;

interface Outcome extends TestOutcome {
	readonly file: string;
}

await runTask(async () => {
	const start = performance.now();
	const words = process.argv.slice(2);
	const tests = chosenTests().filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
	const folder = path.join(outputFolder, "windows");
	await withProgress("Bundles", async () => {
		await promisify(execFile)(process.execPath, ["esbuild.mjs"], { cwd: repositoryRoot });
	});
	const script = await bundleForWindows(folder, tests);
	const prefix = mkdtempSync(path.join(tmpdir(), "mcp-host-wine-"));
	const outcomes: Outcome[] = [];
	try {
		const wine = await withProgress("Windows", async () => Wine.in(prefix));
		await using _ = wine;
		const queue = batchesOf(tests);
		const work = async (): Promise<void> => {
			for (let batch = queue.shift(); batch !== undefined; batch = queue.shift())
				outcomes.push(...(await runBatch(wine, { folder, script, batch })));
		};
		await Promise.all(Array.from({ length: lanes }, work));
	} finally {
		rmSync(prefix, { recursive: true, force: true, maxRetries: 5 });
	}
	return report(outcomes, start);
});

/** The files that one Node runs: each of the integration tests alone, and unit tests together. */
function batchesOf(tests: readonly string[]): (readonly string[])[] {
	const unit = tests.filter((file) => file.startsWith("test/unit/"));
	const others = tests.filter((file) => !unit.includes(file));
	const chunks = Array.from({ length: Math.ceil(unit.length / mostTogether) }, (_, index) =>
		unit.slice(index * mostTogether, (index + 1) * mostTogether),
	);
	return [...chunks, ...others.map((file) => [file])];
}

async function runBatch(
	wine: Wine,
	{ folder, script, batch }: { readonly folder: string; readonly script: string; readonly batch: readonly string[] },
): Promise<readonly Outcome[]> {
	const base = path.join(folder, "runs", (batch[0] ?? "").replaceAll("/", "-"));
	mkdirSync(path.dirname(base), { recursive: true });
	const [list, results, output] = [`${base}.list.json`, `${base}.results.json`, `${base}.log`];
	writeFileSync(
		list,
		JSON.stringify({ tests: batch, skipped: skipped.map((one) => ({ ...one, tests: one.tests?.source })) }),
	);
	const started = performance.now();
	const mostMs = fileMs * (1 + batch.length / mostTogether);
	const code = await wine.runNode([script, list, results].map(Wine.pathOf), { cwd: folder, output, mostMs });
	const outcomes = outcomesIn(results);
	const missing = batch.filter((file) => !outcomes.some((outcome) => outcome.file === file));
	if (missing.length > 0) {
		const end = readFileSync(output, "utf8").slice(-2000);
		const message = `It ended with ${code ?? "a time-out"} before all results were written. The end of its output:\n${end}`;
		for (const file of missing)
			outcomes.push({ file, fullName: "(the file)", status: "failed", failureMessages: [message] });
	}
	const failed = outcomes.filter(({ status }) => status === "failed");
	const named = batch.length === 1 ? batch[0] : `${batch[0]} and ${batch.length - 1} more`;
	console.log(`  ${failed.length === 0 ? "ok  " : "FAIL"}  ${named}  ${elapsed(started)}`);
	for (const { file, fullName, failureMessages } of failed) {
		console.log(`        ✗ ${file} > ${fullName}`);
		console.log(`          ${failureMessages.join("\n").slice(0, 1500).replaceAll("\n", "\n          ")}`);
	}
	return outcomes;
}

function outcomesIn(results: string): Outcome[] {
	try {
		return JSON.parse(readFileSync(results, "utf8")) as Outcome[];
	} catch {
		// None of its files was run to the end.
		return [];
	}
}

function report(outcomes: readonly Outcome[], start: number): number {
	const named = outcomes.map(({ file, fullName, ...rest }) => ({ ...rest, fullName: `${file} > ${fullName}` }));
	const of = (status: TestOutcome["status"]): number => outcomes.filter((outcome) => outcome.status === status).length;
	console.log(`\nNot run under Wine: ${of("pending")}`);
	for (const { file, fullName, status } of outcomes)
		if (status === "pending") console.log(`  - ${file} > ${fullName}: ${reasonFor(file, fullName) ?? "NO REASON"}`);
	writeReport(path.join(outputFolder, "windows.json"), "windows", named);
	// Each test that does not run has a reason, and a test of the same that does.
	const unexplained = outcomes.filter(
		({ file, fullName, status }) => status === "pending" && reasonFor(file, fullName) === undefined,
	);
	console.log(`\nThe run took ${elapsed(start)}.`);
	console.log(`${of("passed")} passed, ${of("failed") + unexplained.length} failed, ${of("pending")} skipped`);
	return of("failed") + unexplained.length === 0 && of("passed") > 0 ? 0 : 1;
}

function reasonFor(file: string, name: string): string | undefined {
	return skipped.find((one) => one.file === file && (one.tests === undefined || one.tests.test(name)))?.reason;
}
