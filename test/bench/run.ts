/**
 * `npm run bench [-- --quick] [-- --only name] [-- --editor]`: all works in rounds, each by each side, one after the other, so
 * that the ratios within a row hold on a busy machine. Prints a table, then the goals, and one line of JSON last. Nothing is
 * asserted. `--quick` does every work once, without the largest size. `--editor` measures in a window of the editor instead.
 */
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { judge } from "./goals.ts";
import type { SideName } from "./side.ts";
import { Results } from "./results.ts";
import { printGoals, printWork } from "./table.ts";
import { bundlePath } from "./worker.ts";
import { Worker } from "./workerProcess.ts";
import { sidesOf, works } from "./works.ts";
import type { Work } from "./work.ts";

const { values: flags } = parseArgs({
	options: {
		quick: { type: "boolean", default: false },
		only: { type: "string" },
		editor: { type: "boolean", default: false },
	},
});
/** After this time no other round begins, so that a busy machine does not make the run endless. In milliseconds. */
const patienceMs = 900_000;

const started = performance.now();
const root = resolve(import.meta.dirname, "../..");

const results = new Results();
/** The long-lived processes, by their side and whether they are bound to one processor. */
const workers = new Map<string, Worker>();
if (flags.editor) {
	const { benchInEditor } = await import("./editor/run.ts");
	await benchInEditor(flags.quick ? 1 : 5);
} else await benchSides();

/** Does all works with each side, and prints the results. */
async function benchSides(): Promise<void> {
	mkdirSync(dirname(bundlePath), { recursive: true });
	// As esbuild.mjs ships it: minified, with the same replacement for the SDK's validator.
	await build({
		entryPoints: [resolve(import.meta.dirname, "sides/host.ts")],
		outfile: bundlePath,
		bundle: true,
		minify: true,
		platform: "node",
		target: "node22",
		format: "cjs",
		mainFields: ["module", "main"],
		alias: { "@modelcontextprotocol/client/_shims": resolve(root, "src/protocol/connection/sdkShims.ts") },
		logLevel: "warning",
	});

	const chosen = works.filter(({ name, run }) => flags.only === undefined || `${name} ${run}`.includes(flags.only));
	const most = flags.quick ? 1 : Math.max(...chosen.map(({ rounds }) => rounds));
	let rounds = 0;
	while (rounds < most && (rounds === 0 || performance.now() - started < patienceMs)) {
		for (const work of chosen.filter((one) => rounds < one.rounds)) {
			for (const size of sizesOf(work)) await doRound(work, size, rounds);
		}
		rounds++;
		console.error(`Round ${rounds} of ${most} was over after ${secondsSoFar()} s.`);
	}
	for (const work of chosen) printWork(work, sizesOf(work), results);
	for (const worker of workers.values()) worker.end();
	const seconds = secondsSoFar();
	const verdicts = judge(results);
	printGoals(verdicts);
	console.log(
		`\n${seconds} s, Node ${process.versions.node}. Medians of up to ${rounds} rounds; × is the ratio to the raw floor or to the SDK.`,
	);
	console.log(
		JSON.stringify({
			seconds,
			rounds,
			rows: results.rows(works),
			goals: verdicts.map(({ name, value, limit, isMet }) => ({ name, value, limit, isMet })),
		}),
	);
}

function secondsSoFar(): number {
	return Math.round((performance.now() - started) / 1000);
}

function sizesOf({ sizes }: Work): readonly number[] {
	return flags.quick && sizes.length > 1 ? sizes.slice(0, -1) : sizes;
}

/** Lets every side do one work at one size; the order changes from round to round, so that no side always comes first. */
async function doRound(work: Work, size: number, round: number): Promise<void> {
	const sides = sidesOf(work);
	for (let index = 0; index < sides.length; index++) {
		const side = sides[(index + round) % sides.length] ?? "raw";
		if (work.spared?.size === size && work.spared.sides.includes(side)) continue;
		results.add(work, size, side, await doOnce(work, size, side));
	}
}

async function doOnce(work: Work, size: number, side: SideName): Promise<Readonly<Record<string, number>>> {
	const key = `${side}${work.isOnOneProcessor === true ? ", on one processor" : ""}`;
	const start = (): Worker => new Worker(side, work.isOnOneProcessor);
	const worker = work.isFresh === true ? start() : (workers.get(key) ?? start());
	if (work.isFresh !== true) workers.set(key, worker);
	try {
		return await worker.run(work.run, size);
	} catch (error) {
		console.error(
			`${side}, ${work.name}, ${size} ${work.of}: ${error instanceof Error ? error.message : String(error)}`,
		);
		return {};
	} finally {
		if (work.isFresh === true) worker.end();
	}
}
