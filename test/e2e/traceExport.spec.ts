/** Stories of exporting a trace, whose contents are shown before it is saved, and of opening one again (TRC-07, TRC-42). */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeTrace } from "../../src/records/trace/traceFile.ts";
import { type HttpServer, startHttpServer } from "../servers/httpServer.ts";
import { fillScene, sceneStart, SceneTrace } from "../unit/records/trace/exchangeScene.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { chooseInMenu, chooseInToolbar, clicks, patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let http: HttpServer;
let editor: RunningEditor;
beforeAll(async () => {
	http = await startHttpServer();
	editor = await startEditorWithVsix({
		settings: { ...followsColorScheme, "mcpHost.trace": "bodies", "mcpHost.servers": { small: { url: http.url } } },
	});
	await editor.tree.open(container);
	await approve(editor, "small");
});
afterAll(async () => {
	await editor?.stop();
	await http?.[Symbol.asyncDispose]();
});

/** The server's description of one of its tools. */
const description = "Says what you said.";

test("a trace is shown whole before it is saved: without contents, and with them", async () => {
	const { palette, editors, page, dialogs } = editor;
	await editor.tree.expand(["small", "Tools"]);
	await palette.runAndPick("MCP Host: Export Trace…", "Metadata Only");
	await editors.waitForText('"contents":"metadata"');
	const metadata = await editors.text();
	expect(metadata).toContain('"method":"tools/list"');
	expect(metadata).not.toContain(description);
	await page
		.getByText(/Exactly this will be saved: \d+ exchanges of 1 server/)
		.first()
		.waitFor({ timeout: patience });
	await takePictures(editor, "trace-export");
	await palette.runAndPick("MCP Host: Export Trace…", "With Contents");
	await editors.waitForText('"contents":"contents"');
	expect(await editors.text()).toContain(description);
	await palette.runAndPick("MCP Host: Export Trace…", "HTTP Requests");
	await editors.waitForText('"creator"');
	expect(await editors.text()).toContain(http.url);
	await palette.run("MCP Host: Show Trace");
	await chooseInToolbar(page.locator(".part.panel"), "Save as Mock Server…");
	await palette.pick("small");
	await editors.waitForText('"contents":"contents"');
	expect(await editors.text()).toContain('"method":"server/discover"');
	await palette.run("View: Hide Panel");
	// The toast goes, and the button of the editor stays as long as the document is open (FST-15).
	await dialogs.clearNotifications();
	const save = page.locator(".part.editor .editor-actions").getByRole("button", { name: "Save…" });
	await save.first().waitFor({ timeout: patience });
	await takePictures(editor, "trace-offered");
	await editors.titleAction("Save…");
	await expect.poll(() => palette.input.inputValue(), { timeout: patience }).toMatch(/\/mcp-server\.jsonl$/);
	const target = join(editor.workspaceFolder, "mcp-server.jsonl");
	await palette.fill(target);
	await palette.acceptRow();
	await editors.waitForActive("mcp-server.jsonl");
	expect(await readFile(target, "utf8")).toContain('"method":"server/discover"');
	await save.waitFor({ state: "hidden", timeout: patience });
});

/** Opens a file of the folder as a trace, by the explorer's menu. */
async function openFromExplorer(file: string): Promise<void> {
	await editor.palette.run("View: Show Explorer");
	const row = editor.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: file });
	const item = editor.page.getByRole("menuitem", { name: "Open Trace File…" });
	await chooseInMenu(item, () => clicks(row, { button: "right", timeout: 3000 }));
}

test("an exported trace opens again beside the other editors, and links to no server (TRC-42)", async () => {
	const { palette, editors, page, dialogs } = editor;
	await palette.runAndPick("MCP Host: Export Trace…", "Spans");
	await editors.waitForText('"resourceSpans"');
	const scene = new SceneTrace();
	fillScene(scene);
	const options = {
		contents: "contents",
		host: "MCP Host 1.2.3",
		now: sceneStart,
		home: "/home/ann",
		redactor: { redact: (text: string) => text },
	} as const;
	await writeFile(join(editor.workspace, "report.jsonl"), `${writeTrace(scene, options).text}{"cut`);
	await writeFile(join(editor.workspace, "foreign.jsonl"), '{"level":"info"}\n');

	await openFromExplorer("report.jsonl");
	await editors.waitForActive("report.jsonl");
	const view = await editor.webview.documentWith("#grid");
	await view.getByText("report.jsonl, written by MCP Host 1.2.3").waitFor({ timeout: patience });
	await view.getByText("1 of its lines could not be read").waitFor({ timeout: patience });
	await view.getByRole("button", { name: "Errors" }).click();
	// The rows move when they are filtered.
	await view.getByText("5 of 12 exchanges").waitFor({ timeout: patience });
	const detail = view.locator("#detail");
	await waitForCondition("What the push was told", async () => {
		// The elements of rows are reused while the list changes.
		await clicks(view.locator(".line", { hasText: "tools/call push" }));
		return succeeds(detail.getByText("Error of the tool: Rejected: not a fast-forward").waitFor({ timeout: 3000 }));
	});
	expect(await detail.getByRole("button", { name: "Run Again…" }).count()).toBe(0);
	await takePictures(editor, "trace-file");
	await detail.getByRole("button", { name: "Open Answer" }).click();
	await editors.waitForText("not a fast-forward");

	await openFromExplorer("foreign.jsonl");
	await dialogs.waitForNotification("foreign.jsonl cannot be opened as a trace: This file is not a trace of MCP Host.");
	await page.keyboard.press("Escape");
});
