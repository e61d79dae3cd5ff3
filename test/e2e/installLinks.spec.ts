/**
 * Stories of install links: made as a badge, opened in another window, shown whole, and without effect before consent
 * (REG-03).
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readInstallLink } from "../../src/servers/formats/installLinks.ts";
import { linkTargets, writeBadges } from "../../src/servers/formats/writeLinks.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience, press } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";

let folder: TestFolder;
let editor: RunningEditor;
beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({ settings: followsColorScheme });
	await editor.tree.open(container);
});
afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/** The badge that *Export Servers…* makes of a server. */
function badgeOf(name: string, log: string): string {
	const [target] = linkTargets;
	if (target === undefined) throw new Error("There is no target.");
	const entry = { ...smallEntry(log), env: { SMALL_API_KEY: "${input:small}", SMALL_MODE: "quiet" } };
	const inputs = [{ type: "promptString", id: "small", description: "Key of Small", password: true }];
	return writeBadges([{ name, entry, inputs, isOff: false }], target).text;
}

/** The address in a badge. */
function addressIn(text: string): string {
	const [, link = ""] = /\]\((https:\/\/vscode\.dev\S+)\)\n/.exec(text) ?? [];
	expect(readInstallLink(link)?.servers).toHaveLength(1);
	return new URL(link).searchParams.get("url") ?? "";
}

/** Opens an address as a browser passes it to the editor, and allows the editor to open it. */
async function openLink(link: string, { palette, dialogs }: Workbench = editor): Promise<void> {
	await palette.run("Developer: Open URL");
	await palette.fill(link);
	await palette.accept();
	await dialogs.answerModal("Open");
}

async function linkPanel({ editors, webview }: Workbench = editor): Promise<FrameLocator> {
	await editors.waitForActive("Install Server");
	return webview.document("A link requested this");
}

test("a link shows all its content; closing adds nothing, and adding starts nothing (REG-03)", async () => {
	const log = folder.file("link.log");
	await openLink(addressIn(badgeOf("linked", log)));
	await linkPanel();
	await takePictures(editor, "install-link");
	await editor.editors.close("Install Server");
	await editor.editors.waitUntilClosed("Install Server");
	expect(await editor.userSettings()).not.toContain("linked");

	await openLink(addressIn(badgeOf("linked", log)));
	const panel = await linkPanel();
	expect(await panel.locator(".values code").allInnerTexts()).toEqual([process.execPath, ...smallEntry(log).args]);
	await panel.getByRole("group", { name: "Environment SMALL_API_KEY" }).waitFor();
	await editor.page.setViewportSize({ width: 700, height: 800 });
	await editor.screenshot("install-link-narrow");
	await editor.page.setViewportSize({ width: 1280, height: 800 });

	// A panel that is being read is not replaced by a link that opens meanwhile.
	await openLink(addressIn(badgeOf("other", log)));
	await editor.dialogs.waitForNotification("Another install link was opened, but ignored.");
	expect(await panel.getByLabel("Name", { exact: true }).inputValue()).toBe("linked");

	await press(panel.locator("#add"));
	await editor.editors.waitUntilClosed("Install Server");
	await editor.dialogs.waitForNotification("Added “linked” to User Settings.");
	await editor.tree.waitForDescription("linked", "unapproved");
	expect(await editor.userSettings()).toContain("${input:small}");
	expect(existsSync(log)).toBe(false);
});

test("a README's badge leads to the same consent in a second window, and starts nothing there (REG-03)", async () => {
	const log = folder.file("second.log");
	const workspace = await folder.workspace("second", { "README.md": badgeOf("second", log) });
	const second = await editor.newWindow(workspace, { isSameUser: true });
	await second.tree.open(container);
	await openLink(addressIn(await readFile(path.join(workspace, "README.md"), "utf8")), second);
	const panel = await linkPanel(second);
	expect(await panel.locator(".values code").allInnerTexts()).toEqual([process.execPath, ...smallEntry(log).args]);
	expect(await panel.getByLabel("Name", { exact: true }).inputValue()).toBe("second");
	await second.screenshot("install-link-second-window");
	await press(panel.locator("#add"));
	await second.editors.waitUntilClosed("Install Server");
	await second.tree.waitForDescription("second", "unapproved");
	expect(existsSync(log)).toBe(false);
});

test("a link without a server is reported (REG-03)", async () => {
	await openLink("vscode://mcp-host.mcp-host/install?config=e30");
	await editor.editors.waitForActive("Install Server");
	const panel = await editor.webview.document("It has neither a command nor a URL.");
	expect(await panel.locator("#add").isDisabled()).toBe(true);
	await panel.locator("main").waitFor({ timeout: patience });
	await editor.closeEverything();
});
