/**
 * `npm run activation [-- --runs 5] [-- --least] [folder…]`: the time of activation in the extension host of a real
 * editor, until the Servers view can paint. Each folder is a tree of this extension after `npm run package`; several
 * are measured in turn, so that other load of the machine affects all alike. Default: this tree. Nothing is asserted.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { runTask } from "../editor/progress.ts";
import { runInHost } from "../editor/runInHost.ts";
import { readReport } from "../editor/suiteReport.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

/** Milliseconds of one start: to load the code, and in `activate`. */
interface Taken {
	readonly loading: number;
	readonly activating: number;
}

await runTask(async () => {
	const { values, positionals } = parseArgs({
		options: { runs: { type: "string", default: "5" }, least: { type: "boolean", default: false } },
		allowPositionals: true,
	});
	const folders = positionals.length === 0 ? [repositoryRoot] : positionals.map((folder) => path.resolve(folder));
	const all = new Map(folders.map((folder): [string, Taken[]] => [folder, []]));
	for (let round = 0; round < Number(values.runs); round++) {
		for (const [folder, taken] of all) {
			const report = path.join(outputFolder, "activation.json");
			const code = await runInHost({
				editor: values.least ? "least" : "newest",
				extensionFolder: folder,
				suite: path.join(repositoryRoot, "test", "host", "activationProbe.mjs"),
				report,
			});
			const [figures] = (await readReport(report))?.tests ?? [];
			if (code !== 0 || figures === undefined) return Math.max(code, 1);
			taken.push(JSON.parse(figures.name) as Taken);
		}
	}
	for (const [folder, taken] of all) {
		console.log(`\n${folder}, ${taken.length} starts, in ms: least / median`);
		console.log(`  load the code  ${summary(taken.map(({ loading }) => loading))}`);
		console.log(`  activate       ${summary(taken.map(({ activating }) => activating))}`);
		console.log(`  both           ${summary(taken.map(({ loading, activating }) => loading + activating))}`);
	}
	return 0;
});

function summary(values: readonly number[]): string {
	const sorted = values.toSorted((one, other) => one - other);
	return `${sorted[0] ?? Number.NaN} / ${sorted[Math.floor(sorted.length / 2)] ?? Number.NaN}   (${values.join(" ")})`;
}
