/** `npm run test:editor [workspace]`: the suite in test/host inside the extension host of a real editor. */
import path from "node:path";
import { runCommand } from "../editor/processes.ts";
import { runTask } from "../editor/progress.ts";
import { runInHost } from "../editor/runInHost.ts";
import { readReport } from "../editor/suiteReport.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

await runTask(async () => {
	const build = await runCommand(process.execPath, ["esbuild.mjs", "--host-tests"], { cwd: repositoryRoot });
	if (build.code !== 0) {
		console.error(build.output);
		return build.code;
	}
	const report = path.join(outputFolder, "host.json");
	const code = await runInHost({
		extensionFolder: repositoryRoot,
		otherExtensions: [path.join(repositoryRoot, "test", "host", "foreignModels")],
		suite: path.join(repositoryRoot, "dist-test", "host.cjs"),
		report,
		workspace: path.resolve(repositoryRoot, process.argv[2] ?? path.join("test", "workspace", "demo")),
	});
	const figures = (await readReport(report))?.tests.filter(({ name }) => name.startsWith("Activation took")) ?? [];
	for (const { name } of figures) console.log(`  ${name}`);
	return code;
});
