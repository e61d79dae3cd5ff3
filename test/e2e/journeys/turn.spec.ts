/** Journeys of a turn: its calls, the grants for them, its prompts, and its records. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import { answerCall, callOnce, ChatStory, questionCount, questionLink, toolResults } from "../fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "../fixtures/colorScheme.ts";
import {
	choosePrompt,
	fetchedPrompts,
	sendTyped,
	toldToModel,
	typedInChat,
	waitForSuggestions,
} from "../fixtures/promptRun.ts";
import { smallEntry } from "../fixtures/serverEntries.ts";
import { chooseExchange, exchanges, traceView } from "../fixtures/traceView.ts";
import { patience, waitForCondition } from "../pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The calls that the server received. */
function received(): readonly JsonObject[] {
	return story.received("small", "tools/call");
}

// Before the others, since a list that is longer than its view has no elements for the rest.
test("messages sent before the view opened are there, and are compared as documents", async () => {
	const { editor } = story;
	await callOnce(story, "small_echo", { text: "first" });
	await editor.palette.run("MCP Host: Show Trace");
	const trace = await traceView(story.editor);
	await exchanges(trace, /tools\/call echo[^]*small/)
		.first()
		.waitFor({ timeout: patience });
	await exchanges(trace, /tools\/list[^]*small/)
		.first()
		.waitFor({ timeout: patience });
	await chooseExchange(trace, exchanges(trace, /tools\/call echo/).last(), "first");

	await callOnce(story, "small_echo", { text: "second" });
	await callOnce(story, "small_fail", {});
	await exchanges(trace, /tools\/call fail[^]*tool error/).waitFor({ timeout: patience });
	await chooseExchange(trace, exchanges(trace, /tools\/call echo/).last(), "second");
	const detail = trace.locator("#detail");
	expect(await detail.innerText()).toMatch(/Took\s+[\d.]+ m?s \(server/);
	await takePictures(editor, "trace");
	await detail.getByRole("button", { name: "Open Request" }).click();
	await editor.editors.waitForActive(/tools-call echo \d+ request\.json/);
	await editor.editors.waitForText('"second"');
	await takePictures(editor, "trace-document");

	await callOnce(story, "small_echo", { text: "third" });
	await chooseExchange(trace, exchanges(trace, /tools\/call echo/).last(), "third");
	await detail.getByRole("button", { name: "Compare with…" }).first().click();
	await editor.palette.pick(/tools\/call echo/);
	await expect
		.poll(() => editor.editors.comparison())
		.toEqual([expect.stringContaining('"second"'), expect.stringContaining('"third"')]);
	await editor.palette.run("View: Hide Panel");
	await editor.closeEverything();
});

test("a call is shown in full, waits, and reaches the server exactly as shown", async () => {
	const { editor, model } = story;
	const escaped = String.raw`late\u{202E}arrival\u{200B} ${"`code`"} **bold**` + "\nsecond line";
	const text = "late\u202Earrival\u200B `code` **bold**\nsecond line";
	const [calls, requests] = [received().length, model.requests.length];
	// Within the side bar: the whole window moves by some pixels when an element is scrolled into view.
	const sideBar = editor.page.locator(".part.sidebar");
	const place = async (): Promise<number> => {
		const row = await editor.tree.view("Servers").row("small");
		return ((await row.boundingBox())?.y ?? 0) - ((await sideBar.boundingBox())?.y ?? 0);
	};
	const before = await place();
	await story.askForCall("small_echo", { text, extra: { deep: [1, "two"] } }, "It said so.");
	await questionLink(editor, 1, "Allow Once");
	const question = await editor.chat.lastText();
	expect(question).toContain("small · echo");
	expect(question).toContain("read-only");
	expect(question).toContain(String.raw`"late\u202Earrival\u200B ${"`code`"} **bold**\nsecond line"`);
	expect(question).toContain('[1, "two"]');
	expect(received()).toHaveLength(calls);
	await editor.tree.view("Pending").row("small");
	// Nothing in the side bar moves when a call starts to wait.
	expect(await place()).toBe(before);
	await editor.screenshot("chat-hidden-characters");

	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("It said so.");
	expect(received()[calls]).toMatchObject({ params: { arguments: { text, extra: { deep: [1, "two"] } } } });
	expect(toolResults(await model.request(requests + 1))).toEqual([escaped]);
});

test("a grant with its scope lets the next call run, is shown and listed, and asks again once it is revoked", async () => {
	const { editor } = story;
	const { palette, chat, dialogs } = editor;
	const before = received().length;
	await story.askForCall("small_echo", { text: "one" }, "Said one.");
	await answerCall(editor, 1, "Always…");
	await palette.waitForTitle("Always Allow: small · echo");
	await takePictures(editor, "policy-always");
	// The grant of the row that Enter would take ends with the window.
	const active = palette.widget.locator(".monaco-list-row.focused .label-name");
	await expect.poll(() => active.innerText()).toBe("This Tool in This Session");
	await palette.cancel();
	expect(received()).toHaveLength(before);

	await answerCall(editor, 1, "Always…");
	await palette.waitForTitle("Always Allow: small · echo");
	await palette.pick("This Tool in This Workspace");
	await chat.waitForText("Said one.");
	expect(await chat.lastText()).toContain("You allowed this call, and from now on: echo of small, in this workspace.");

	await story.askForCall("small_echo", { text: "two" }, "Said two.");
	await chat.waitForText("Said two.");
	expect(await questionCount(editor)).toBe(0);
	expect(await chat.lastText()).toContain("Allowed by your grant: echo of small, in this workspace.");
	expect(received()).toHaveLength(before + 2);
	await takePictures(editor, "policy-allowed-by-grant");

	await palette.run("MCP Host: Manage Rules and Grants…");
	await palette.waitForRow(/echo of small/);
	await takePictures(editor, "policy-manage");
	await palette.choose(/echo of small/);
	await palette.pick(/Revoke This Grant/);
	await dialogs.waitForNotification("Revoked. You are asked again from now on.");
	await dialogs.clearNotifications();
	await story.askForCall("small_echo", { text: "three" }, "Not said.");
	await questionLink(editor, 1, "Allow Once");
	expect(received()).toHaveLength(before + 2);
	await answerCall(editor, 1, "Deny");
	await chat.waitForText("Not said.");
	expect(received()).toHaveLength(before + 2);
});

test("a prompt is filled in with completion, previewed with its roles, and sent as previewed on Enter", async () => {
	const { editor, model } = story;
	const { palette, chat } = editor;
	const [fetches, requests] = [fetchedPrompts(story).length, model.requests.length];
	await choosePrompt(editor, "Greet Someone");
	await palette.waitForTitle("Greet Someone (1/3)");
	await waitForSuggestions(editor, "France", "Portugal", "Spain");
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
	await waitForSuggestions(editor, "Barcelona", "Madrid");
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
	expect(fetchedPrompts(story).slice(fetches)).toEqual([{ country: "Spain", city: "Barcelona" }]);
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
		(await typedInChat(editor)).endsWith('small/greetcountry="Spain"city="Madrid"'),
	);
	await preview.getByText("Press Enter there to send it.").waitFor();
	await editor.screenshot("prompt-in-chat");
	expect(model.requests).toHaveLength(requests);

	model.next({ text: "Hola!" });
	await sendTyped(editor);
	await chat.waitForText("Hola!");
	expect(await chat.lastText()).toContain("Prompt: small: Greet Someone");
	expect(toldToModel(story).slice(-2)).toMatchObject([
		{ role: "user", content: "Write a plain greeting to a friend in Madrid, Spain." },
		{ role: "assistant", content: "Dear friend," },
	]);
	// Exactly the preview was sent: the server was not asked again.
	expect(fetchedPrompts(story)).toHaveLength(fetches + 2);
});

test("a denied call is listed with the start of its server, as one story of its turn (JRN-16)", async () => {
	const { editor } = story;
	await story.askForCall("small_echo", { text: "Sing." }, "Not done.");
	await answerCall(editor, 1, "Deny");
	await editor.chat.waitForText("Not done.");
	await editor.chat.waitUntilDone();

	await editor.palette.run("MCP Host: Show Activity");
	const view = await editor.webview.document("Activity");
	await view.locator("main").waitFor({ timeout: patience });
	const entry = (text: string) => view.locator(".entries .entry", { hasText: text });
	await entry("approved by you").first().waitFor({ timeout: patience });
	await entry("started (stdio").first().waitFor();
	await entry("denied by you").first().click();
	await view.getByRole("heading", { name: /echo: denied by you/ }).waitFor();
	await view.getByRole("button", { name: "Show the Whole Turn" }).click();
	await view.getByRole("region", { name: "In this turn" }).locator(".entry").waitFor();
	// The question of the user is not part of the record.
	expect(await view.locator("main").innerText()).not.toContain("Sing.");
	await takePictures(editor, "activity");
});
