/**
 * `npm run test:e2e [-- --journeys] [filter…]`: the stories in test/e2e on the packaged extension, two files side by
 * side; with `--journeys` those of test/e2e/journeys, which together touch every surface in few windows, three side by
 * side, with pictures in one theme. With `MCP_HOST_REPEAT` one or two files that failed are run once more in new windows, and the
 * stories that passed only then named.
 */

import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";
import { ensureBrowser } from "../editor/ensureBrowser.ts";
import { ensureEditor } from "../editor/ensureEditor.ts";
import { runTask } from "../editor/progress.ts";
import { oneTheme } from "../e2e/fixtures/colorScheme.ts";
import { startSharedServers } from "../editor/sharedServers.ts";
import { outputFolder, repositoryRoot, vsixFile } from "./paths.ts";
import { filesToRepeat, joinSecondRun } from "./secondRun.ts";
import { ensurePackaged } from "./vsix.ts";

await runTask(async () => {
	const { values, positionals } = parseArgs({ options: { journeys: { type: "boolean" } }, allowPositionals: true });
	const isJourneys = values.journeys === true;
	await ensureBrowser();
	const editor = await ensureEditor();
	if (process.env["MCP_HOST_VSIX"] === undefined) {
		await ensurePackaged();
	}
	const vsix = path.resolve(process.env["MCP_HOST_VSIX"] ?? vsixFile);
	// A window waits more than it works. Visible windows share the clipboard of the screen.
	const lanes =
		process.env["MCP_HOST_HEADED"] === undefined ? Math.min(isJourneys ? 3 : 2, availableParallelism() + 1) : 1;
	if (isJourneys) process.env[oneTheme] = "yes";
	const servers = editor.kind === "server" ? await startSharedServers(editor, vsix, lanes) : [];
	const report = isJourneys ? "journeys" : "e2e";
	const run = async (include: readonly string[], name: string): Promise<string> => {
		const file = path.join(outputFolder, `${name}.json`);
		const vitest = await startVitest(
			"test",
			positionals,
			{
				config: false,
				root: repositoryRoot,
				watch: false,
				include: [...include],
				setupFiles: [path.join(repositoryRoot, "test", "e2e", "pages", "keepFailures.ts")],
				sequence: { hooks: "list" },
				maxWorkers: lanes,
				// Files load the same modules, and leave nothing in them.
				isolate: !isJourneys,
				testTimeout: 300_000,
				hookTimeout: 300_000,
				// The default of a second is less than a busy machine takes for a click.
				expect: { poll: { timeout: 60_000 } },
				reporters: ["default", "json"],
				outputFile: { json: file },
			},
			{},
		);
		await vitest.close();
		return file;
	};
	const first = await run([isJourneys ? "test/e2e/journeys/*.spec.ts" : "test/e2e/**/*.spec.ts"], report);
	const repeated = process.env["MCP_HOST_REPEAT"] === undefined ? [] : await filesToRepeat(first);
	if (repeated.length > 0) {
		console.log(`\nRun once more in new windows: ${repeated.join(", ")}`);
		process.exitCode = 0;
		const flaky = await joinSecondRun(first, await run(repeated, `${report}-again`));
		for (const story of flaky) console.log(`FLAKY, passed only when it was run once more: ${story}`);
	}
	await Promise.all(servers.map((server) => server.stop()));
	return Number(process.exitCode ?? 0);
});
