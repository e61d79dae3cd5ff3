/** Loaded before every story file: keeps what a failed story looked like in `test-output/failed/<story>`. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach } from "vitest";
import { runningEditors } from "./startEditor.ts";
import { repositoryRoot } from "./workbench.ts";

afterEach(async ({ task }) => {
	if (task.result?.state !== "fail") {
		return;
	}
	const folder = path.join(repositoryRoot, "test-output", "failed", task.name.replaceAll(/[^\w-]+/g, "-").slice(0, 80));
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	let number = 0;
	for (const editor of runningEditors) {
		for (const window of editor.windows) {
			number++;
			await window.page.screenshot({ path: path.join(folder, `window-${number}.png`) }).catch(() => undefined);
			await writeFile(path.join(folder, `console-${number}.log`), window.console());
		}
		await writeFile(path.join(folder, `server-${number}.log`), await editor.log());
	}
});
