/** Stories of the calls of a turn: together and alone, with reasons and limits, and with a selection of servers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { answerCall, ChatStory, questionCount, questionLink, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{ small: smallEntry, other: smallEntry },
		{
			...followsColorScheme,
			// These stories look at the dead links of decisions, which the editor folds away when a turn ends.
			"chat.agent.collapseCompletedResponses": false,
			"chat.agent.thinking.collapsedTools": "off",
			"mcpHost.chat.maxCalls": 6,
		},
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The arguments of all calls that the server received. */
function received(server = "small"): readonly (Json | undefined)[] {
	return story
		.received(server, "tools/call")
		.map(({ params }) => (params as { readonly arguments?: Json } | undefined)?.arguments);
}

/** An answer of the model that calls a tool of the server `small` with each of these arguments. */
function calls(tool: string, ...all: readonly object[]): { readonly toolCalls: readonly object[] } {
	return { toolCalls: all.map((args) => ({ name: `small_${tool}`, arguments: args })) };
}

test("calls of one answer are allowed together, and each result names its server", async () => {
	const { editor, model } = story;
	const [before, requests] = [received().length, model.requests.length];
	model.next(calls("echo", { text: "one" }, { text: "two" }, { text: "three" }), { text: "All said." });
	await editor.chat.send("@mcp say three things");
	const all = editor.chat.link("Allow All 3");
	await all.waitFor({ timeout: patience });
	expect(await questionCount(editor)).toBe(3);
	expect(received()).toHaveLength(before);
	await takePictures(editor, "chat-parallel-question");
	await all.dblclick();
	await editor.chat.waitForText("All said.");
	expect(received().slice(before)).toHaveLength(3);
	expect(toolResults(await model.request(requests + 1))).toEqual(["one", "two", "three"]);
	const shown = await editor.chat.lastText();
	for (const number of [1, 2, 3]) expect(shown).toMatch(new RegExp(`small · echo.*· call ${number} of 3`));
	await takePictures(editor, "chat-parallel-done");
	// The decided row is dead.
	await editor.chat.clickLink("Deny All");
	await editor.dialogs.waitForNotification("These questions are no longer open.");
	await editor.dialogs.clearNotifications();
	expect(received()).toHaveLength(before + 3);
});

test("questions of servers during parallel calls are shown in the chat, one after the other", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	model.next(calls("elicit", { mode: "form" }, { mode: "form" }), { text: "Both declined." });
	await editor.chat.send("@mcp ask me twice");
	await editor.chat.link("Allow All 2").waitFor({ timeout: patience });
	await editor.chat.clickLink("Allow All 2");
	const declines = editor.chat.lastResponse().getByRole("link", { name: "Decline", exact: true });
	// The last link of a question; the question is written word by word.
	const dismissals = editor.chat.lastResponse().getByRole("link", { name: "Cancel", exact: true });
	await expect.poll(() => dismissals.count(), { timeout: patience }).toBe(1);
	await editor.chat.click(declines.last());
	await expect.poll(() => dismissals.count(), { timeout: patience }).toBe(2);
	await takePictures(editor, "chat-parallel-elicitation");
	await editor.chat.click(declines.last());
	await editor.chat.waitForText("Both declined.");
	expect(toolResults(await model.request(requests + 1)).filter((told) => /decline/.test(told))).toHaveLength(2);
});

test("a denial may give a reason, and the model receives it", async () => {
	const { editor, model } = story;
	const [before, requests] = [received().length, model.requests.length];
	model.next(calls("echo", { text: "loud" }), { text: "I will whisper." });
	await editor.chat.send("@mcp say it loud");
	await answerCall(editor, 1, "Deny with Reason…");
	await editor.palette.enter("Whisper instead");
	await editor.chat.waitForText("I will whisper.");
	expect(await editor.chat.lastText()).toContain("The model receives your reason: Whisper instead");
	expect(toolResults(await model.request(requests + 1)).join()).toMatch(/the user denied it.*Whisper instead/);
	expect(received()).toHaveLength(before);
});

test("one long call is cancelled, its server is notified, and the turn continues", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	model.next(calls("slow", { steps: 600, stepMs: 100 }), { text: "Never mind." });
	await editor.chat.send("@mcp take your time");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.link("Cancel Call").waitFor({ timeout: patience });
	await editor.chat.waitForText(/small · slow: step \d+ of 600/);
	await takePictures(editor, "chat-cancel-call");
	await editor.chat.clickLink("Cancel Call");
	await editor.chat.waitForText("Never mind.");
	expect(await editor.chat.lastText()).toContain("You cancelled this call while it ran.");
	expect(toolResults(await model.request(requests + 1)).join()).toContain("cancelled this call while it ran");
	await expect
		.poll(() => JSON.stringify(story.received("small", "notifications/cancelled")), { timeout: patience })
		.toContain("requestId");
});

test("a word leaves a server out of one turn, and nothing of it reaches the model (TOL-05)", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	model.next({ text: "Only small." }, { text: "Both." });
	await editor.chat.send("@mcp -other who is there?");
	await editor.chat.waitForText("Only small.");
	expect(await editor.chat.lastText()).toContain("Without other in this turn.");
	const { body } = await model.request(requests);
	expect(body.tools?.some(({ function: { name } }) => name.startsWith("small_"))).toBe(true);
	expect(JSON.stringify(body.tools)).not.toContain("other_");
	expect(body.messages.at(-1)).toMatchObject({ content: "who is there?" });
	await takePictures(editor, "chat-without-server");
	await editor.chat.ask("@mcp and now?");
	expect(JSON.stringify((await model.request(requests + 1)).body.tools)).toContain("other_");
});

test("servers for the next turn are chosen from a list, which writes the words for the choice", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	model.next({ text: "Chosen." });
	await editor.palette.run("MCP Host: Choose Servers for the Next Turn…");
	await editor.palette.pick("other");
	await editor.palette.accept();
	await expect.poll(() => editor.chat.inputPart.innerText(), { timeout: patience }).toContain("-other");
	await editor.chat.send("@mcp -other and who is there now?");
	await editor.chat.waitForText("Chosen.");
	expect(JSON.stringify((await model.request(requests)).body.tools)).not.toContain("other_");
});

test("a turn ends at the limit of calls; calls beyond it are not asked about", async () => {
	const { editor, model } = story;
	const before = received().length;
	const texts = Array.from({ length: 8 }, (_, index) => ({ text: `call ${index + 1}` }));
	model.next(calls("echo", ...texts));
	await editor.chat.send("@mcp call and call");
	await editor.chat.link("Allow All 6").waitFor({ timeout: patience });
	await editor.chat.clickLink("Allow All 6");
	await editor.chat.waitForText("2 more were not called");
	await editor.chat.waitUntilDone();
	expect(received()).toHaveLength(before + 6);
	await editor.screenshot("chat-limit-calls");
});

test("TOL-09: arguments of a megabyte are shown to the last character, and can be decided", async () => {
	const { editor, model } = story;
	const text = `${"0123456789abcde ".repeat(65_536)}THE END`;
	model.next(calls("echo", { text }), { text: "That was a lot." });
	await editor.chat.send("@mcp say a lot");
	await questionLink(editor, 1, "Deny");
	const shown = await editor.chat.lastText();
	expect(shown.replaceAll(/[\s"]|\(continued\)/g, "")).toContain(text.replaceAll(" ", ""));
	expect(shown).toContain("characters. All of them are shown above");
	await editor.screenshot("chat-megabyte");
	const before = received().length;
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("That was a lot.");
	expect(received()[before]).toEqual({ text });
});
