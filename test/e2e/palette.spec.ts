/** Stories of the Command Palette: its commands without servers, and those for all servers or any of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({ settings: followsColorScheme });
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

test("without servers, commands that need one report it and offer help (UI-18)", async () => {
	const { palette, page } = editor;
	await editor.tree.open(container);
	await editor.tree.waitUntilFilled();
	for (const [command, row] of [
		["Run Prompt…", "Add a Server…"],
		["Run Tool…", "Add a Server…"],
		["Open Resource…", "Try the Demo Server"],
	] as const) {
		await palette.run(`MCP Host: ${command}`);
		await palette.waitForRow(new RegExp(row));
		await expect.poll(() => palette.placeholder(), { timeout: patience }).toBe("No MCP server is configured.");
		await palette.cancel();
	}
	await palette.openWith(">MCP Host:");
	await palette.waitForRow("MCP Host: Add Servers…");
	await takePictures(editor, "palette-without-servers");
	const offered = await palette.rows();
	expect(offered.map(({ label }) => label)).not.toContain("MCP Host: Stop Server");
	await page.keyboard.press("Escape");
});

test("Start All Servers starts approved servers and opens the review of the rest, Stop All Servers stops all", async () => {
	const { palette, tree, editors } = editor;
	const servers = { one: smallEntry(folder.file("one.log")), two: smallEntry(folder.file("two.log")) };
	await editor.writeSettings({ ...followsColorScheme, "mcpHost.servers": servers });
	await editor.reload();
	await tree.open(container);
	await tree.waitForSpoken("one", /unapproved/);
	await palette.run("MCP Host: Start All Servers");
	await editors.waitForActive("Review Waiting Servers");
	const panel = await editor.webview.document("waiting for your approval");
	for (const name of ["one", "two"]) await panel.getByRole("checkbox", { name: new RegExp(`^${name}`) }).check();
	await panel.getByRole("button", { name: /^Approve and Start/ }).click();
	for (const name of ["one", "two"]) await tree.waitForRunning(name);

	await palette.run("MCP Host: Stop All Servers");
	for (const name of ["one", "two"]) await tree.waitForSpoken(name, /stopped/);
	await palette.run("MCP Host: Start All Servers");
	for (const name of ["one", "two"]) await tree.waitForRunning(name);
});

test("Manage Servers offers the actions of a server's row menu", async () => {
	const { palette, tree } = editor;
	await palette.run("MCP Host: Manage Servers…");
	await palette.pick("one");
	await palette.waitForTitle("one");
	const offered = (await palette.rows()).map(({ label }) => label);
	expect(offered).toEqual(expect.arrayContaining(["Stop Server", "Restart Server", "Edit Server…", "Show Log"]));
	await takePictures(editor, "palette-manage-server");
	await palette.pick("Stop Server");
	await tree.waitForSpoken("one", /stopped/);
});

test("Copy Diagnostics copies versions and states, and neither names nor arguments of servers", async () => {
	const { palette, dialogs } = editor;
	await palette.run("MCP Host: Copy Diagnostics");
	await dialogs.waitForNotification("Copied the diagnostics");
	const copied = await editor.page.evaluate<string>("navigator.clipboard.readText()");
	expect(copied).toMatch(/^## MCP Host Diagnostics\n\nMCP Host \d+\.\d+\.\d+ · VS Code /);
	expect(copied).toContain("- stdio server of user-settings, stopped");
	expect(copied).toContain("- mcpHost.servers (user): 2 entries");
	for (const hidden of ["two.log", "127.0.0.1"]) expect(copied).not.toContain(hidden);
});
