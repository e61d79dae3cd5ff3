/** Stories of filling in a prompt: from other sources, as a form, by keyboard, and in a window that is not trusted. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { libraryEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { patience, succeeds, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ library: (log) => libraryEntry(log, "--prompts", "10000") }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The arguments of the requested prompts, oldest first. */
function fetched(): readonly JsonObject[] {
	return story
		.received("library", "prompts/get")
		.map(({ params }) => (params as JsonObject)["arguments"] as JsonObject);
}

/** The completion requests: the argument and its context. */
function completed(): readonly (readonly [unknown, unknown])[] {
	return story.received("library", "completion/complete").map(({ params }) => {
		const { argument, context } = params as { readonly argument: JsonObject; readonly context?: JsonObject };
		return [argument["name"], context?.["arguments"]];
	});
}

/** Opens the command and chooses a prompt. */
async function choosePrompt(title: string): Promise<void> {
	const { palette } = story.editor;
	await palette.run("MCP Host: Run Prompt…");
	await palette.fill(title);
	await palette.choose(title);
}

/** The rows below the first, whose texts are beside their labels. */
async function offered(): Promise<readonly string[]> {
	return (await story.editor.palette.rows()).slice(1).map(({ description }) => description);
}

/** Chooses the row whose text contains this. */
async function take(text: string): Promise<void> {
	await story.editor.palette.pickText(text);
}

/** Enters values step by step: an Enter at the moment when an answer of the server moves the rows is ignored. */
async function enterSteps(...values: readonly string[]): Promise<void> {
	const { palette } = story.editor;
	for (const value of values) {
		await palette.fill(value);
		await palette.acceptRow();
	}
}

/** Closes the preview that a story has opened. */
async function closePreview(): Promise<void> {
	const { webview, page } = story.editor;
	const send = (await webview.document("Prompt:")).getByRole("button", { name: "Insert into Chat" });
	const panel = page.locator("iframe.webview").filter({ visible: true }).first();
	await waitForCondition("The end of the preview", async () => {
		// An editor that has just opened may take the focus, and the key with it.
		await succeeds(send.press("Escape", { timeout: 2000 }));
		return succeeds(panel.waitFor({ state: "hidden", timeout: 3000 }));
	});
}

beforeEach(async () => {
	await story.editor.dialogs.clearNotifications();
});

test("BLT-28: any of 10,000 prompts is found by its words, and the list shows how many more there are", async () => {
	const { palette } = story.editor;
	await palette.run("MCP Host: Run Prompt…");
	await palette.waitForRow("Recommend a Book");
	await palette.fill("library 7777 prompt");
	await expect.poll(async () => (await palette.rows()).map(({ label }) => label)).toEqual(["Prompt 7777"]);
	await palette.fill("one of many");
	await palette.waitForRow("Prompt 11");
	await palette.waitForTitle("Run Prompt (9,800 more: type to find them)");
	await story.editor.screenshot("prompt-list-many");
	await palette.cancel();
});

test("values come from the selection, the file and a command, and arrive exactly", async () => {
	const { editor } = story;
	const { palette, page } = editor;
	await editor.newFile();
	await page.keyboard.type("first line");
	await page.keyboard.press("Enter");
	await page.keyboard.type("  second é");
	await page.keyboard.press("Shift+Home");
	await page.keyboard.press("Shift+Home");
	const before = fetched().length;

	await choosePrompt("Recommend a Book");
	await palette.waitForTitle("Recommend a Book (1/4)");
	await expect
		.poll(offered)
		.toEqual([
			"18th",
			"19th",
			"20th",
			expect.stringMatching(/Editor Selection {2}“second é” · 10 characters$/),
			expect.stringMatching(/Current File {2}Untitled-\d · “first line” · 2 lines, 21 characters$/),
			expect.stringContaining("Clipboard"),
			expect.stringContaining("Output of a Command…"),
		]);
	await takePictures(editor, "prompt-fills");
	// "Clip" is part of the name of a place: the typed text is used nevertheless.
	await palette.input.pressSequentially("19th");
	await palette.acceptRow();
	await palette.waitForTitle("(2/4)");
	await expect.poll(offered).toContain("Jane Austen");
	expect(completed()).toContainEqual(["author", { century: "19th" }]);
	await take("Editor Selection");
	await palette.waitForTitle("(3/4)");
	await take("Current File");
	await palette.waitForTitle("(4/4)");

	// Back shows a text of several lines on one, and keeps it.
	await palette.pressButton("Back");
	await palette.waitForTitle("(3/4)");
	await expect.poll(() => palette.input.inputValue()).toBe("first line⏎  second é");
	await editor.screenshot("prompt-many-lines");
	await palette.acceptRow();
	await palette.waitForTitle("(4/4)");

	await take("Output of a Command…");
	await palette.waitForTitle("Output of a Command…");
	await palette.enter("exit 4");
	await palette.waitForTitle("(4/4)");
	await palette.widget.getByText("The command failed with exit code 4.").waitFor({ timeout: patience });
	await take("Output of a Command…");
	await palette.waitForTitle("Output of a Command…");
	await palette.enter("printf 'one\\n\\ttwo\\n\\n'");
	await editor.webview.document("Prompt: Recommend a Book");
	expect(fetched().slice(before)).toEqual([
		{ century: "19th", author: "  second é", book: "first line\n  second é", tone: "one\n\ttwo\n\n" },
	]);
	await closePreview();
});

test("values from earlier runs are offered and can be forgotten", async () => {
	const { palette } = story.editor;
	for (const author of ["Ann Radcliffe", "Karel Čapek"]) {
		await choosePrompt("Recommend a Book");
		await enterSteps("21st", author, "", "");
		await closePreview();
	}
	await choosePrompt("Recommend a Book");
	await enterSteps("20th");
	await palette.waitForTitle("(2/4)");
	// The server suggests one of them as well.
	await expect.poll(offered).toContain("Ann Radcliffe");
	await palette.fill("ann");
	await palette.widget.locator(".monaco-list-row", { hasText: "Ann Radcliffe" }).first().waitFor();
	await story.editor.screenshot("prompt-recent-values");
	const isForgotten = async (): Promise<boolean> => !(await offered()).includes("Ann Radcliffe");
	await palette.pressRowButton("Ann Radcliffe", "Forget This Value", isForgotten);
	await palette.cancel();
});

test("a prompt's form offers earlier values, completion with context, fills and missing values by keyboard", async () => {
	const { editor } = story;
	const { palette, page } = editor;
	const before = fetched().length;
	await choosePrompt("Recommend a Book");
	await palette.waitForTitle("(1/4)");
	await palette.input.pressSequentially("18th");
	await palette.pressButton("Fill In as a Form");
	const form = await editor.webview.document("Arguments of Recommend a Book");
	const field = (name: string): Locator => form.getByRole("combobox", { name }).or(form.getByRole("textbox", { name }));
	await expect.poll(() => field("century").first().inputValue()).toBe("18th");
	// Required and empty: the form goes to the first field that lacks something.
	await field("century").first().focus();
	await page.keyboard.press("ControlOrMeta+Enter");
	await form.getByText("author is required").waitFor({ timeout: patience });
	await waitForCondition("The focus on the author", () =>
		field("author")
			.first()
			.evaluate((element: unknown) => (element as { matches(selector: string): boolean }).matches(":focus")),
	);
	await page.keyboard.type("Laur");
	// On its own: the list for fewer letters may be longer.
	const options = async (): Promise<readonly string[]> =>
		(await form.getByRole("option").allInnerTexts()).map((text) => text.trim());
	await expect.poll(options, { timeout: patience }).toEqual(["Laurence Sterne"]);
	expect(completed()).toContainEqual(["author", { century: "18th" }]);
	await takePictures(editor, "prompt-form");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await expect.poll(() => field("author").first().inputValue()).toBe("Laurence Sterne");
	await page.keyboard.press("ControlOrMeta+Enter");
	await editor.webview.document("Prompt: Recommend a Book");
	expect(fetched().slice(before)).toEqual([{ century: "18th", author: "Laurence Sterne" }]);
	await closePreview();
});

test("every control of the steps and the preview has an accessible name", async () => {
	const { editor } = story;
	const { palette } = editor;
	await choosePrompt("Recommend a Book");
	await palette.waitForTitle("(1/4)");
	await palette.widget.getByRole("button", { name: "Fill In as a Form" }).waitFor({ timeout: patience });
	const clipboard = palette.widget.getByRole("option", { name: /Clipboard/ });
	await clipboard.first().waitFor({ timeout: patience });
	await palette.cancel();
	await choosePrompt("Gallery");
	const preview = await editor.webview.document("Prompt: Gallery");
	await preview.getByRole("region", { name: "Message 1, User" }).waitFor({ timeout: patience });
	const nameless = await preview.locator("body").evaluate((body: unknown) => {
		const page = body as { querySelectorAll(selector: string): Iterable<PageControl> };
		return [...page.querySelectorAll("button, textarea, img, audio, [tabindex]")]
			.filter(({ textContent, labels, ariaLabel, alt }) => !(ariaLabel || alt || labels?.length || textContent?.trim()))
			.map(({ outerHTML }) => outerHTML);
	});
	expect(nameless).toEqual([]);
	await closePreview();
});

test("in a workspace that is not trusted, no command runs", async () => {
	const window = await story.editor.newWindow(undefined, { isTrusted: false });
	const { palette, tree } = window;
	await tree.open(container);
	// A server of the user's own settings was approved in the other window.
	await tree.waitForRunning("library");
	await palette.run("MCP Host: Run Prompt…");
	await palette.pick("Recommend a Book");
	await palette.waitForTitle("(1/4)");
	const row = palette.widget.locator(".quick-input-list .monaco-list-row", { hasText: "Output of a Command…" });
	await row.filter({ hasText: "not in an untrusted workspace" }).waitFor({ timeout: patience });
	const refusal = palette.widget.getByText("Commands run only in a trusted workspace.");
	await palette.pickText("Output of a Command…", () => refusal.isVisible());
	await window.screenshot("prompt-restricted");
	expect(await palette.title()).toContain("(1/4)");
	await window.close();
});

/** The read properties of a control in a page. */
interface PageControl {
	readonly textContent: string | null;
	readonly labels?: { readonly length: number } | null;
	readonly ariaLabel: string | null;
	readonly alt?: string;
	readonly outerHTML: string;
}
