/** Stories of servers that wait for approval: each leads to its review, several to one, and nothing runs before. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience, press } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({
		settings: { ...followsColorScheme, "mcpHost.servers": { own: smallEntry(folder.file("own.log")) } },
	});
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/** The panel with all servers that wait. */
async function waitingPanel(): Promise<FrameLocator> {
	await editor.editors.waitForActive("Review Waiting Servers");
	return editor.webview.document("waiting for your approval");
}

const mayRun = (name: string): boolean => existsSync(folder.file(`${name}.log`));

test("several servers that wait are one number in the status bar and one review; what is ticked there starts, and nothing else (FST-06, FST-07)", async () => {
	const { tree, page } = editor;
	const file = path.join(editor.workspaceFolder, ".mcp.json");
	const first = smallEntry(folder.file("first.log"));
	const remote = {
		type: "http",
		url: "https://mcp.example.com/mcp",
		headers: { Authorization: "Bearer ${input:x}" },
	};
	await writeContent(file, { mcpServers: { first, remote } });
	await tree.open(container);
	// Of several places each row says its own.
	await tree.waitForSpoken("own", /unapproved, User Settings/);
	await tree.waitForSpoken("first", /unapproved, \.mcp\.json in /);
	await editor.waitForStatus("MCP 3 to approve");
	// No notification stands in the way, or is left when the servers run.
	expect(await page.locator(".notification-toast").count()).toBe(0);
	await takePictures(editor, "waiting-status");

	const inStatusBar = page.locator(".part.statusbar .statusbar-item").filter({ hasText: "MCP 3 to approve" }).first();
	await press(inStatusBar);
	let panel = await waitingPanel();
	expect(await panel.locator(".server input:checked").count()).toBe(0);
	expect(await panel.getByRole("button", { name: /^Approve and Start/ }).isDisabled()).toBe(true);
	const text = await panel.locator("main").innerText();
	for (const part of ["User Settings", ".mcp.json in", folder.file("first.log"), "https://mcp.example.com/mcp"])
		expect(text).toContain(part);
	expect(text).toContain("It does not run on this machine. MCP Host connects to mcp.example.com");
	await takePictures(editor, "waiting-review");
	// Closing approves none.
	await panel.getByRole("button", { name: "Not Now" }).press("Enter");
	await expect.poll(() => editor.editors.titles()).not.toContain("Review Waiting Servers");
	await tree.waitForDescription("own", /^unapproved/);

	await press(inStatusBar);
	panel = await waitingPanel();
	await panel.getByRole("checkbox", { name: /^own/ }).check();
	await panel.getByRole("checkbox", { name: /^first/ }).check();
	await editor.screenshot("waiting-ticked");
	await press(panel.getByRole("button", { name: "Approve and Start 2 of 3" }));
	await tree.waitForRunning("own");
	await tree.waitForRunning("first");
	expect((await tree.read("remote")).description).toMatch(/^unapproved/);
	await editor.waitForStatus("MCP 1 to approve");
});

test("a click on a row that waits opens its review, which says for a URL what a URL means (FST-09)", async () => {
	const { tree } = editor;
	const file = path.join(editor.workspaceFolder, ".mcp.json");
	await writeContent(file, { mcpServers: { address: { type: "http", url: "https://mcp.example.com/mcp" } } });
	await tree.open(container);
	await tree.waitForDescription("address", /^unapproved/);
	await tree.click("address");
	const panel = await ServerReviewPanel.of(editor, "address");
	const text = await panel.text();
	expect(text).toContain("Connect to this server?");
	expect(text).not.toContain("your permissions");
	expect(await panel.document.getByRole("button").allInnerTexts()).toEqual(["Approve and Connect", "Don't Connect"]);
	await takePictures(editor, "waiting-url");
	await panel.button("Don't Start").click();
	await tree.waitForDescription("address", /^unapproved/);
});

test("the log of a server that never ran says how it stands, and that of the host what was found (FST-08)", async () => {
	const { tree, palette, page } = editor;
	const file = path.join(editor.workspaceFolder, ".mcp.json");
	await writeContent(file, { mcpServers: { quiet: smallEntry(folder.file("quiet.log")) } });
	await tree.open(container);
	await tree.waitForDescription("quiet", /^unapproved/);
	await editor.dialogs.clearNotifications();
	await tree.inlineAction("quiet", "Show Log");
	const output = page.locator(".part.panel .view-lines");
	await output
		.filter({ hasText: /The.log.is.empty\..State.of.the.server:.waits.for.approval/ })
		.waitFor({ timeout: patience });
	await palette.run("Output: Show Output Channels...");
	await palette.pick("MCP Host");
	await output.filter({ hasText: /configured\./ }).waitFor({ timeout: patience });
	await editor.screenshot("log-first-lines");
});

test("the demo stays one click away where a folder defines servers, and so does the chat", async () => {
	const entry = smallEntry(folder.file("beside.log"));
	await using window = disposable(
		await editor.newWindow(await folder.workspace("beside", { ".mcp.json": { mcpServers: { beside: entry } } })),
	);
	await window.tree.open(container);
	await window.tree.waitForDescription("beside", /^unapproved/);
	await window.tree.waitForSpoken("own", /, (running|waits for approval)/);
	// Who has servers of their own that run finds the demo in the menu of the view.
	if ((await window.tree.read("own")).accessibleName.startsWith("own, running")) {
		await window.tree.inlineAction("own", "Stop Server");
		await window.tree.waitForDescription("own", /^stopped/);
	}
	await window.tree.titleAction("Open Chat");
	await window.chat.waitForInput("@mcp");
	await window.dialogs.clearNotifications();
	await window.tree.titleAction("Try the Demo Server");
	await window.tree.waitForRunning("travel");
	await window.chat.waitForInput("Barcelona for two");
	await takePictures(window, "demo-beside");
	expect(mayRun("beside")).toBe(false);
});

function disposable(window: Workbench): Workbench & AsyncDisposable {
	return Object.assign(window, { [Symbol.asyncDispose]: () => window.close() });
}
