/**
 * `npm run test:editor [workspace]`, `npm run test:editor:least`: the suite in test/host inside the extension host of a real
 * editor: the newest, or the least that the manifest supports.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../editor/processes.ts";
import { runTask } from "../editor/progress.ts";
import { runInHost } from "../editor/runInHost.ts";
import { readReport } from "../editor/suiteReport.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

await runTask(async () => {
	const { values, positionals } = parseArgs({
		options: { least: { type: "boolean", default: false } },
		allowPositionals: true,
	});
	const build = await runCommand(process.execPath, ["esbuild.mjs", "--host-tests"], { cwd: repositoryRoot });
	if (build.code !== 0) {
		console.error(build.output);
		return build.code;
	}
	const report = path.join(outputFolder, values.least ? "host-least.json" : "host.json");
	const code = await runInHost({
		editor: values.least ? "least" : "newest",
		extensionFolder: repositoryRoot,
		otherExtensions: [path.join(repositoryRoot, "test", "host", "foreignModels")],
		suite: path.join(repositoryRoot, "dist-test", "host.mjs"),
		report,
		workspace: path.resolve(repositoryRoot, positionals[0] ?? path.join("test", "workspace", "demo")),
	});
	const figures = (await readReport(report))?.tests.filter(({ name }) => name.startsWith("Activation took")) ?? [];
	for (const { name } of figures) console.log(`  ${name}`);
	return code;
});
