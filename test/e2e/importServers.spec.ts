/** Stories of servers of other hosts: imported with one click, used in place, and started by neither action. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { hostEntry, importPanel, logOfHost, writeHosts } from "./fixtures/otherHosts.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let home: string;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	home = folder.file("home");
	await mkdir(home);
	editor = await startEditorWithVsix({ settings: followsColorScheme, home });
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

test("without other hosts, the places that were searched are listed", async () => {
	await editor.tree.open(container);
	await editor.palette.run("MCP Host: Import Servers…");
	await editor.dialogs.waitForNotification("No new servers of other hosts were found");
	await editor.dialogs.clearNotifications();
});

test("a linked file is used in place, and each change of it asks (IMP-03)", async () => {
	await writeHosts(folder);
	await editor.tree.open(container);
	await editor.palette.run("MCP Host: Import Servers…");
	const panel = await importPanel(editor);
	for (const all of await panel.locator('input[id^="all-"]').all()) await all.uncheck();
	for (const host of ["Zed", "Claude Code"]) {
		const group = panel
			.locator("section.group")
			.filter({ has: panel.getByRole("heading", { name: host, exact: true }) });
		await group.locator('input[id^="choose-"]').first().uncheck();
	}
	const cursor = panel
		.locator("section.group")
		.filter({ has: panel.getByRole("heading", { name: "Cursor", exact: true }) });
	await cursor.getByLabel(/^Follow this file/).check();
	await expect.poll(() => panel.locator("#add").innerText(), { timeout: patience }).toBe("Follow File");
	await takePictures(editor, "import-follow");
	await panel.locator("#add").click();
	await editor.tree.waitForSpoken("browser", "unapproved, Cursor, ~/.cursor/mcp.json");
	expect(await editor.dialogs.waitForNotification("is followed")).toContain("~/.cursor/mcp.json is followed");
	expect(await editor.userSettings()).toContain('"~/.cursor/mcp.json"');
	expect(existsSync(logOfHost(folder, "browser"))).toBe(false);

	await approve(editor, "browser");
	const file = path.join(home, ".cursor/mcp.json");
	const { command, args } = hostEntry(folder, "browser");
	await writeContent(file, {
		mcpServers: { browser: { command, args: [...args, "--more"] }, late: hostEntry(folder, "late") },
	});
	await editor.tree.waitForSpoken("late", /unapproved, Cursor/);
	await editor.tree.waitForDescription("browser", /unapproved|changed/);
	await takePictures(editor, "import-followed-changed");
	await editor.dialogs.answerNotification("is followed", "Undo");
	await editor.tree.waitUntilGone("late");
	expect(await editor.userSettings()).not.toContain("followedFiles");
});
