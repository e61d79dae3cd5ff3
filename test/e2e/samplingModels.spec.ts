/**
 * Stories of models for servers: hints and priorities choose, prices are shown, and each server has its own models
 * (SMP-08).
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { answerCall, ChatStory, reviewPanel } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { samplingEntry } from "./fixtures/serverEntries.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{ anyone: (log) => samplingEntry(log), narrow: (log) => samplingEntry(log), unread: (log) => samplingEntry(log) },
		{
			...followsColorScheme,
			"mcpHost.sampling.models": { narrow: ["tulu*", "!*70b"], unread: "tulu*" },
			"mcpHost.modelPrices": { "*grok-4": { input: 50, output: 200 } },
		},
		// The chat takes the first by name. Of the others one runs locally, according to its name, and two do not.
		{ models: ["scripted-model", "tulu3:8b", "x-ai/grok-3-mini", "x-ai/grok-4"] },
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call `sample` of a server with such preferences, allows the call, and returns the review. */
async function review(server: string, modelPreferences: JsonObject): Promise<FrameLocator> {
	const { editor, model } = story;
	const messages = [{ role: "user", content: { type: "text", text: `Which model, ${server}?` } }];
	const params = { messages, maxTokens: 400, modelPreferences };
	model.next({ toolCalls: [{ nameEndsWith: `${server}_sample`, arguments: { params } }] });
	await editor.chat.send(`@mcp let ${server} ask`);
	await answerCall(editor, 1, "Allow Once");
	return reviewPanel(editor);
}

/** The reason for the choice of the model, as shown below the list. */
async function reason(panel: FrameLocator): Promise<string> {
	return (await panel.locator("#model-hint").innerText()).trim();
}

function chosen(panel: FrameLocator): Promise<string> {
	return panel.getByRole("combobox", { name: "Model" }).locator("option:checked").innerText();
}

/** Ends a story's turn: the request is rejected and the chat's model ends the turn. */
async function reject(panel: FrameLocator, last: string): Promise<void> {
	story.model.next({ text: last });
	await panel.getByRole("button", { name: "Reject", exact: true }).click();
	await story.editor.chat.waitForText(last);
	await story.editor.webview.waitUntilClosed();
}

test("an unreadable rule is reported when the window opens, and allows nothing meanwhile", async () => {
	const { dialogs } = story.editor;
	await dialogs.waitForNotification(/mcpHost\.sampling\.models, "unread": the models must be a list/);
	await story.editor.screenshot("sampling-models-fault");
	await dialogs.clearNotifications();
});

test("a hint leaves two models and a priority decides; the panel shows the reason, and the cost follows the user's choice", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	// The first has no name, and the second is part of none (BLT-11, BLT-12).
	const panel = await review("anyone", {
		hints: [{}, { name: "claude-9" }, { name: "grok" }],
		intelligencePriority: 0.9,
	});
	await expect.poll(() => chosen(panel)).toContain("x-ai/grok-4");
	await expect
		.poll(() => reason(panel))
		.toBe("Chosen: the server's hint “grok” matches 2 models; the most capable of them; none matches “claude-9”");
	await expect.poll(() => panel.locator(".estimate").innerText()).toMatch(/\$0\.08/);
	await takePictures(editor, "sampling-models-hint");

	await panel
		.getByRole("combobox", { name: "Model" })
		.selectOption({ label: "tulu3:8b · Scripted (127.0.0.1:" + new URL(model.url).port + ")" });
	await expect.poll(() => reason(panel)).toBe("Chosen by you.");
	await expect.poll(() => panel.locator(".estimate").innerText()).toContain("free");
	model.next({ text: "The small one." });
	await panel.getByRole("button", { name: "Send to Model" }).click();
	await panel.getByRole("textbox", { name: "Text that the server receives" }).waitFor();
	expect((await model.request(requests + 1)).body.model).toBe("tulu3:8b");
	await editor.screenshot("sampling-models-completion");
	model.next({ text: "The small one it was." });
	await panel.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("The small one it was.");
	await editor.webview.waitUntilClosed();
});

test("a hinted model that is not available is replaced by one of its class from another provider", async () => {
	const panel = await review("anyone", { hints: [{ name: "claude-3-haiku" }], costPriority: 1, speedPriority: 0.2 });
	await expect.poll(() => chosen(panel)).toContain("tulu3:8b");
	await expect
		.poll(() => reason(panel))
		.toBe(
			"Chosen: the server's hint “claude-3-haiku” matches none of the available models; 2 are of the same class (small, fast), tulu3:8b is the best of them by the server's priorities (cost before speed)",
		);
	await reject(panel, "No haiku.");
});

test("a server gets no model beyond its list, whatever it hints at (SMP-08)", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const panel = await review("narrow", { hints: [{ name: "x-ai/grok-4" }], intelligencePriority: 1 });
	await expect.poll(() => chosen(panel)).toContain("tulu3:8b");
	await expect.poll(() => reason(panel)).toBe("Chosen: the only available model; it does not match “x-ai/grok-4”");
	const refused = panel.getByRole("combobox", { name: "Model" }).locator("option:disabled");
	await expect
		.poll(async () => (await refused.allInnerTexts()).map((text) => text.trim()))
		.toEqual([
			expect.stringMatching(/^scripted-model .*\(not allowed for this server\)$/),
			expect.stringMatching(/^x-ai\/grok-3-mini .*\(not allowed for this server\)$/),
			expect.stringMatching(/^x-ai\/grok-4 .*\(not allowed for this server\)$/),
			expect.stringMatching(/^unreachable-model .*\(not allowed for this server\)$/),
		]);
	await takePictures(editor, "sampling-models-narrow");
	model.next({ text: "Within the list." });
	await panel.getByRole("button", { name: "Send to Model" }).click();
	expect((await model.request(requests + 1)).body.model).toBe("tulu3:8b");
	await panel.getByRole("textbox", { name: "Text that the server receives" }).waitFor();
	await reject(panel, "And no further.");
});

test("a server whose rule cannot be read gets no model, and Manage Models opens the setting", async () => {
	const { editor, model } = story;
	const requests = model.requests.length;
	const panel = await review("unread", { hints: [{ name: "tulu" }] });
	await expect.poll(() => panel.locator("main").innerText()).toContain("No model ");
	await takePictures(editor, "sampling-models-unread");
	await panel.getByRole("button", { name: "Manage Models…" }).click();
	await editor.palette.waitForRow(/mcpHost\.sampling\.models, "unread"/);
	await editor.screenshot("sampling-models-manage");
	await editor.palette.cancel();
	await reject(panel, "Nothing was sent.");
	// The chat's own two, and nothing between them.
	expect(model.requests).toHaveLength(requests + 2);

	await editor.palette.run("MCP Host: Manage Models…");
	await editor.palette.waitForRow("Prices…");
	await editor.palette.pick("Models of Servers…");
	await editor.page
		.locator(".settings-editor")
		.getByText("Controls which models a server may use for sampling")
		.waitFor();
	await editor.screenshot("sampling-models-setting");
});
