/** `npm run test:editor [workspace]`: the suite in test/host inside the extension host of a real editor. */
import path from "node:path";
import { runCommand } from "../editor/processes.ts";
import { runTask } from "../editor/progress.ts";
import { runInHost } from "../editor/runInHost.ts";
import { outputFolder, repositoryRoot } from "./paths.ts";

await runTask(async () => {
	const build = await runCommand(process.execPath, ["esbuild.mjs", "--host-tests"], { cwd: repositoryRoot });
	if (build.code !== 0) {
		console.error(build.output);
		return build.code;
	}
	return runInHost({
		extensionFolder: repositoryRoot,
		suite: path.join(repositoryRoot, "dist-test", "host.cjs"),
		report: path.join(outputFolder, "host.json"),
		workspace: path.resolve(repositoryRoot, process.argv[2] ?? path.join("test", "workspace", "demo")),
	});
});
