/** Stories of Run Prompt…: the arguments, the preview, and that exactly this reaches the model, and only on Enter. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { choosePrompt, fetchedPrompts, sendTyped, toldToModel, typedInChat } from "./fixtures/promptRun.ts";
import { libraryEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { patience, pressUntil, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry, library: libraryEntry }, followsColorScheme, { images: true });
});
afterAll(() => story?.[Symbol.asyncDispose]());

let before: { readonly fetches: number; readonly requests: number };
beforeEach(async () => {
	await story.editor.palette.openWith(">Chat: New Chat");
	await story.editor.palette.cancel();
	before = { fetches: fetchedPrompts(story).length, requests: story.model.requests.length };
});

test("an edited prompt is sent to the chat as shown, with its roles and its picture; other parts can be removed", async () => {
	const { editor, model } = story;
	const { chat } = editor;
	await choosePrompt(editor, "Gallery");
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
		/library\/galleryas-previewed-[0-9a-f]{8}$/.test(await typedInChat(editor)),
	);
	expect(model.requests).toHaveLength(before.requests);

	model.next({ text: "Voilà." });
	await sendTyped(editor);
	await chat.waitForText("Voilà.");
	expect(toldToModel(story).slice(-3)).toMatchObject([
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
	await choosePrompt(editor, "Greet Someone");
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
	await choosePrompt(editor, "Gallery");
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
	expect(fetchedPrompts(story).slice(before.fetches)).toEqual([{ country: "France", city: "Lyon" }]);
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
	await choosePrompt(story.editor, "Greet Someone");
	await palette.waitForTitle("Greet Someone (1/3)");
	await palette.cancel();
	expect(fetchedPrompts(story)).toHaveLength(before.fetches);
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
	const isFetched = (): Promise<boolean> => Promise.resolve(fetchedPrompts(story).length > before.fetches);
	await pressUntil(page, "Control+Alt+g", "The prompt of the key binding", isFetched);
	expect(fetchedPrompts(story).at(-1)).toEqual({ country: "France", city: "Nice", style: "funny" });
	const preview = await editor.webview.document("Prompt: Greet Someone");
	await expect
		.poll(() => preview.getByRole("textbox", { name: "Text of Message 1" }).inputValue())
		.toBe("Write a funny greeting to a friend in Nice, France.");
	const unknown = editor.dialogs.notification('No server named "nowhere"');
	await pressUntil(page, "Control+Alt+h", "What is wrong with the other key binding", () => unknown.isVisible());
	await editor.dialogs.waitForNotification('No server named "nowhere" is configured. Configured: small, library.');
});
