/** Stories of Run Prompt…: the arguments, the preview, and that exactly this reaches the model, and only on Enter. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { libraryEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { patience, pressUntil, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry, library: libraryEntry }, followsColorScheme, { images: true });
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Opens the command and chooses a prompt. */
async function choosePrompt(title: string): Promise<void> {
	const { palette } = story.editor;
	await palette.run("MCP Host: Run Prompt…");
	await palette.choose(title);
}

/** Waits until the current step suggests exactly these values. They are beside the label of their row. */
async function waitForSuggestions(...values: readonly string[]): Promise<void> {
	const isPlace = /^(?:Editor Selection|Current File|Clipboard|Output of a Command…)/;
	const shown = async (): Promise<readonly string[]> =>
		(await story.editor.palette.rows())
			.slice(1)
			.map(({ description }) => description)
			.filter((text) => !isPlace.test(text));
	await expect.poll(shown, { timeout: patience }).toEqual(values);
}

/** The arguments of the requested prompts, oldest first. */
function fetched(): readonly unknown[] {
	return story.received("small", "prompts/get").map(({ params }) => (params as JsonObject)["arguments"]);
}

/** The chat's input without the blanks of its layout. */
async function typedInChat(): Promise<string> {
	return (await story.editor.chat.inputPart.locator(".view-line").allInnerTexts()).join("").replace(/\s/g, "");
}

/** Sends the content of the chat's input, as a user does. */
async function sendTyped(): Promise<void> {
	await story.editor.chat.inputPart.locator(".monaco-editor").first().click();
	await story.editor.page.keyboard.press("Enter");
}

/** The messages of the model's last request, without the host's own system prompt. */
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
	await palette.waitForRow("Spain");
	// Completions of the server come first, typed values second (FST-03).
	expect((await palette.rows()).slice(0, 2).map(({ label, description }) => [label, description])).toEqual([
		["Spain", "Enter to use this value"],
		["", "sp  as you typed it"],
	]);
	await palette.settled();
	await palette.acceptRow();

	await palette.waitForTitle("Greet Someone (2/3)");
	await waitForSuggestions("Barcelona", "Madrid");
	await palette.pressButton("Back");
	await palette.waitForTitle("Greet Someone (1/3)");
	await expect.poll(() => palette.input.inputValue()).toBe("Spain");
	await palette.acceptRow();
	await palette.waitForTitle("Greet Someone (2/3)");
	// Typing and Enter without a pause: a completion that the server is known to offer is chosen nevertheless. If its
	// answer arrived between the two, the rows have just moved, and Enter counts when it is pressed once more.
	await palette.input.pressSequentially("Bar");
	await palette.acceptRow();
	await palette.waitForTitle("Greet Someone (3/3)");
	await expect.poll(() => palette.placeholder()).toBe("style (optional, Enter to skip)");
	await palette.acceptRow();

	const preview = await editor.webview.document("Prompt: Greet Someone");
	const text = (number: number): Locator => preview.getByRole("textbox", { name: `Text of Message ${number}` });
	await expect.poll(() => text(1).inputValue()).toBe("Write a plain greeting to a friend in Barcelona, Spain.");
	const answer = preview.getByRole("region", { name: "Message 2, Assistant" });
	await expect.poll(() => answer.getByRole("textbox").inputValue()).toBe("Dear friend,");
	expect(fetched().slice(before.fetches)).toEqual([{ country: "Spain", city: "Barcelona" }]);
	await takePictures(editor, "prompt-preview");

	// Back to the arguments, with the values filled in; leaving them changes nothing (FST-04).
	await preview.getByRole("button", { name: "Change Arguments…" }).click();
	await palette.waitForTitle("Greet Someone (1/3)");
	await expect.poll(() => palette.input.inputValue()).toBe("Spain");
	await palette.cancel();
	expect(await text(1).inputValue()).toContain("Barcelona, Spain");
	await preview.getByRole("button", { name: "Change Arguments…" }).click();
	await palette.waitForTitle("Greet Someone (1/3)");
	await palette.acceptRow();
	await palette.waitForTitle("Greet Someone (2/3)");
	await expect.poll(() => palette.input.inputValue()).toBe("Barcelona");
	await palette.fill("mad");
	await palette.waitForRow("Madrid");
	await palette.settled();
	await palette.acceptRow();
	await palette.waitForTitle("Greet Someone (3/3)");
	await palette.acceptRow();
	await expect.poll(() => text(1).inputValue()).toBe("Write a plain greeting to a friend in Madrid, Spain.");

	// The first button gets the focus as soon as the panel has it again.
	await preview.locator(".actions button:focus", { hasText: "Insert into Chat" }).waitFor();
	await editor.page.keyboard.press("Enter");
	await waitForCondition("The prompt in the chat's input", async () =>
		(await typedInChat()).endsWith('small/greetcountry="Spain"city="Madrid"'),
	);
	await preview.getByText("Press Enter there to send it.").waitFor();
	await editor.screenshot("prompt-in-chat");
	expect(model.requests).toHaveLength(before.requests);

	model.next({ text: "Hola!" });
	await sendTyped();
	await chat.waitForText("Hola!");
	expect(await chat.lastText()).toContain("Prompt: small: Greet Someone");
	expect(toldToModel()).toMatchObject([
		{ role: "user", content: "Write a plain greeting to a friend in Madrid, Spain." },
		{ role: "assistant", content: "Dear friend," },
	]);
	// Exactly the preview was sent: the server was not asked again.
	expect(fetched()).toHaveLength(before.fetches + 2);
});

test("an edited prompt is sent to the chat as shown, with its roles and its picture; other parts can be removed", async () => {
	const { editor, model } = story;
	const { chat } = editor;
	await choosePrompt("Gallery");
	const preview = await editor.webview.document("Prompt: Gallery");
	const widthOf = (image: unknown): number => (image as { readonly naturalWidth: number }).naturalWidth;
	await expect.poll(() => preview.locator("img").first().evaluate(widthOf), { timeout: patience }).toBe(1);
	const readyOf = (audio: unknown): number => (audio as { readonly readyState: number }).readyState;
	await expect.poll(() => preview.locator("audio").evaluate(readyOf), { timeout: patience }).toBeGreaterThan(0);
	await preview.getByText("it is not a PNG, JPEG, GIF or WebP image").waitFor();
	await preview.getByText("The Last Unicorn").waitFor();
	await takePictures(editor, "prompt-attachments");

	// By keyboard alone: from the first button, which has the focus, back through the messages.
	const first = preview.getByRole("textbox", { name: "Text of Message 1" });
	await first.focus();
	await editor.page.keyboard.press("ControlOrMeta+End");
	await editor.page.keyboard.type(" Answer in French.");
	await preview.getByText("Changed by you. Nothing has been sent.").waitFor();
	await preview.getByRole("button", { name: "Reset Text of Message 1" }).waitFor();
	for (const number of [3, 4, 5, 6, 7, 8]) {
		await preview.getByRole("button", { name: `Remove Message ${number}, User` }).press("Enter");
	}
	await preview.getByRole("button", { name: "Put Back Message 8, User" }).waitFor();
	await first.focus();
	await takePictures(editor, "prompt-edited");
	await editor.page.keyboard.press("ControlOrMeta+Enter");
	await preview.getByText("Press Enter there to send it.").waitFor();
	await waitForCondition("The prompt in the chat's input", async () =>
		/library\/galleryas-previewed-[0-9a-f]{8}$/.test(await typedInChat()),
	);
	expect(model.requests).toHaveLength(before.requests);

	model.next({ text: "Voilà." });
	await sendTyped();
	await chat.waitForText("Voilà.");
	expect(toldToModel().slice(-3)).toMatchObject([
		{ role: "user", content: "What do these have in common? Answer in French." },
		{
			role: "user",
			content: [{ type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } }],
		},
		{ role: "assistant", content: "They are all in the library." },
	]);
});

test("one Escape does not discard changes; the shown text goes to a document, the cursor and the clipboard", async () => {
	const { editor } = story;
	const { page, editors, palette } = editor;
	await editor.newFile();
	await page.keyboard.type("before  after");
	for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowLeft");
	await choosePrompt("Greet Someone");
	for (const value of ["Spain", "Madrid", ""]) {
		await palette.fill(value);
		await palette.acceptRow();
	}
	const preview = await editor.webview.document("Prompt: Greet Someone");
	const first = preview.getByRole("textbox", { name: "Text of Message 1" });
	await first.fill("Greet them.");
	await preview.getByRole("button", { name: "Remove Message 2, Assistant" }).click();
	await preview.getByRole("button", { name: "Insert into Chat" }).press("Escape");
	await preview.getByText("Press Escape again to close the preview.").waitFor();

	await preview.getByRole("button", { name: "Copy" }).click();
	await preview.getByText("Copied.").waitFor();
	expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe("Greet them.");
	await preview.getByRole("button", { name: "Insert at Cursor" }).click();
	await editors.waitForText("before Greet them. after");

	await editors.activate("Prompt: Greet Someone");
	const again = await editor.webview.document("Prompt: Greet Someone");
	// Hidden and shown again, the changes are still there.
	await expect.poll(() => again.getByRole("textbox", { name: "Text of Message 1" }).inputValue()).toBe("Greet them.");
	await again.getByRole("button", { name: "Open as Document" }).click();
	await editors.waitForText("Greet them.");
	await expect.poll(() => editors.language()).toBe("Markdown");
	await editor.screenshot("prompt-document");
});

test("a link of a prompt opens from its server, and nothing of a prompt can run a command (PRM-02)", async () => {
	const { editor } = story;
	await choosePrompt("Gallery");
	const preview = await editor.webview.document("Prompt: Gallery");
	const links = preview.getByRole("button", { name: /^Open Resource link/ });
	await expect.poll(() => links.count()).toBe(2);
	await links.last().click();
	// The address of a command is handled like any other: the server is asked for the named resource.
	await editor.editors.waitForText("This is command:workbench.action.quit");
	await editor.editors.activate("Prompt: Gallery");
	await (await editor.webview.document("Prompt: Gallery")).getByRole("button", { name: /^Open .*live:/ }).click();
	await editor.editors.waitForActive(/dashboard/);
});

test("a pinned prompt comes first in the list and in the tree", async () => {
	const { editor } = story;
	const { palette, tree } = editor;
	await palette.run("MCP Host: Run Prompt…");
	await palette.fill("solaris conversation");
	await palette.fill("six conversation");
	await expect.poll(async () => (await palette.rows()).map(({ label }) => label)).toEqual(["A Conversation"]);
	const unpin = palette.row("A Conversation").getByRole("button", { name: "Unpin Prompt" });
	await palette.pressRowButton("A Conversation", "Pin Prompt", async () => (await unpin.count()) === 1);
	await palette.fill("");
	await expect.poll(async () => (await palette.rows())[0]?.label).toBe("A Conversation");
	await editor.screenshot("prompt-list-pinned");
	await palette.cancel();
	await tree.expand(["library", "Prompts"]);
	await editor.screenshot("prompt-tree-pinned");
	await tree.contextMenu(["library", "Prompts", "A Conversation"], "Unpin Prompt");
	await palette.run("MCP Host: Run Prompt…");
	await palette.waitForRow(/./);
	await expect.poll(async () => (await palette.rows())[0]?.label).not.toBe("A Conversation");
	await palette.cancel();
});

test("a prompt typed by hand runs in the chat, and a mistake is explained", async () => {
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
	// One click asks for the missing arguments, and keeps the written ones.
	await chat.clickLink("Fill In…");
	await editor.palette.waitForTitle("Greet Someone (2/3)");
	await editor.palette.pressButton("Back");
	await editor.palette.waitForTitle("Greet Someone (1/3)");
	await expect.poll(() => editor.palette.input.inputValue()).toBe("France");
	await editor.palette.cancel();
	expect(model.requests).toHaveLength(before.requests + 1);
});

test("Escape ends the whole run", async () => {
	const { palette } = story.editor;
	await choosePrompt("Greet Someone");
	await palette.waitForTitle("Greet Someone (1/3)");
	await palette.cancel();
	expect(fetched()).toHaveLength(before.fetches);
});

test("a key binding runs a prompt with its arguments; one for an unknown server is explained", async () => {
	const { editor } = story;
	const { page } = editor;
	const bound = { server: "small", prompt: "greet", arguments: { country: "France", city: "Nice", style: "funny" } };
	await editor.writeKeybindings([
		{ key: "ctrl+alt+g", command: "mcpHost.runPrompt", args: bound },
		{ key: "ctrl+alt+h", command: "mcpHost.runPrompt", args: { server: "nowhere", prompt: "greet" } },
	]);
	await editor.reload();
	await editor.tree.open(container);
	await editor.tree.expand(["small", "Prompts"]);
	const isFetched = (): Promise<boolean> => Promise.resolve(fetched().length > before.fetches);
	await pressUntil(page, "Control+Alt+g", "The prompt of the key binding", isFetched);
	expect(fetched().at(-1)).toEqual({ country: "France", city: "Nice", style: "funny" });
	const preview = await editor.webview.document("Prompt: Greet Someone");
	await expect
		.poll(() => preview.getByRole("textbox", { name: "Text of Message 1" }).inputValue())
		.toBe("Write a funny greeting to a friend in Nice, France.");
	const unknown = editor.dialogs.notification('No server named "nowhere"');
	await pressUntil(page, "Control+Alt+h", "What is wrong with the other key binding", () => unknown.isVisible());
	await editor.dialogs.waitForNotification('No server named "nowhere" is configured. Configured: small, library.');
});
