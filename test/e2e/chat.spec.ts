/**
 * Stories of `@mcp` with a scripted model: the questions, the messages to servers, the results returned to the model,
 * and long-running work.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { answerCall, ChatStory, questionCount, questionLink, toolResults } from "./fixtures/chatStory.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry }, { "mcpHost.chat.maxRounds": 3 });
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The arguments of all calls of `echo` that the server received. */
function echoed(): readonly (Json | undefined)[] {
	return story
		.received("small", "tools/call")
		.map(({ params }) => (params as { readonly arguments?: Json } | undefined)?.arguments);
}

/** An answer of the model that calls `echo` with each of these arguments. */
function echo(...calls: readonly object[]): { readonly toolCalls: readonly object[] } {
	return { toolCalls: calls.map((args) => ({ nameEndsWith: "echo", arguments: args })) };
}

/** How often the host cancelled a request, except subscriptions to changes, which end with their subject. */
function cancelled(): number {
	const requests = story.received("small", "notifications/cancelled").map(({ params }) => JSON.stringify(params));
	return requests.filter((params) => !params.startsWith('{"requestId":"listen:')).length;
}

/** How many elements hold more than their width shows. Runs in the page. */
function countClipped(elements: readonly { readonly scrollWidth: number; readonly clientWidth: number }[]): number {
	return elements.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length;
}

test("long arguments and results are shown whole and wrap in the narrow chat", async () => {
	const { editor, model } = story;
	const long = `${"begin-".repeat(300)}end`;
	const nested = { list: [{ name: "first", path: "/a/very/long/path/".repeat(12) }, { name: "second" }] };
	model.next(echo({ text: long, nested }), { text: "That was long." });
	await editor.chat.send("@mcp say something long");
	await questionLink(editor, 1, "Allow Once");
	const question = await editor.chat.lastText();
	expect(question).toContain(JSON.stringify(long));
	expect(question).toContain(JSON.stringify(nested.list[0]?.path));
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("That was long.");
	await editor.chat.waitUntilDone();
	// Folded content has no width.
	await editor.chat.lastText();
	const blocks = editor.chat.lastResponse().locator(".value, .value p, .value ul, .value pre, .value blockquote");
	expect(await blocks.count()).toBeGreaterThan(5);
	expect(await blocks.evaluateAll(countClipped)).toBe(0);
	await editor.screenshot("chat-long-arguments");
});

test("edited arguments must match the tool's schema, and are sent to the server and the model", async () => {
	const { editor, model } = story;
	const [calls, requests] = [echoed().length, model.requests.length];
	model.next(echo({ text: "draft" }), { text: "Edited, I see." });
	await editor.chat.send("@mcp say draft");
	await answerCall(editor, 1, "Edit…");
	const panel = await editor.webview.document("Arguments of echo");
	const field = panel.getByRole("textbox", { name: "text" });
	expect(await field.inputValue()).toBe("draft");
	await editor.screenshot("chat-edit-arguments");
	await panel.getByRole("tab", { name: "JSON" }).click();
	const json = panel.getByRole("textbox", { name: "JSON" });
	const submit = panel.getByRole("button", { name: "Allow with These Arguments" });
	await json.fill('{ "text": ');
	await submit.click();
	await panel.locator(".problem").first().waitFor();
	await json.fill('{ "text": 5 }');
	await submit.click();
	await panel.locator(".problem").first().waitFor();
	await editor.screenshot("chat-edit-arguments-json");
	expect(echoed()).toHaveLength(calls);

	await json.fill('{ "text": "final\\u00e9 \\ud83d\\ude00" }');
	await submit.click();
	await editor.chat.waitForText("Edited, I see.");
	expect(echoed().slice(calls)).toEqual([{ text: "final\u00E9 \u{1F600}" }]);
	const told = await model.request(requests + 1);
	expect(toolResults(told).join()).toContain("final\u00E9 \u{1F600}");
	expect(JSON.stringify(told.body.messages)).toMatch(/changed|edited/i);
	expect(await editor.chat.lastText()).toContain("You allowed this call with changes");
});

test("calls of one answer are asked about together and decided one by one, and a denial is returned to the model", async () => {
	const { editor, model } = story;
	const [calls, requests] = [echoed().length, model.requests.length];
	model.next(echo({ text: "first" }, { text: "second" }), { text: "One of two." });
	await editor.chat.send("@mcp say two things");
	await questionLink(editor, 2, "Deny");
	expect(await questionCount(editor)).toBe(2);
	expect(echoed()).toHaveLength(calls);
	await answerCall(editor, 1, "Deny");
	await answerCall(editor, 2, "Allow Once");
	await editor.chat.waitForText("One of two.");
	expect(echoed().slice(calls)).toEqual([{ text: "second" }]);
	const [denial, result] = toolResults(await model.request(requests + 1));
	expect(denial).toMatch(/denied/);
	expect(result).toBe("second");
});

test("stopping a turn removes its question", async () => {
	const { editor, model } = story;
	const [calls, requests] = [echoed().length, model.requests.length];
	model.next(echo({ text: "too late" }));
	await editor.chat.send("@mcp say it too late");
	await questionLink(editor, 1, "Allow Once");
	await editor.chat.stop();
	await editor.chat.waitUntilDone();
	await editor.chat.click(await questionLink(editor, 1, "Allow Once"));
	await editor.dialogs.waitForNotification("This call was cancelled before you decided. It was not sent.");
	await editor.screenshot("chat-stopped");
	await editor.dialogs.clearNotifications();
	expect(echoed()).toHaveLength(calls);
	expect(model.requests).toHaveLength(requests + 1);
});

test("a later turn carries the conversation", async () => {
	const { editor, model } = story;
	model.next(echo({ text: "second" }), { text: "One of two." });
	await editor.chat.send("@mcp say two things");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("One of two.");
	await editor.chat.waitUntilDone();
	const requests = model.requests.length;
	model.next({ text: "You said: one of two." });
	expect(await editor.chat.ask("@mcp what did we do?")).toContain("You said: one of two.");
	const { body } = await model.request(requests);
	const said = body.messages.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`).join("\n");
	for (const text of ["say two things", "second", "One of two.", "what did we do?"]) expect(said).toContain(text);
	expect(body.messages.at(-1)?.role).toBe("user");
});

test("each model failure is one message with the next step", async () => {
	const { editor, model } = story;
	model.next({ status: 401 });
	expect(await editor.chat.ask("@mcp with a wrong key")).toMatch(/Scripted.* refused the API key.*Manage Models/s);
	model.next({ garbage: "<html>not a stream</html>" });
	expect(await editor.chat.ask("@mcp with garbage")).toContain("Scripted");
	await editor.screenshot("chat-model-errors");

	await editor.chat.chooseModel("scripted-model", "unreachable-model");
	expect(await editor.chat.ask("@mcp is anybody there?")).toMatch(/Closed.* cannot be reached.*Manage Models/s);
	await editor.chat.chooseModel("unreachable-model", "scripted-model");
	model.next({ text: "Here again." });
	expect(await editor.chat.ask("@mcp and now?")).toContain("Here again.");
});

test("/tools and /servers answer without a model", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	expect(await editor.chat.ask("@mcp /tools")).toMatch(/echo.*read-only.*fail.*destructive/s);
	await editor.screenshot("chat-tools");
	expect(await editor.chat.ask("@mcp /servers")).toMatch(/small.*running/s);
	expect(model.requests).toHaveLength(requests);
});

test("images of a model or a tool are never loaded", async () => {
	const { editor, model } = story;
	let hits = 0;
	const canary = createServer((_request, response) => {
		hits++;
		response.end();
	}).listen(0, "127.0.0.1");
	await once(canary, "listening");
	const { port } = canary.address() as AddressInfo;
	const image = (name: string): string =>
		`![${name}](http://127.0.0.1:${port}/${name}.png) <img src="http://127.0.0.1:${port}/${name}-html.png">`;
	model.next(echo({ text: image("argument") }), { text: `${image("answer")}\n\nNo picture.` });
	await editor.chat.send("@mcp show a picture");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("No picture.");
	await editor.chat.waitUntilDone();
	expect(await editor.chat.lastText()).toMatch(/! answer/);
	await editor.screenshot("chat-images");
	expect(hits).toBe(0);
	canary.close();
});

test("a turn ends at the limit of rounds and reports it", async () => {
	const { editor, model } = story;
	model.next(echo({ text: "round 1" }), echo({ text: "round 2" }), echo({ text: "round 3" }));
	await editor.chat.send("@mcp go round and round");
	await answerCall(editor, 1, "Allow Once");
	await answerCall(editor, 2, "Allow Once");
	await answerCall(editor, 3, "Allow Once");
	await editor.chat.waitForText("The model answered 3 times in this turn, which is the limit");
	await editor.chat.waitUntilDone();
	expect(await questionCount(editor)).toBe(3);
});

test("a running tool shows its progress in the chat and the status bar, and stopping the turn cancels it", async () => {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: "slow", arguments: { steps: 1200, stepMs: 100 } }] });
	await editor.chat.send("@mcp take your time");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText(/small · slow: step \d+ of 1200/);
	await editor.waitForStatusHover("MCP 1", /small: slow, step \d+ of 1200/);
	await editor.screenshot("progress-tool");
	const before = cancelled();
	await editor.chat.stop();
	await editor.chat.waitUntilDone();
	await expect.poll(cancelled, { timeout: patience }).toBe(before + 1);
	await expect.poll(() => editor.waitForStatus("MCP 1"), { timeout: patience }).toBe("MCP 1");

	// The editor shows nothing of a stopped turn: the outcome of its call is reported in the next one (TOL-25).
	const requests = model.requests.length;
	model.next({ text: "It was stopped." });
	const answer = await editor.chat.ask("@mcp what came of it?");
	for (const text of ["After you stopped the answer", "It may have taken effect", "It was stopped."]) {
		expect(answer).toContain(text);
	}
	await editor.screenshot("progress-stopped");
	const { body } = await model.request(requests);
	expect(JSON.stringify(body.messages)).toContain("It may have taken effect");
});

test("a long read is shown as running, and its Cancel reaches the server", async () => {
	const { editor } = story;
	await editor.palette.run("MCP Host: Use Resource Template…");
	await editor.palette.pick("An Item");
	await editor.editors.waitForActive("Template: An Item");
	const form = await editor.webview.document("Open a resource from An Item");
	await form.getByRole("combobox", { name: "id" }).fill("slow");
	await form.getByRole("button", { name: "Open Resource" }).click();
	const title = "Reading small://item/slow of small";
	await editor.dialogs.waitForNotification(new RegExp(`${title}: step \\d+ of 600`));
	await editor.screenshot("progress-read");
	// Questions for completions may have been cancelled before.
	const before = cancelled();
	await editor.dialogs.answerNotification(title, "Cancel");
	await expect.poll(cancelled, { timeout: patience }).toBe(before + 1);
	await expect.poll(() => editor.dialogs.notification(title).count(), { timeout: patience }).toBe(0);
	// A cancellation by the user needs no message.
	expect(await editor.dialogs.notification(/./).count()).toBe(0);
});

test("a long prompt request is shown as running, and its Cancel reaches the server", async () => {
	const { editor } = story;
	await editor.palette.run("MCP Host: Run Prompt…");
	await editor.palette.pick("Greet Someone");
	await editor.palette.enter("Spain");
	await editor.palette.enter("Madrid");
	await editor.palette.enter("slow");
	await editor.dialogs.waitForNotification(/step \d+ of 600/);
	await editor.screenshot("progress-prompt");
	// Questions for completions may have been cancelled before.
	const before = cancelled();
	await editor.dialogs.answerNotification(/step \d+ of 600/, "Cancel");
	await expect.poll(cancelled, { timeout: patience }).toBe(before + 1);
	await expect.poll(() => editor.dialogs.notification(/./).count(), { timeout: patience }).toBe(0);
});

test("@mcp answers as the first action in a window", async () => {
	const window = await story.editor.newWindow();
	await window.chat.open();
	await window.chat.waitForModel("scripted-model");
	expect(await window.chat.ask("@mcp /servers")).toContain("small");
	story.model.next({ text: "Good morning." });
	await window.chat.ask("@mcp hello");
	await window.chat.waitForText("Good morning.");
	await window.page.close();
});
