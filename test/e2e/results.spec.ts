/** Stories of results of tools: shown to the user, sent to the model, and without automatic effects. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { answerCall, ChatStory, questionLink, toolResults } from "./fixtures/chatStory.ts";
import { resultEntry } from "./fixtures/serverEntries.ts";
import { writtenByUs } from "./fixtures/written.ts";
import { patience } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ results: resultEntry }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call a tool, allows it, and waits for the end of the turn. Returns the result that the model received. */
async function run(tool: string, args: object = {}): Promise<string> {
	const { editor, model } = story;
	const requests = model.requests.length;
	model.next({ toolCalls: [{ nameEndsWith: `_${tool}`, arguments: args }] }, { text: `That was ${tool}.` });
	await editor.chat.send(`@mcp call ${tool}`);
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText(`That was ${tool}.`);
	await editor.chat.waitUntilDone();
	return toolResults(await model.request(requests + 1)).join("\n");
}

/** The panel that a link below the result opens. */
async function opened(link: string, tool: string): Promise<FrameLocator> {
	await story.editor.chat.clickLink(link);
	return story.editor.webview.document(tool);
}

test("an image and a recording open from the chat", async () => {
	const { editor } = story;
	await run("picture");
	expect(await editor.chat.lastText()).toMatch(/image\/png, .* KB, 320 × 200.*audio\/wav/s);
	await takePictures(editor, "result-in-chat");
	const panel = await opened("Show Image", "picture");
	const image = panel.getByRole("img", { name: /image\/png/ });
	await image.waitFor({ timeout: patience });
	await expect.poll(() => image.evaluate((element: { naturalWidth?: number }) => element.naturalWidth)).toBe(320);
	await panel.locator("audio").waitFor({ timeout: patience });
	await takePictures(editor, "result-image");
});

test("structured content is shown as a table, and sent to the model once", async () => {
	const { editor } = story;
	const told = await run("flights");
	expect(JSON.parse(told)).toMatchObject({ currency: "EUR", flights: [{ number: "VY 6001" }, {}, {}] });
	const panel = await opened("Show Table", "flights");
	await panel.getByRole("columnheader", { name: "euros" }).waitFor({ timeout: patience });
	expect(await panel.getByRole("row").count()).toBe(4);
	await takePictures(editor, "result-table");
});

test("a long result is shown whole to the user, in an editor, and sent shortened to the model (TOL-27, TOL-28)", async () => {
	const { editor } = story;
	const told = await run("log");
	expect(told.length).toBeLessThan(5000);
	expect(told).toContain("The whole result is 45,001 lines of text.");
	expect(await editor.chat.lastText()).toMatch(/3\.9 KB of 2\.\d MB were sent to the model, which can request more/);
	await editor.chat.clickLink("Open Whole Result");
	await editor.editors.waitForActive(/^log result\.txt$/);
	await editor.editors.waitForText("7 INFO all is well in the engine room today");
	await takePictures(editor, "result-long");

	expect(JSON.parse(await run("prices"))).toMatchObject({ currency: "EUR", prices: { length: 300 } });
	expect(await editor.chat.lastText()).toMatch(/received it once, which saves ~[\d,]+ tokens/);
	await editor.chat.clickLink("Open Whole Result");
	await editor.editors.waitForActive(/^prices result\.json$/);
	await editor.editors.waitForText('"currency": "EUR"');
	await takePictures(editor, "result-long-json");
});

test("the model's thoughts and the cost of the turn are folded in it (MDL-10, MDL-11)", async () => {
	const { editor, model } = story;
	model.next(
		{
			reasoning: "The user wants prices. I should call the tool that has them.",
			toolCalls: [{ nameEndsWith: "_prices", arguments: {} }],
			usage: { prompt_tokens: 2100, completion_tokens: 40 },
		},
		{
			reasoning: "Now I have them.",
			text: "Those were the prices.",
			usage: { prompt_tokens: 12_000, completion_tokens: 60, prompt_tokens_details: { cached_tokens: 2048 } },
		},
	);
	await editor.chat.send("@mcp think of prices");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("Those were the prices.");
	await editor.chat.waitUntilDone();
	expect(await editor.chat.lastText()).not.toContain("I should call");
	await editor.chat.reveal(editor.chat.link(/tokens in/));
	await takePictures(editor, "turn-bill-in-chat");
	await editor.chat.clickLink("Thoughts");
	await editor.editors.waitForActive(/^Thoughts\.txt$/);
	await editor.editors.waitForText("Now I have them.");
	await takePictures(editor, "turn-thoughts");

	await editor.chat.clickLink(/^14,100 tokens in \(2,048 of them cached\), 100 out/);
	await editor.editors.waitForActive(/^Token Bill\.txt$/);
	await editor.editors.waitForText("results: definitions");
	await takePictures(editor, "turn-bill");
});

test("data that a model wants back with its calls is returned to it, and is never stored by us (MDL-02)", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const offered = model.requests.at(-1)?.body.tools ?? [];
	const name = offered.map((tool) => tool.function.name).find((one) => one.endsWith("_flights"));
	const extra_content = { google: { thought_signature: "opaque-5e1d+/=" } };
	const call = { index: 0, id: "signed-1", type: "function", function: { name, arguments: "{}" }, extra_content };
	const delta = { role: "assistant", reasoning_content: "thought-5e1d", tool_calls: [call] };
	const choices = [{ index: 0, delta, finish_reason: "tool_calls" }];
	model.next({ chunks: [{ model: "m", choices }] }, { text: "Those are signed." });
	await editor.chat.send("@mcp which flights, signed?");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("Those are signed.");
	await editor.chat.waitUntilDone();
	const sent = JSON.stringify((await model.request(requests + 1)).body.messages);
	expect(sent).toContain("opaque-5e1d+/=");
	expect(sent).toContain("thought-5e1d");
	// The call itself is recorded.
	await expect.poll(() => writtenByUs(editor), { timeout: patience }).toContain("flights");
	expect(await writtenByUs(editor)).not.toContain("5e1d");
	expect(story.receivedText("results")).not.toContain("5e1d");
});

test("a model reads a resource only when the user allows it, like any other call", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const read = { name: "read_resource", arguments: { server: "results", uri: "trips://barcelona" } };
	model.next({ toolCalls: [read] }, { text: "Then not." });
	await editor.chat.send("@mcp what do you know of my trips?");
	await questionLink(editor, 1, "Allow Once");
	expect(await editor.chat.lastText()).toMatch(/results · resources\/read.*read-only.*uri.*trips:\/\/barcelona/s);
	await takePictures(editor, "result-read-resource");
	await answerCall(editor, 1, "Deny");
	await editor.chat.waitForText("Then not.");
	expect(story.received("results", "resources/read")).toEqual([]);

	model.next({ toolCalls: [read] }, { text: "Five days in May." });
	await editor.chat.send("@mcp please look");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("Five days in May.");
	expect(story.received("results", "resources/read")).toMatchObject([{ params: { uri: "trips://barcelona" } }]);
	expect(toolResults(await model.request(requests + 3))).toEqual([
		"Resource trips://barcelona:\nThe contents of trips://barcelona",
	]);
});

test("nothing that a result names is loaded, opened or run automatically (TOL-17, UI-01 to UI-04, UI-10)", async () => {
	const { editor } = story;
	let hits = 0;
	const canary = createServer((_request, response) => {
		hits++;
		response.end();
	}).listen(0, "127.0.0.1");
	await once(canary, "listening");
	const { port } = canary.address() as AddressInfo;
	const pages = editor.page.context().pages().length;
	const reads = story.received("results", "resources/read").length;
	await run("hostile", { canary: `http://127.0.0.1:${port}` });
	const response = editor.chat.lastResponse();
	expect(await response.locator(".value img").count()).toBe(0);
	const targets = await response
		.locator(".rendered-markdown a")
		.evaluateAll((links: { readonly textContent: string | null }[]) => links.map(({ textContent }) => textContent));
	const ours =
		/^(?:About [\d,]+ tokens in.*|Allow Once|Deny|Edit…|Always…|Deny with Reason…|Details|Show in Trace|Open Whole Result|Open Resource \d|Show Changes)$/;
	const shown = targets.map((words) => (words ?? "").replaceAll("\u00A0", " "));
	expect(shown.filter((words) => words !== "" && !ours.test(words))).toEqual([]);
	await takePictures(editor, "result-hostile");
	const panel = await opened("Details", "hostile");
	await panel.getByText("vscode-resource:/etc/passwd").first().waitFor({ timeout: patience });
	expect(await panel.locator("main :is(img, iframe, script, a, object)").count()).toBe(0);
	await editor.screenshot("result-hostile-details");
	expect(hits).toBe(0);
	expect(story.received("results", "resources/read")).toHaveLength(reads);
	expect(editor.page.context().pages()).toHaveLength(pages);
	canary.close();
});

test("a resource link in a result opens on a click, and is read from its server", async () => {
	const { editor } = story;
	await run("linked");
	const reads = story.received("results", "resources/read").length;
	await editor.chat.clickLink("Open Resource 2");
	await editor.page.getByText("The contents of trips://unlisted").first().waitFor({ timeout: patience });
	// One read serves all requests within two seconds: an editor that takes longer to open reads once more.
	const read = story.received("results", "resources/read").slice(reads);
	expect(new Set(read.map(({ params }) => (params as { readonly uri: string }).uri))).toEqual(
		new Set(["trips://unlisted"]),
	);
	await editor.screenshot("result-opened-resource");
});

test("an attached resource is sent to the model, read from its server", async () => {
	const { editor, model } = story;
	await run("linked");
	await editor.chat.clickLink("Open Resource 2");
	await editor.editors.waitForText("The contents of trips://unlisted");
	const requests = model.requests.length;
	// The resource in the active editor.
	await editor.editors.titleAction("Attach to Chat");
	await editor.chat.inputPart
		.locator(".chat-attached-context-attachment")
		.filter({ hasText: "unlisted" })
		.waitFor({ timeout: patience });
	model.next({ text: "I see your trip." });
	await editor.chat.ask("@mcp what is this?");
	const said = JSON.stringify((await model.request(requests)).body.messages.at(-1));
	expect(said).toMatch(/Attached: trips:\/\/unlisted .*The contents of trips:\/\/unlisted/);
});
