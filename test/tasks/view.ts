/**
 * `npm run test:view [filter…]`: the stories in test/view, which need only a browser: the views as they are in the sources,
 * without VS Code. Files run side by side, each with a browser of its own.
 */
import { availableParallelism } from "node:os";
import path from "node:path";
import { startVitest } from "vitest/node";
import { ensureBrowser } from "../editor/ensureBrowser.ts";
import { runTask } from "../editor/progress.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

await runTask(async () => {
	await ensureBrowser();
	const vitest = await startVitest(
		"test",
		process.argv.slice(2),
		{
			config: false,
			root: repositoryRoot,
			watch: false,
			include: ["test/view/**/*.spec.ts"],
			maxWorkers: availableParallelism(),
			// What waits for something has a limit of its own; this one is for many steps on a machine that stalls.
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
