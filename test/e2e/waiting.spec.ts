/** Stories of servers that wait for approval: each links to its review, several to one, and nothing runs before. */
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { container, reviewWaiting, ServerReviewPanel } from "./fixtures/serverReview.ts";
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

const mayRun = (name: string): boolean => existsSync(folder.file(`${name}.log`));

test("several waiting servers are one number in the status bar and one review; only ticked servers start (FST-06, FST-07)", async () => {
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
	// With several places, each row names its own.
	await tree.waitForSpoken("own", /unapproved, User Settings/);
	await tree.waitForSpoken("first", /unapproved, \.mcp\.json in /);
	await editor.waitForStatus("MCP 3 to approve");
	// No notification covers the view, or is left when the servers run.
	expect(await page.locator(".notification-toast").count()).toBe(0);
	await takePictures(editor, "waiting-status");

	let panel = await reviewWaiting(editor);
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

	panel = await reviewWaiting(editor);
	await panel.getByRole("checkbox", { name: /^own/ }).check();
	await panel.getByRole("checkbox", { name: /^first/ }).check();
	await editor.screenshot("waiting-ticked");
	await press(panel.getByRole("button", { name: "Approve and Start 2 of 3" }));
	await tree.waitForRunning("own");
	await tree.waitForRunning("first");
	expect((await tree.read("remote")).description).toMatch(/^unapproved/);
	await editor.waitForStatus("MCP 1 to approve");
});

test("a click on a waiting row opens its review, which explains what a URL means (FST-09)", async () => {
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

test("the log of a server that never ran shows its state, and that of the host the found files (FST-08)", async () => {
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

test("the demo is one click away where a folder defines servers, and so is the chat", async () => {
	const entry = smallEntry(folder.file("beside.log"));
	await using window = disposable(
		await editor.newWindow(await folder.workspace("beside", { ".mcp.json": { mcpServers: { beside: entry } } })),
	);
	await window.tree.open(container);
	await window.tree.waitForDescription("beside", /^unapproved/);
	await window.tree.waitForSpoken("own", /, (running|waits for approval)/);
	// With the user's own servers running, the demo is in the menu of the view.
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
