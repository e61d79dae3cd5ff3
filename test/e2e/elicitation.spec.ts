/** Stories of elicitation: what the person fills in, declines or closes is what the server gets; no page opens by itself. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, toolResults } from "./fixtures/chatStory.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry });
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call `elicit`, allows the call, and returns the panel with the server's question. */
async function elicit(mode: "form" | "url", text: string): Promise<FrameLocator> {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: "elicit", arguments: { mode } }] });
	await editor.chat.send("@mcp let it ask me");
	await answerCall(editor, 1, "Allow Once");
	return editor.webview.document(text);
}

/** What the tool says it was answered: the action and the content. */
async function answered(words: string): Promise<unknown> {
	const { editor, model } = story;
	await editor.chat.waitForText(words);
	const [result = ""] = toolResults(await model.request(model.requests.length - 1));
	return JSON.parse(result) as unknown;
}

test("a form is sent only when it is valid, and with exactly what was entered", async () => {
	const { editor, model } = story;
	const form = await elicit("form", "Who is coming?");
	expect(await form.locator("main").innerText()).toMatch(/Server: small.*small says:.*Who is coming\?/s);
	await form.getByRole("textbox", { name: /Name/ }).fill("A");
	await form.getByRole("textbox", { name: /E-mail/ }).fill("nobody");
	await form.getByRole("textbox", { name: /Nights/ }).fill("31");
	await form.getByRole("button", { name: "Send" }).click();
	expect(await form.locator("[aria-invalid=true]").count()).toBe(3);
	await form.locator("#field-0:focus").waitFor();
	await editor.screenshot("elicitation-problems");

	const name = "Ada \u{1F469}\u200D\u{1F680} Lovelace";
	await form.getByRole("textbox", { name: /Name/ }).fill(name);
	await form.getByRole("textbox", { name: /E-mail/ }).fill("ada@example.com");
	await form.getByRole("textbox", { name: /Nights/ }).fill("3");
	await form.getByRole("checkbox", { name: /Breakfast/ }).uncheck();
	await form.getByRole("combobox", { name: /Room/ }).selectOption("double");
	model.next({ text: "Guest noted." });
	await form.getByRole("button", { name: "Send" }).click();
	expect(await answered("Guest noted.")).toEqual([
		"accept",
		{ name, email: "ada@example.com", nights: 3, breakfast: false, room: "double" },
	]);
	await editor.webview.waitUntilClosed();
});

test("declining and closing a form are told apart", async () => {
	const { editor, model } = story;
	const form = await elicit("form", "Who is coming?");
	model.next({ text: "Declined, then." });
	await form.getByRole("button", { name: "Decline" }).click();
	expect(await answered("Declined, then.")).toEqual(["decline", null]);

	await elicit("form", "Who is coming?");
	model.next({ text: "Closed, then." });
	await editor.editors.close(/small \(server\)/);
	expect(await answered("Closed, then.")).toEqual(["cancel", null]);
});

test("a web page is shown in full, and opens only when the person says so", async () => {
	const { editor, model } = story;
	const opened: string[] = [];
	editor.page.context().on("page", (page) => opened.push(page.url()));
	const question = await elicit("url", "Sign in at the shop");
	expect(await question.locator("#url").innerText()).toBe("https://shop.example/sign-in?from=small");
	await editor.screenshot("elicitation-url");
	model.next({ text: "No sign-in." });
	await question.getByRole("button", { name: "Decline" }).click();
	expect(await answered("No sign-in.")).toEqual(["decline", null]);
	expect(opened).toEqual([]);

	// The editor asks once more before it opens a site for the first time.
	const second = await elicit("url", "Sign in at the shop");
	model.next({ text: "Changed my mind." });
	await second.getByRole("button", { name: "Open in Browser" }).click();
	expect(await editor.dialogs.waitForModal()).toContain("https://shop.example/sign-in?from=small");
	await editor.dialogs.answerModal("Cancel");
	expect(await answered("Changed my mind.")).toEqual(["cancel", null]);
	expect(opened).toEqual([]);

	const third = await elicit("url", "Sign in at the shop");
	model.next({ text: "Signed in." });
	await third.getByRole("button", { name: "Open in Browser" }).click();
	const page = editor.page.context().waitForEvent("page");
	await editor.dialogs.answerModal("Open");
	await page;
	expect(await answered("Signed in.")).toEqual(["accept", null]);
	expect(opened).toHaveLength(1);
});
