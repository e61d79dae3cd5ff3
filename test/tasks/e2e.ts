/** `npm run test:e2e [filter…]`: the stories in test/e2e on the packaged extension, one file after the other. */
import path from "node:path";
import { startVitest } from "vitest/node";
import { ensureBrowser } from "../editor/ensureBrowser.ts";
import { ensureEditor } from "../editor/ensureEditor.ts";
import { runTask } from "../editor/progress.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";
import { ensurePackaged } from "./vsix.ts";

await runTask(async () => {
	await ensureBrowser();
	await ensureEditor();
	if (process.env["MCP_HOST_VSIX"] === undefined) {
		await ensurePackaged();
	}
	const vitest = await startVitest(
		"test",
		process.argv.slice(2),
		{
			config: false,
			root: repositoryRoot,
			watch: false,
			include: ["test/e2e/**/*.spec.ts"],
			setupFiles: [path.join(repositoryRoot, "test", "e2e", "pages", "evidence.ts")],
			fileParallelism: false,
			testTimeout: 120_000,
			hookTimeout: 120_000,
			reporters: ["default", "json"],
			outputFile: { json: path.join(outputFolder, "e2e.json") },
		},
		{},
	);
	await vitest.close();
	return Number(process.exitCode ?? 0);
});
