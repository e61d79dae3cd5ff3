import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import type { PageElement } from "./conditions.ts";
import type { RunningEditor } from "./startEditor.ts";
import { repositoryRoot } from "./workbench.ts";

/** The report of a run on a machine without pictures: questions, notifications, open editors, and the focus. */
const regions: Readonly<Record<string, string>> = {
	dialog: ".monaco-dialog-box",
	"quick input": ".quick-input-widget:visible",
	notifications: ".notifications-toasts .notification-toast",
	tabs: ".part.editor .tab",
	"side bar": ".part.sidebar .monaco-list-row",
	"end of the chat": ".interactive-session .interactive-item-container:visible >> nth=-1",
	focus: "*:focus",
};

/**
 * Saves the content of every window of these editors, and the output of each window and its server, in
 * `test-output/failed/<name>`.
 */
export async function keepEvidence(name: string, editors: Iterable<RunningEditor>): Promise<void> {
	const folder = path.join(repositoryRoot, "test-output", "failed", name.replaceAll(/[^\w-]+/g, "-").slice(0, 80));
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	let number = 0;
	for (const editor of editors) {
		for (const window of editor.windows) {
			number++;
			await window.page.screenshot({ path: path.join(folder, `window-${number}.png`) }).catch(() => undefined);
			await describe(window.page, `${name}, window ${number}`);
			await writeFile(path.join(folder, `console-${number}.log`), window.console());
		}
		await writeFile(path.join(folder, `server-${number}.log`), await editor.log());
	}
}

/** Prints in a few lines what a window shows. */
async function describe(page: Page, heading: string): Promise<void> {
	const lines = [`What was shown (${heading}):`];
	for (const [region, selector] of Object.entries(regions)) {
		const texts = await page
			.locator(selector)
			.evaluateAll((elements: PageElement[]) =>
				elements.map((element) => (element as PageElement & { readonly innerText: string }).innerText),
			)
			.catch(() => []);
		const text = texts.join(" | ").replaceAll(/\s+/g, " ");
		if (texts.length > 0)
			lines.push(`  ${region}: ${text.length > 400 ? `${text.slice(0, 100)} … ${text.slice(-300)}` : text}`);
	}
	console.error(lines.join("\n"));
}
