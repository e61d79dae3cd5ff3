/** The story of a user who builds a server: its command is pasted, a tool is run, the source is edited, and the new result is one click away. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";

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

/** A server as one begins to write it: a file, without any package. */
function source(greeting: string, description = "Greets someone by name."): string {
	return `import { createInterface } from "node:readline";

const tool = {
	name: "greet",
	description: ${JSON.stringify(description)},
	inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

function answer(method, params) {
	if (method === "initialize") {
		const { protocolVersion } = params;
		return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "orders", version: "1.0.0" } };
	}
	if (method === "tools/list") return { tools: [tool] };
	if (method !== "tools/call") return undefined;
	console.error("greeting " + params.arguments.name);
	return { content: [{ type: "text", text: ${JSON.stringify(greeting)} + params.arguments.name }] };
}

createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	const result = answer(method, params);
	const message = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
	console.log(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
});
`;
}

/** Opens the source in the editor, writes another text into it and saves it, as its author does. */
async function edit(window: Workbench, text: string): Promise<void> {
	await window.page.keyboard.press("ControlOrMeta+p");
	await window.palette.input.fill("server.mjs");
	await window.palette.choose("server.mjs");
	await window.editors.waitForActive("server.mjs");
	await window.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await window.page.locator(".editor-instance .monaco-editor.focused").waitFor({ timeout: patience });
	for (const key of ["a", "v", "s"]) await window.page.keyboard.press(`ControlOrMeta+${key}`);
}

/** The panel of the tool's run, once it shows this text. */
async function result(window: Workbench, text: string): Promise<FrameLocator> {
	await window.editors.waitForActive("Tool: greet");
	const document = await window.webview.documentWith(".standing-sentence");
	await document.locator("main", { hasText: text }).waitFor({ timeout: patience });
	return document;
}

test("I am building a server: its command is pasted, and an edit of its file is one click from its new result (ADD-08)", async () => {
	const files = {
		"server.mjs": source("Hello, "),
		"package.json": { name: "@acme/orders", private: true },
	};
	const window = await editor.newWindow(await folder.workspace("wsB", files));
	// The window has a copy of it.
	const { workspaceFolder: workspace } = window;
	await window.tree.open(container);
	await window.tree.welcomeButton("New Server from Template…").waitFor({ timeout: patience });
	await window.screenshot("development-empty");
	await window.tree.welcomeButton("Add Servers…").click({ timeout: patience });
	await window.editors.waitForActive("Add Servers");
	const adding = await window.webview.document("Paste the instructions from the server's page");
	await adding.locator("#text:focus").waitFor({ timeout: patience });
	await adding.locator("#text").fill("node server.mjs");
	await adding.getByText("It runs in wsB, which has “server.mjs”.").waitFor({ timeout: patience });
	expect(await adding.locator("#place option:checked").innerText()).toBe(".vscode/mcp.json in wsB");
	await takePictures(window, "development-add");
	await adding.getByRole("button", { name: "Add and Review…" }).click();

	const review = await ServerReviewPanel.of(window, "orders");
	expect((await review.row("Working directory")).values).toEqual([workspace]);
	await review.button("Approve and Start").click();
	expect(JSON.parse(await readFile(path.join(workspace, ".vscode/mcp.json"), "utf8"))).toMatchObject({
		servers: { orders: { command: "node", args: ["server.mjs"] } },
	});

	await window.tree.row(["orders", "Tools", "greet"]);
	await window.tree.click(["orders", "Tools", "greet"]);
	await window.editors.waitForActive("Run greet");
	const form = await window.webview.document("Run greet");
	await form.locator("#submit").waitFor({ timeout: patience });
	await form.getByRole("textbox", { name: "name" }).fill("Ann");
	await form.locator("#submit").click();
	const first = await result(window, "Hello, Ann");
	await first.getByRole("group", { name: "Log of this call" }).getByText("greeting Ann").waitFor({ timeout: patience });

	await edit(window, source("Good day, "));
	await window.tree.waitForDescription("orders", "server.mjs changed · Restart");
	await window.editors.activate("Tool: greet");
	await first.getByText("server.mjs changed since the server started.").waitFor({ timeout: patience });
	await takePictures(window, "development-changed");
	await first.getByRole("button", { name: "Restart and Run Again" }).click();
	await result(window, "Good day, Ann");
	await takePictures(window, "development-result");

	// From the source, one key does the same; what a restart changed is on the row.
	await edit(window, source("Good evening, "));
	await window.tree.waitForDescription("orders", "server.mjs changed · Restart");
	await window.page.keyboard.press("ControlOrMeta+k");
	await window.page.keyboard.press("Shift+r");
	await result(window, "Good evening, Ann");

	await edit(window, source("Good evening, ", "Greets someone in the evening."));
	await window.tree.waitForDescription("orders", "server.mjs changed · Restart");
	await window.tree.inlineAction("orders", "Restart Server");
	await window.tree.waitForSpoken("orders", "since restart: 1 tool changed");
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
