/**
 * Stories of sampling requests: exactly the request that the user sends reaches the model, and exactly the completion
 * that they return reaches the server.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, reviewPanel, toolResults } from "./fixtures/chatStory.ts";
import { faultyEntry, samplingEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";

const completionName = "Text that the server receives";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{
			modern: (log) => smallEntry(log, "--era", "modern"),
			legacy: (log) => smallEntry(log, "--era", "legacy"),
			afterthought: (log) => faultyEntry("afterthought", log),
			borrower: (log) => samplingEntry(log, "--era", "legacy"),
		},
		{},
		{ models: ["scripted-model", "x-ai/grok-4"], images: true },
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call `ask` of a server, allows the call, and returns the review of the server's sampling request. */
async function ask(server: string, question: string): Promise<Awaited<ReturnType<typeof reviewPanel>>> {
	const { editor, model } = story;
	// The panel of the previous story closes when its request has ended.
	await editor.webview.waitUntilClosed();
	model.next({ toolCalls: [{ nameEndsWith: `${server}_ask`, arguments: { question } }] });
	await editor.chat.send(`@mcp let ${server} ask`);
	await answerCall(editor, 1, "Allow Once");
	const review = await reviewPanel(editor);
	// The panel opened automatically, so it must not have taken the focus.
	expect(await editor.page.locator("iframe.webview:focus").count()).toBe(0);
	return review;
}

test("the model gets the edited request and the server the edited completion, byte for byte", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const review = await ask("modern", "Draft?\r\nSecond line");
	expect(await review.locator("main").innerText()).toContain("Server: modern");
	const edited = "Edited?\n\tTab, é, \u{1F600} and \u00A0blank ";
	await review.getByRole("textbox", { name: "System prompt" }).fill("Answer in three words.");
	await review.getByRole("textbox", { name: /user/ }).fill(edited);
	await review.getByText("Parameters").click();
	await review.getByRole("textbox", { name: "Max tokens" }).fill("50");
	// The model's own answer in the chat is request `requests`, the sampling the next one.
	expect(model.requests).toHaveLength(requests + 1);
	await editor.screenshot("sampling-modern-request");
	model.next({ text: "Three words only." });
	await review.getByRole("button", { name: "Send to Model" }).click();
	const { body } = await model.request(requests + 1);
	expect(body.messages).toEqual([
		{ role: "system", content: "Answer in three words." },
		{ role: "user", content: edited },
	]);
	expect([body["max_tokens"] ?? body["max_completion_tokens"], body["temperature"]]).toEqual([50, 0.5]);

	const completion = review.getByRole("textbox", { name: completionName });
	await completion.waitFor();
	expect(await completion.inputValue()).toBe("Three words only.");
	const returned = "Returned\n\u{1F3D6}  by hand ";
	await completion.fill(returned);
	expect(story.receivedText("modern")).not.toContain("Three words only.");
	model.next({ text: "Done." });
	await review.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("Done.");
	// The tool's result is the completion as the server received it.
	const [result = ""] = toolResults(await model.request(requests + 2));
	expect(JSON.parse(result)).toMatchObject({ model: "scripted-model", content: { type: "text", text: returned } });
	expect(story.receivedText("modern")).not.toContain("Three words only.");
	await editor.webview.waitUntilClosed();
});

test("a request that is rejected, or whose panel is closed, reaches no model, and the server receives the rejection", async () => {
	const { editor, model } = story;
	for (const refuse of ["Reject", "close"] as const) {
		const requests = model.requests.length;
		const review = await ask("legacy", `Will you ${refuse}?`);
		await review.getByRole("button", { name: "Reject", exact: true }).waitFor();
		model.next({ text: `After ${refuse}.` });
		if (refuse === "Reject") await review.getByRole("button", { name: "Reject", exact: true }).click();
		else await editor.editors.close("Review: legacy");
		await editor.chat.waitForText(`After ${refuse}.`);
		// Only the two answers of the chat's own turn.
		expect(model.requests).toHaveLength(requests + 2);
		expect(toolResults(await model.request(requests + 1)).join()).toContain("User rejected sampling request");
	}
	expect(story.receivedText("legacy")).toContain('"code":-1');
});

test("a request outside of any call is announced, opens nothing and does not take the focus (UI-11)", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	model.next({ toolCalls: [{ nameEndsWith: "afterthought_echo" }] }, { text: "It will come back to this." });
	await editor.chat.send("@mcp let it think");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("It will come back to this.");
	await editor.chat.type("@mcp my next");
	// Searched among the toasts: opening the list of notifications would take the focus.
	await editor.dialogs.notification("afterthought (server) asks for a completion").waitFor({ timeout: patience });
	await editor.tree.view("Pending").row("afterthought");
	await editor.page.keyboard.type(" thought");
	await editor.chat.inputPart.locator(".view-line", { hasText: /my.next.thought/ }).waitFor();
	expect(await editor.editors.titles()).toEqual([]);
	await editor.screenshot("sampling-unasked");

	await editor.dialogs.answerNotification("afterthought (server)", "Review");
	const review = await reviewPanel(editor);
	expect(await review.locator("main").innerText()).toContain("on its own");
	await review.getByRole("button", { name: "Reject", exact: true }).click();
	await editor.webview.waitUntilClosed();
	await expect.poll(() => story.receivedText("afterthought")).toContain('"code":-1');
	expect(model.requests).toHaveLength(requests + 2);
});

test("a rejected completion does not reach the server, the reason does", async () => {
	const { editor, model } = story;
	const review = await ask("modern", "And the completion?");
	model.next({ text: "A secret completion." });
	await review.getByRole("button", { name: "Send to Model" }).click();
	await review.getByRole("textbox", { name: completionName }).waitFor();
	model.next({ text: "After the rejected completion." });
	await review.getByRole("button", { name: "Add Reason…" }).click();
	await review.getByRole("textbox", { name: "Reason for the server" }).fill("It tells too much.");
	await review.getByRole("button", { name: "Reject", exact: true }).click();
	await editor.chat.waitForText("After the rejected completion.");
	expect(toolResults(await model.request(model.requests.length - 1)).join()).toContain(
		"User rejected sampling request: It tells too much.",
	);
	expect(story.receivedText("modern")).not.toContain("A secret completion.");
});

test("the user answers by hand, and no model is asked", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const review = await ask("modern", "Who are you?");
	await review.getByRole("button", { name: "Answer by Hand" }).click();
	const completion = review.getByRole("textbox", { name: completionName });
	await completion.fill("A user.\n");
	await editor.screenshot("sampling-by-hand");
	model.next({ text: "So it was a user." });
	await review.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("So it was a user.");
	const [result = ""] = toolResults(await model.request(requests + 1));
	expect(JSON.parse(result)).toMatchObject({ model: "human", content: { type: "text", text: "A user.\n" } });
	expect(model.requests).toHaveLength(requests + 2);
});

test("another model answers as well, an answer is stopped, and the user returns to the first", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const review = await ask("legacy", "Which model?");
	const completion = review.getByRole("textbox", { name: completionName });
	model.next({ text: "From the first model." });
	await review.getByRole("button", { name: "Send to Model" }).click();
	await completion.waitFor();

	const { promise: never } = Promise.withResolvers<void>();
	model.next({ text: "From the second mod", holdAfterText: never });
	await review.getByRole("button", { name: "Regenerate with Another Model" }).click();
	await review.getByRole("menuitem", { name: /grok-4/ }).click();
	await review.locator("#stream", { hasText: "From the second mod" }).waitFor();
	await editor.screenshot("sampling-streaming");
	await review.getByRole("button", { name: "Stop", exact: true }).click();
	await review.getByText("You stopped the answer here.").waitFor();
	await expect.poll(() => completion.inputValue()).toBe("From the second mod");
	expect((await model.request(requests + 2)).body.model).toBe("x-ai/grok-4");
	await expect.poll(() => model.requests[requests + 2]?.aborted).toBe(true);

	model.next({ status: 429, errorMessage: "Slow down", headers: { "retry-after": "3600" } });
	await review.getByRole("button", { name: "Regenerate", exact: true }).click();
	await review.getByText(/did not answer/).waitFor({ timeout: patience });
	await editor.screenshot("sampling-failed");

	await review.getByRole("combobox", { name: "Completions so far" }).selectOption({ index: 0 });
	await expect.poll(() => completion.inputValue()).toBe("From the first model.");
	model.next({ text: "The first it is." });
	await review.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("The first it is.");
	const [result = ""] = toolResults(await model.request(model.requests.length - 1));
	expect(JSON.parse(result)).toMatchObject({ model: "scripted-model", content: { text: "From the first model." } });
});

test("a server's own tools: the model's call and the tool's result are reviewed, edited and returned", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	await editor.webview.waitUntilClosed();
	model.next({ toolCalls: [{ nameEndsWith: "borrower_agent", arguments: { question: "Is it warm in Rome?" } }] });
	await editor.chat.send("@mcp let the agent work");
	await answerCall(editor, 1, "Allow Once");
	let review = await reviewPanel(editor);
	expect(await review.getByRole("textbox", { name: "Tools" }).inputValue()).toContain("getWeather");
	model.next({ toolCalls: [{ nameEndsWith: "getWeather", arguments: { city: "Rome" } }] });
	await review.getByRole("button", { name: "Send to Model" }).click();
	const call = review.getByRole("textbox", { name: "Call of getWeather" });
	await call.waitFor();
	expect(JSON.parse(await call.inputValue())).toEqual({ city: "Rome" });
	await call.fill('{"city":"Oslo"}');
	await editor.screenshot("sampling-tool-call");
	await review.getByRole("button", { name: "Return to Server" }).click();

	// The next request may replace the first one's panel at once.
	review = await editor.webview.document("Tool result");
	expect(await review.getByRole("textbox", { name: /assistant/ }).inputValue()).toContain("Oslo");
	await editor.screenshot("sampling-tool-result");
	model.next({ text: "It is cold in Oslo." });
	await review.getByRole("button", { name: "Send to Model" }).click();
	await review.getByRole("textbox", { name: completionName }).waitFor();
	model.next({ text: "The agent is done." });
	await review.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("The agent is done.");
	const { body } = await model.request(requests + 2);
	expect(body.messages.map(({ role }) => role)).toEqual(expect.arrayContaining(["assistant", "tool"]));
	expect(body.messages.find(({ role }) => role === "assistant")?.tool_calls?.[0]?.function.arguments).toContain("Oslo");
	expect(toolResults(await model.request(model.requests.length - 1)).join()).toContain("It is cold in Oslo.");
});

/** A square of one colour, 16 by 16. */
const image =
	"iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR4nGNkYPjPQApgIkn1qIZRDUNKAwCeAgEfW0cXxQAAAABJRU5ErkJggg==";

/** A tenth of a second of silence, as WAV: 800 samples of 8 bits. */
const sound = Buffer.from(
	`524946464403000057415645666d74201000000001000100401f0000401f00000100080064617461200300${"00" + "80".repeat(800)}`,
	"hex",
).toString("base64");

test("an image and a sound in a message are shown, played and sent, and can be removed", async () => {
	const { editor, model } = story;
	const params = {
		messages: [
			{
				role: "user",
				content: [
					{ type: "text", text: "What is it?" },
					{ type: "image", data: image, mimeType: "image/png" },
					{ type: "audio", data: sound, mimeType: "audio/wav" },
				],
			},
		],
		maxTokens: 50,
	};
	for (const isKept of [true, false]) {
		const requests = model.requests.length;
		await editor.webview.waitUntilClosed();
		model.next({ toolCalls: [{ nameEndsWith: "borrower_sample", arguments: { params } }] });
		await editor.chat.send(`@mcp show it ${isKept ? "first" : "again"}`);
		await answerCall(editor, 1, "Allow Once");
		const review = await reviewPanel(editor);
		const shown = review.locator("img").first();
		await shown.waitFor();
		await expect
			.poll(() => shown.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth))
			.toBe(16);
		const played = review.locator("audio");
		await expect.poll(() => played.evaluate((node) => (node as unknown as { duration: number }).duration)).toBe(0.1);
		if (!isKept) {
			await review.getByRole("button", { name: "Remove Part 2 of Message 1" }).click();
			await review.getByRole("button", { name: "Remove Part 3 of Message 1" }).click();
		}
		await editor.screenshot(`sampling-image-${isKept ? "kept" : "removed"}`);
		model.next({ text: "A square." });
		await review.getByRole("button", { name: "Send to Model" }).click();
		const { body } = await model.request(requests + 1);
		const sent = JSON.stringify(body.messages);
		expect([sent.includes(image), sent.includes(sound)]).toEqual([isKept, isKept]);
		await review.getByRole("textbox", { name: completionName }).waitFor();
		model.next({ text: `It was a square, ${isKept}.` });
		await review.getByRole("button", { name: "Return to Server" }).click();
		await editor.chat.waitForText(`It was a square, ${isKept}.`);
	}
});
