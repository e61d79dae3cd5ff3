/**
 * `npm run view -- NAME [--theme THEME]`: opens one webview in a browser, without VS Code, and loads it again whenever
 * a file of `media` is saved. Without a name it lists the views. The host of the view is loaded once: run it again
 * after a change in `src`.
 */
import { watch } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "../editor/browser.ts";
import { runTask, SetupError } from "../editor/progress.ts";
import { forgetViewScripts } from "../view/fixtures/formPage.ts";
import { type ThemeName, themes } from "../view/fixtures/themes.ts";
import { viewScenes } from "../view/fixtures/viewScenes.ts";
import { repositoryRoot } from "./paths.ts";

/** How long more files may be saved before the view is reloaded, in milliseconds. */
const gatherMs = 100;

await runTask(async () => {
	const { values, positionals } = parseArgs({ options: { theme: { type: "string" } }, allowPositionals: true });
	const [name = ""] = positionals;
	const open = viewScenes[name];
	if (open === undefined) throw new SetupError(`Name a view: ${Object.keys(viewScenes).join(", ")}.`);
	const theme = (Object.keys(themes) as ThemeName[]).find((one) => one === (values.theme ?? "dark"));
	if (theme === undefined) throw new SetupError(`Name a theme: ${Object.keys(themes).join(", ")}.`);
	process.env["MCP_HOST_HEADED"] = "yes";
	const browser = await launchBrowser().catch((error: unknown) => {
		throw new SetupError(`The browser did not start. It needs a screen. ${String(error).split("\n", 1)[0]}`);
	});
	const closed = new AbortController();
	browser.on("disconnected", () => closed.abort());
	const view = await open(browser, { theme });
	view.page.on("close", () => void browser.close());
	console.log(`The view ${name} is open. Close its window to end.`);
	let due: NodeJS.Timeout | undefined;
	const reload = async (): Promise<void> => {
		forgetViewScripts();
		try {
			await view.show();
			console.log(`Loaded ${name} again.`);
		} catch (error) {
			// A file that does not compile yet: the next save may fix it.
			console.error(String(error));
		}
		for (const trouble of view.trouble.splice(0)) console.error(trouble);
	};
	try {
		const media = path.join(repositoryRoot, "media");
		for await (const _saved of watch(media, { recursive: true, signal: closed.signal })) {
			clearTimeout(due);
			due = setTimeout(() => void reload(), gatherMs);
		}
	} catch (error) {
		if (!closed.signal.aborted) throw error;
	}
	clearTimeout(due);
	return 0;
});
