/** Stories of named calls: run from the Test Explorer and the palette, asked about, and saved from a run. */
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { clicks, patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const calls = `{
	"version": 1,
	"calls": {
		"Adds two numbers": {
			"server": "small",
			"tool": "add",
			"arguments": { "a": 2, "b": 3 },
			"expect": { "structuredContent": { "at": { "/sum": 5 } } },
		},
		"Says what it was told": {
			"server": "small",
			"tool": "echo",
			"arguments": { "text": "hello" },
			"expect": {
				"text": { "equals": "good bye" },
			},
		},
	},
}
`;

let folder: TestFolder;
let editor: RunningEditor;
beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({
		workspace: await folder.workspace("shop", { "shop.mcp-calls.json": calls }),
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

/** The names of the tools that the server was called with so far. */
function called(): readonly string[] {
	return messagesOf(readReceived(folder.file("small.log")), "tools/call").map(
		({ params }) => (params as JsonObject)["name"] as string,
	);
}

/** The review of a run, once it is the visible panel. */
async function review(title: string): Promise<FrameLocator> {
	await editor.editors.waitForActive(title);
	const document = await editor.webview.document(title);
	await document.locator("#none:focus").waitFor({ timeout: patience });
	return document;
}

/** The row of a test with the icon of this state. */
function row(name: string, state: "passed" | "failed" | "error"): Locator {
	const icon = editor.page.locator(`.codicon-testing-${state}-icon`);
	return editor.page.locator(".test-explorer .monaco-list-row", { hasText: name }).filter({ has: icon });
}

/** Shows the tests of the file in the Test Explorer. */
async function showTests(): Promise<void> {
	await editor.palette.run("Testing: Focus on Test Explorer View");
	const suite = editor.page.locator(".test-explorer .monaco-list-row", { hasText: "shop.mcp-calls.json" });
	await suite.waitFor({ timeout: patience });
	const first = editor.page.locator(".test-explorer").getByText("Adds two numbers");
	await waitForCondition("The tests of the file", async () => {
		if ((await suite.getAttribute("aria-expanded")) !== "true") await clicks(suite.locator(".monaco-tl-twistie"));
		return succeeds(first.waitFor({ timeout: 3000 }));
	});
}

test("the Test Explorer runs a file's calls after one question, and shows expected and actual results side by side (CAL-07)", async () => {
	await showTests();
	await editor.palette.run("Test: Run All Tests");
	const asked = await review("Run 2 Calls?");
	const text = await asked.locator("main").innerText();
	expect(text).toContain("small · tool add");
	expect(text).toContain('"text": "hello"');
	expect(called()).toEqual([]);
	await takePictures(editor, "named-calls-review");
	await asked.getByRole("button", { name: "Run Once" }).click();
	await row("Adds two numbers", "passed").waitFor({ timeout: patience });
	await row("Says what it was told", "failed").waitFor({ timeout: patience });
	expect(called()).toEqual(["add", "echo"]);

	const results = editor.page.locator(".part.panel");
	const failure = results.locator(".monaco-list-row", { hasText: "Says what it was told" }).first();
	const sides = async (): Promise<string> => {
		await clicks(failure);
		return (await results.first().innerText()).replaceAll("\u00a0", " ");
	};
	await expect.poll(sides, { timeout: patience }).toMatch(/good bye[^]*hello/);
	await takePictures(editor, "named-calls-difference");
	await editor.page.keyboard.press("Escape");
	await editor.closeEverything();
});

test("a failed call links to its exchange in the trace (TRC-40)", async () => {
	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Says what it was told");
	await (await review("Run 1 Call?")).getByRole("button", { name: "Run Once" }).click();
	const panel = editor.page.locator(".part.panel");
	const failure = panel.locator(".monaco-list-row", { hasText: "Says what it was told" }).first();
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
	const before = called().length;
	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds two numbers");
	await (await review("Run 1 Call?")).getByRole("button", { name: "Run None" }).click();
	await row("Adds two numbers", "error").waitFor({ timeout: patience });
	expect(called().length).toBe(before);

	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds two numbers");
	await (await review("Run 1 Call?")).getByRole("button", { name: "Run and Allow While Unchanged" }).click();
	await row("Adds two numbers", "passed").waitFor({ timeout: patience });
	expect(called().length).toBe(before + 1);

	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds two numbers");
	await expect.poll(() => called().length, { timeout: patience }).toBe(before + 2);
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
	await editor.palette.choose("shop.mcp-calls.json");
	await editor.palette.enter("Adds more");
	await editor.palette.choose("The Whole Structured Content");
	await editor.editors.waitForActive("shop.mcp-calls.json");
	await editor.editors.waitForText(/"Adds more"/);
	await showTests();
	expect(await editor.editors.text()).toContain('"equals": {');
	await editor.palette.runAndPick("MCP Host: Run Named Call…", "Adds more");
	await (await review("Run 1 Call?")).getByRole("button", { name: "Run Once" }).click();
	await row("Adds more", "passed").waitFor({ timeout: patience });
	await takePictures(editor, "named-calls-saved");
});
