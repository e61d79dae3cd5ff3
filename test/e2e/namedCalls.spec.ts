/** Stories of named calls: run from the Test Explorer and the palette, asked about, and saved from a run. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { callsFile, callsReview, namedCalls, showTests, testRow } from "./fixtures/namedCalls.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { callsIn } from "./fixtures/toolRuns.ts";
import { clicks, patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;
beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({
		workspace: await folder.workspace("shop", { [callsFile]: namedCalls }),
		settings: { ...followsColorScheme, "mcpHost.servers": { small: smallEntry(folder.file("small.log")) } },
		size: { width: 1440, height: 900 },
	});
	await editor.tree.open(container);
	await approve(editor, "small");
});
afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/** How many calls the server received so far. */
function calls(): number {
	return callsIn(folder.file("small.log")).length;
}

test("a failed call links to its exchange in the trace (TRC-40)", async () => {
	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Repeats the text");
	await (await callsReview(editor, "Run 1 Call?")).getByRole("button", { name: "Run Once" }).click();
	await editor.palette.run("Test Results: Focus on Test Results View");
	const panel = editor.page.locator(".part.panel");
	const failure = panel.locator(".monaco-list-row", { hasText: "Repeats the text" }).first();
	const button = panel.locator(".floating-click-widget", { hasText: "Show Call in Trace" });
	await waitForCondition("The message of the failure", async () => {
		await clicks(failure);
		return succeeds(button.waitFor({ timeout: 3000 }));
	});
	await takePictures(editor, "named-calls-show-in-trace");
	await waitForCondition("The click", () => clicks(button));
	const trace = await editor.webview.documentWith("#grid");
	await trace.locator(".line[aria-selected=true]", { hasText: "tools/call echo" }).waitFor({ timeout: patience });
	await takePictures(editor, "named-calls-trace");
	await editor.closeEverything();
});

test("Run None sends nothing; a call allowed while unchanged is not asked about again", async () => {
	await showTests(editor);
	const before = calls();
	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds two numbers");
	await (await callsReview(editor, "Run 1 Call?")).getByRole("button", { name: "Run None" }).click();
	await testRow(editor, "Adds two numbers", "error").waitFor({ timeout: patience });
	expect(calls()).toBe(before);

	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds two numbers");
	const asked = await callsReview(editor, "Run 1 Call?");
	await asked.getByRole("button", { name: "Run and Allow While Unchanged" }).click();
	await testRow(editor, "Adds two numbers", "passed").waitFor({ timeout: patience });
	expect(calls()).toBe(before + 1);

	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds two numbers");
	await expect.poll(() => calls(), { timeout: patience }).toBe(before + 2);
	expect(await editor.editors.titles()).not.toContain("Run 1 Call?");
	await editor.palette.run("MCP Host: Manage Rules and Grants…");
	await editor.palette.waitForRow(/add of small with exactly/);
	await editor.palette.cancel();
});

test("a run is saved as a named call with an expectation from its result (CAL-08)", async () => {
	await editor.tree.open(container);
	await editor.tree.expand(["small", "Tools"]);
	await editor.tree.click(["small", "Tools", "Add Numbers"]);
	await editor.editors.waitForActive("Run add");
	const form = await editor.webview.document("Run add");
	await form
		.getByRole("spinbutton", { name: "a" })
		.or(form.getByRole("textbox", { name: "a" }))
		.first()
		.fill("4");
	await form
		.getByRole("spinbutton", { name: "b" })
		.or(form.getByRole("textbox", { name: "b" }))
		.first()
		.fill("5");
	await form.locator("#submit").click();
	await editor.editors.waitForActive("Tool: add");
	const panel = await editor.webview.document("Done.");
	await panel.getByRole("button", { name: "Save as Named Call…" }).click();
	await editor.palette.choose(callsFile);
	await editor.palette.enter("Adds more");
	await editor.palette.choose("The Whole Structured Content");
	await editor.editors.waitForActive(callsFile);
	await editor.editors.waitForText(/"Adds more"/);
	await showTests(editor);
	expect(await editor.editors.text()).toContain('"equals": {');
	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds more");
	await (await callsReview(editor, "Run 1 Call?")).getByRole("button", { name: "Run Once" }).click();
	await testRow(editor, "Adds more", "passed").waitFor({ timeout: patience });
	await takePictures(editor, "named-calls-saved");
});
