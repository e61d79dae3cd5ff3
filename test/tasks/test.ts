/**
 * `npm test [step…]`: the steps that decide about a change in minutes, or only the named ones; `npm run test:all`:
 * every step there is. No step begins after one that failed. The last line is `N passed, N failed` with the tests of
 * all suites; a step that fails outside its tests counts as one failure. With `--repeat`, as CI runs it, one or two
 * files of workbench stories that failed are run once more: stories that pass only then are named in the last lines.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { ensureBrowser } from "../editor/ensureBrowser.ts";
import { ensureEditor } from "../editor/ensureEditor.ts";
import { elapsed, runTask, SetupError } from "../editor/progress.ts";
import { outputFolder } from "./paths.ts";
import { type Counts, endSteps, runStep } from "./runStep.ts";
import { type Step, steps } from "./steps.ts";

const repeat = "--repeat";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
	process.on(signal, () => {
		endSteps();
		process.exit(130);
	});
}

await runTask(async () => {
	const start = performance.now();
	const args = process.argv.slice(2);
	if (args.includes(repeat)) process.env["MCP_HOST_REPEAT"] = "yes";
	const chosen = chooseSteps(args.filter((arg) => arg !== repeat));
	await mkdir(outputFolder, { recursive: true });
	await removeReports();
	// First, so that missing parts of the machine are reported before minutes of tests.
	if (chosen.some((step) => step.needsBrowser === true)) await ensureBrowser();
	if (chosen.some((step) => step.needsEditor === true)) await ensureEditor();
	const { passed, failed, flaky } = await runAll(chosen, !args.includes("--all"));
	const hasRun = passed + failed > 0;
	console.log(
		`\n${hasRun ? "Everything" : "No test ran; everything"} took ${elapsed(start)}. Reports and pictures: test-output`,
	);
	for (const line of flaky) console.log(line);
	console.log(`${passed} passed, ${failed} failed`);
	return hasRun && failed === 0 ? 0 : 1;
});

function chooseSteps(args: readonly string[]): readonly Step[] {
	const isAll = args.includes("--all");
	const names = args.filter((arg) => arg !== "--all");
	const unknown = names.find((name) => !steps.some((step) => step.script === name));
	if (unknown !== undefined) {
		throw new SetupError(`Unknown step "${unknown}": use some of ${steps.map((step) => step.script).join(", ")}.`);
	}
	const chosen =
		names.length === 0
			? steps.filter(({ only }) => only !== (isAll ? "fast" : "all"))
			: steps.filter((step) => names.includes(step.script));
	return chosen.filter((step) => {
		const canRun = step.needsLinux !== true || process.platform === "linux";
		if (!canRun) console.log(`${step.script} is left out: it runs on Linux only.`);
		return canRun;
	});
}

/** Runs the steps: those of lanes beside each other after the others, or all one by one. After a failure no step begins. */
async function runAll(chosen: readonly Step[], inLanes: boolean): Promise<Counts> {
	const counts: Counts[] = [];
	const hasFailed = (): boolean => counts.some(({ failed }) => failed > 0);
	const run = async (lane: readonly Step[]): Promise<void> => {
		for (const step of lane) {
			if (hasFailed()) return;
			console.log(`\n[${chosen.indexOf(step) + 1}/${chosen.length}] ${step.script}`);
			counts.push(await runStep(step));
		}
	};
	const isFirst = ({ lane }: Step): boolean => !inLanes || lane === undefined;
	await run(chosen.filter(isFirst));
	const lanes = Map.groupBy(
		chosen.filter((step) => !isFirst(step)),
		({ lane }) => lane,
	);
	await Promise.all([...lanes.values()].map(run));
	const sum = (count: (one: Counts) => number): number => counts.reduce((total, one) => total + count(one), 0);
	return {
		passed: sum(({ passed }) => passed),
		failed: sum(({ failed }) => failed),
		flaky: counts.flatMap(({ flaky }) => flaky),
	};
}

/** Reports of an earlier run must not be counted. */
async function removeReports(): Promise<void> {
	const reports = (await readdir(outputFolder)).filter((name) => name.endsWith(".json"));
	await Promise.all(reports.map((name) => rm(path.join(outputFolder, name))));
}
