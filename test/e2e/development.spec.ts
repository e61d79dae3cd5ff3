/** The story of a server that is watched and debugged while it is built. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { edit, source } from "./fixtures/greetServer.ts";
import { container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({ settings: followsColorScheme, size: { width: 1440, height: 900 } });
});
afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

test("with dev.watch a saved file restarts the server, and Debug Server attaches a debugger", async () => {
	const entry = { command: process.execPath, args: ["server.mjs"], dev: { watch: "*.mjs", debug: { type: "node" } } };
	const files = { "server.mjs": source("Hello, "), ".vscode/mcp.json": { servers: { orders: entry } } };
	const window = await editor.newWindow(await folder.workspace("wsC", files));
	await window.tree.open(container);
	await window.tree.click("orders");
	const review = await ServerReviewPanel.of(window, "orders");
	expect((await review.row("Debug Server adds")).values).toEqual(["--inspect=127.0.0.1:(a free port)"]);
	expect(await review.text()).toContain("Debug Server opens a debugger port on this machine.");
	await takePictures(window, "development-review");
	await review.button("Approve and Start").click();
	await window.tree.waitForRunning("orders");
	await edit(window, source("Hello, ", "Greets someone anew."));
	await window.tree.waitForSpoken("orders", "since restart: 1 tool changed");

	await window.tree.contextMenu("orders", "Debug Server");
	await window.page.locator(".debug-toolbar:visible").waitFor({ timeout: patience });
	await window.tree.waitForRunning("orders");
	await takePictures(window, "development-debug");
	await window.tree.inlineAction("orders", "Stop Server");
	await window.page.locator(".debug-toolbar:visible").waitFor({ state: "hidden", timeout: patience });
});
