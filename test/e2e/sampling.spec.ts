/** Stories of sampling requests: exactly what the person sends goes to the model, and exactly what they return to the server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, reviewPanel, toolResults } from "./fixtures/chatStory.ts";
import { faultyEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({
		modern: (log) => smallEntry(log, "--era", "modern"),
		legacy: (log) => smallEntry(log, "--era", "legacy"),
		afterthought: (log) => faultyEntry("afterthought", log),
	});
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call `ask` of a server, allows the call, and returns the review of the server's sampling request. */
async function ask(server: string, question: string): Promise<Awaited<ReturnType<typeof reviewPanel>>> {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: `${server}_ask`, arguments: { question } }] });
	await editor.chat.send(`@mcp let ${server} ask`);
	await answerCall(editor, 1, "Allow Once");
	const review = await reviewPanel(editor);
	// The panel opened by itself, so it must not have taken the focus.
	expect(await editor.page.locator("iframe.webview:focus").count()).toBe(0);
	return review;
}

for (const era of ["modern", "legacy"]) {
	test(`${era}: the model gets the edited request and the server the edited completion, byte for byte`, async () => {
		const { editor, model } = story;
		const requests = model.requests.length;
		const review = await ask(era, "Draft?\r\nSecond line");
		expect(await review.locator("main").innerText()).toContain(`Server: ${era}`);
		const edited = "Edited?\n\tTab, é, \u{1F600} and \u00A0blank ";
		await review.getByRole("textbox", { name: "System prompt" }).fill("Answer in three words.");
		await review.getByRole("textbox", { name: /user/ }).fill(edited);
		await review.getByRole("textbox", { name: "Max tokens" }).fill("50");
		// The model's own answer in the chat is request `requests`, the sampling the next one.
		expect(model.requests).toHaveLength(requests + 1);
		await editor.screenshot(`sampling-${era}-request`);
		model.next({ text: "Three words only." });
		await review.getByRole("button", { name: "Send to Model" }).click();
		const { body } = await model.request(requests + 1);
		expect(body.messages).toEqual([
			{ role: "system", content: "Answer in three words." },
			{ role: "user", content: edited },
		]);
		expect([body["max_tokens"] ?? body["max_completion_tokens"], body["temperature"]]).toEqual([50, 0.5]);

		const completion = review.getByRole("textbox", { name: "Text that the server gets" });
		await completion.waitFor();
		expect(await completion.inputValue()).toBe("Three words only.");
		const returned = "Returned\n\u{1F3D6}  by hand ";
		await completion.fill(returned);
		expect(story.receivedText(era)).not.toContain("Three words only.");
		model.next({ text: `Done with ${era}.` });
		await review.getByRole("button", { name: "Return to Server" }).click();
		await editor.chat.waitForText(`Done with ${era}.`);
		// The tool's result is the completion as the server received it.
		const [result = ""] = toolResults(await model.request(requests + 2));
		expect(JSON.parse(result)).toMatchObject({ model: "scripted-model", content: { type: "text", text: returned } });
		expect(story.receivedText(era)).not.toContain("Three words only.");
		await editor.webview.waitUntilClosed();
	});

	test(`${era}: a request that is rejected, or whose panel is closed, reaches no model and the server is told`, async () => {
		const { editor, model } = story;
		for (const refuse of ["Reject", "close"] as const) {
			const requests = model.requests.length;
			const review = await ask(era, `Will you ${refuse}?`);
			await review.getByRole("button", { name: "Reject" }).waitFor();
			model.next({ text: `After ${refuse}.` });
			if (refuse === "Reject") await review.getByRole("button", { name: "Reject" }).click();
			else await editor.editors.close(`Review: ${era}`);
			await editor.chat.waitForText(`After ${refuse}.`);
			// Nothing but the two answers of the chat's own turn.
			expect(model.requests).toHaveLength(requests + 2);
			expect(toolResults(await model.request(requests + 1)).join()).toContain("User rejected sampling request");
		}
		if (era === "legacy") expect(story.receivedText(era)).toContain('"code":-1');
	});
}

test("a request outside of any call is announced, opens nothing and leaves the focus where it is (UI-11)", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	model.next({ toolCalls: [{ nameEndsWith: "afterthought_echo" }] }, { text: "It will come back to this." });
	await editor.chat.send("@mcp let it think");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("It will come back to this.");
	await editor.chat.type("@mcp my next");
	await editor.dialogs.waitForNotification("afterthought (server) asks for a completion");
	expect(await editor.tree.view("Pending").text()).toContain("afterthought");
	await editor.page.keyboard.type(" thought");
	await editor.chat.inputPart.locator(".view-line", { hasText: /my.next.thought/ }).waitFor();
	expect(await editor.editors.titles()).toEqual([]);
	await editor.screenshot("sampling-unasked");

	await editor.dialogs.answerNotification("afterthought (server)", "Review");
	const review = await reviewPanel(editor);
	expect(await review.locator("main").innerText()).toContain("on its own");
	await review.getByRole("button", { name: "Reject" }).click();
	await editor.webview.waitUntilClosed();
	await expect.poll(() => story.receivedText("afterthought")).toContain('"code":-1');
	expect(model.requests).toHaveLength(requests + 2);
});

test.each(["modern", "legacy"])("%s: a completion that is rejected does not reach the server", async (era) => {
	const { editor, model } = story;
	const review = await ask(era, "And the completion?");
	model.next({ text: "A secret completion." });
	await review.getByRole("button", { name: "Send to Model" }).click();
	await review.getByRole("textbox", { name: "Text that the server gets" }).waitFor();
	model.next({ text: "After the rejected completion." });
	await review.getByRole("button", { name: "Reject" }).click();
	await editor.chat.waitForText("After the rejected completion.");
	expect(toolResults(await model.request(model.requests.length - 1)).join()).toContain(
		"User rejected sampling request",
	);
	expect(story.receivedText(era)).not.toContain("A secret completion.");
});

test("a review whose server has died says so, and its buttons are dead", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const review = await ask("legacy", "Are you still there?");
	await review.getByRole("button", { name: "Send to Model" }).waitFor();
	model.next({ text: "It is gone." });
	story.kill("legacy");
	await review.locator(".end", { hasText: "legacy stopped before you answered." }).waitFor({ timeout: patience });
	for (const name of ["Send to Model", "Reject"]) {
		expect(await review.getByRole("button", { name }).isDisabled()).toBe(true);
	}
	await editor.chat.waitForText("It is gone.");
	expect(model.requests).toHaveLength(requests + 2);
	await editor.screenshot("sampling-server-gone");
});
