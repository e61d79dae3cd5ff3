/** Stories of Run Prompt…: what is asked, what is previewed, and that exactly this reaches the model, and only on Enter. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Opens the command and chooses a prompt. */
async function choosePrompt(title: string): Promise<void> {
	const { palette } = story.editor;
	await palette.run("MCP Host: Run Prompt…");
	await palette.pick(title);
}

/** Waits until the current step suggests exactly these values. They stand beside the label of their row. */
async function waitForSuggestions(...values: readonly string[]): Promise<void> {
	const shown = async (): Promise<readonly string[]> =>
		(await story.editor.palette.rows()).slice(1).map(({ description }) => description);
	await expect.poll(shown, { timeout: patience }).toEqual(values);
}

/** The arguments of the prompts that the server was asked for, oldest first. */
function fetched(): readonly unknown[] {
	return story.received("small", "prompts/get").map(({ params }) => (params as JsonObject)["arguments"]);
}

/** The chat's input without the blanks of its layout. */
async function typedInChat(): Promise<string> {
	return (await story.editor.chat.inputPart.locator(".view-line").allInnerTexts()).join("").replace(/\s/g, "");
}

/** What the model was told in its last request, without the host's own system prompt. */
function toldToModel(): readonly unknown[] {
	return story.model.requests.at(-1)?.body.messages.filter(({ role }) => role !== "system") ?? [];
}

let before: { readonly fetches: number; readonly requests: number };
beforeEach(async () => {
	await story.editor.palette.openWith(">Chat: New Chat");
	await story.editor.palette.cancel();
	before = { fetches: fetched().length, requests: story.model.requests.length };
});

test("a prompt is filled in with completion, previewed with its roles, and sent as previewed on Enter", async () => {
	const { editor, model } = story;
	const { palette, chat } = editor;
	await choosePrompt("Greet Someone");
	await palette.waitForTitle("Greet Someone (1/3)");
	await waitForSuggestions("France", "Portugal", "Spain");
	await editor.screenshot("prompt-argument");

	// Nothing was typed or chosen: Enter is refused, though suggestions are there.
	await palette.input.press("Enter");
	await palette.widget.getByText("country is required").waitFor();
	await palette.fill("sp");
	await waitForSuggestions("Spain");
	await palette.input.press("ArrowDown");
	await palette.input.press("Enter");

	await palette.waitForTitle("Greet Someone (2/3)");
	await waitForSuggestions("Barcelona", "Madrid");
	await palette.pressButton("Back");
	await palette.waitForTitle("Greet Someone (1/3)");
	expect(await palette.input.inputValue()).toBe("Spain");
	await palette.input.press("Enter");
	await palette.waitForTitle("Greet Someone (2/3)");
	// Typing and Enter without a pause: the typed text counts, not what matched it best.
	await palette.input.pressSequentially("Bar");
	await palette.input.press("Enter");
	await palette.waitForTitle("Greet Someone (3/3)");
	expect(await palette.placeholder()).toBe("style (optional, Enter to skip)");
	await palette.input.press("Enter");

	const preview = await editor.webview.document("Prompt: Greet Someone");
	await preview.getByText("Write a plain greeting to a friend in Bar, Spain.").waitFor();
	await preview.getByRole("region", { name: "Message 2, Assistant" }).getByText("Dear friend,").waitFor();
	expect(fetched().slice(before.fetches)).toEqual([{ country: "Spain", city: "Bar" }]);
	await takePictures(editor, "prompt-preview");

	// The first button has the focus.
	await editor.page.keyboard.press("Enter");
	await waitForCondition("The prompt in the chat's input", async () =>
		(await typedInChat()).endsWith('small/greetcountry="Spain"city="Bar"'),
	);
	await preview.getByText("Press Enter there to send it.").waitFor();
	await editor.screenshot("prompt-in-chat");
	expect(model.requests).toHaveLength(before.requests);

	model.next({ text: "Hola!" });
	await chat.inputPart.locator(".monaco-editor").first().click();
	await editor.page.keyboard.press("Enter");
	await chat.waitForText("Hola!");
	expect(await chat.lastText()).toContain("Prompt: small: Greet Someone");
	expect(toldToModel()).toMatchObject([
		{ role: "user", content: "Write a plain greeting to a friend in Bar, Spain." },
		{ role: "assistant", content: "Dear friend," },
	]);
	// What was previewed is what was sent: the server was not asked again.
	expect(fetched()).toHaveLength(before.fetches + 1);
});

test("images and embedded resources are shown, copied, and open as a document", async () => {
	const { editor } = story;
	await choosePrompt("attached");
	const preview = await editor.webview.document("Prompt: attached");
	await preview.getByText("The Last Unicorn").waitFor();
	await preview.getByText("Resource urn:isbn:0451450523, text/plain").waitFor();
	const widthOf = (image: unknown): number => (image as { readonly naturalWidth: number }).naturalWidth;
	await expect.poll(() => preview.locator("img").evaluate(widthOf), { timeout: patience }).toBe(1);
	await takePictures(editor, "prompt-attachments");

	await preview.getByRole("button", { name: "Copy" }).click();
	await preview.getByText("Copied.").waitFor();
	const copied = await editor.page.evaluate<string>("navigator.clipboard.readText()");
	expect(copied).toContain("What do these have in common?");
	expect(copied).toContain("The Last Unicorn");

	await preview.getByRole("button", { name: "Open as Document" }).click();
	await editor.editors.waitForText("The Last Unicorn");
	await editor.screenshot("prompt-document");
});

test("typed by hand, a prompt runs in the chat, and a mistake is explained", async () => {
	const { editor, model } = story;
	const { chat } = editor;
	model.next({ text: "Bonjour!" });
	await chat.ask('@mcp /prompt small/greet country=France city="Lyon"');
	expect(fetched().slice(before.fetches)).toEqual([{ country: "France", city: "Lyon" }]);
	expect(await chat.lastText()).toContain("Bonjour!");

	expect(await chat.ask("@mcp /prompt small/great")).toContain(
		'There is no prompt "small/great". Did you mean: small/greet',
	);
	expect(await chat.ask("@mcp /prompt small/greet country=France")).toContain("needs the argument city");
	expect(model.requests).toHaveLength(before.requests + 1);
});

test("Escape ends the whole run", async () => {
	const { palette } = story.editor;
	await choosePrompt("Greet Someone");
	await palette.waitForTitle("Greet Someone (1/3)");
	await palette.cancel();
	expect(fetched()).toHaveLength(before.fetches);
});
