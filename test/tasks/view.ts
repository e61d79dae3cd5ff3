/**
 * `npm run test:view [-- --fast] [filter…]`: the stories in test/view, which need only a browser: the views as they are in the
 * sources, without VS Code. Files run side by side, each with a browser of its own. With `--fast`, as `npm test` runs it, each
 * look is checked in the light theme only; files about looks, random edits and hostile input, and stories about huge texts and
 * many repetitions, are left to the full run.
 */
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { ensureBrowser } from "../editor/ensureBrowser.ts";
import { runTask } from "../editor/progress.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

/** The exclusions of the fast run: by the name of the story, and by the name of the file. */
const slowStories = /^(?!.*\b(?:dark|high-contrast|twenty times|hundred thousand|100,000|MB|does not continue)\b)/;
const slowFiles = ["test/view/**/*{Hostile,Look,Layout,Bytes,Scenes}.spec.ts", "test/view/layout.spec.ts"];

await runTask(async () => {
	const { values, positionals } = parseArgs({ options: { fast: { type: "boolean" } }, allowPositionals: true });
	const isFast = values.fast === true;
	await ensureBrowser();
	const vitest = await startVitest(
		"test",
		positionals,
		{
			config: false,
			root: repositoryRoot,
			watch: false,
			include: ["test/view/**/*.spec.ts"],
			...(isFast ? { exclude: slowFiles, testNamePattern: slowStories } : {}),
			maxWorkers: availableParallelism(),
			// Waits have a limit of their own; this one is for many steps on a machine that stalls.
			testTimeout: 300_000,
			hookTimeout: 120_000,
			// As long as an action of a page: the default of a second is less than a busy machine takes for a click.
			expect: { poll: { timeout: 60_000 } },
			reporters: ["default", "json"],
			outputFile: { json: path.join(outputFolder, "view.json") },
		},
		{},
	);
	await vitest.close();
	return Number(process.exitCode ?? 0);
});
