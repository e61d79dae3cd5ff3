/** Stories of when apps open: automatically, while a model still writes, and not at all. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { appEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";

const title = "Budget · finance";
let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{ finance: appEntry },
		{
			...followsColorScheme,
			"mcpHost.apps": "firstTime",
			"mcpHost.policy.rules": [{ decision: "allow", server: "finance", tool: "budget" }],
		},
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The content that the app shows. */
async function shown(): Promise<FrameLocator> {
	return (await story.editor.webview.app()).app;
}

test("the first call that needs no question opens its app while the model writes; a second call leaves the editors alone (APP-12, APP-24)", async () => {
	const { editor, model } = story;
	const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
	const piece = (call: object): object => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] });
	const begun = { name: "finance_budget", arguments: '{"year": 2031, "why": "for M' };
	model.next(
		{
			chunks: [
				piece({ id: "call_1", type: "function", function: begun }),
				held,
				piece({ function: { arguments: 'ay"}' } }),
				{ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
			],
		},
		{ text: "That is the budget." },
		{ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2031 } }] },
		{ text: "It is as before." },
	);
	await editor.chat.send("@mcp what is left of 2031?");
	const app = await shown();
	await app.getByText("Budget of 2031, as far as it is written").waitFor({ timeout: patience });
	expect(story.received("finance", "tools/call")).toEqual([]);
	await takePictures(editor, "app-while-written");
	goOn();
	await app.getByText("750 of 1000 left").waitFor({ timeout: patience });
	expect(await app.locator("h1").innerText()).toBe("Budget of 2031");
	await editor.chat.waitForText("That is the budget.");
	await editor.chat.waitUntilDone();
	// The text is shown in the chat, with or without an app.
	expect(await editor.chat.lastText()).toContain("750 of 1000 left");
	await editor.editors.close(title);

	await editor.chat.send("@mcp and now?");
	await editor.chat.waitForText("It is as before.");
	await editor.chat.waitUntilDone();
	expect(story.received("finance", "tools/call")).toHaveLength(2);
	expect(await editor.editors.titles()).not.toContain(title);
});

test("with apps turned off, results are plain text and servers receive no app capability (APP-01, APP-12)", async () => {
	const { editor, model } = story;
	const told = (): number => story.receivedText("finance").split("io.modelcontextprotocol/ui").length;
	const before = told();
	expect(before).toBeGreaterThan(1);
	await story.beginAnew({ "mcpHost.apps": "off" });
	model.next({ toolCalls: [{ nameEndsWith: "_budget", arguments: { year: 2032 } }] }, { text: "There is enough." });
	await editor.tree.waitForRunning("finance");
	await editor.chat.send("@mcp what is left of 2032?");
	await editor.chat.waitForText("There is enough.");
	await editor.chat.waitUntilDone();
	const text = await editor.chat.lastText();
	expect(text).toContain("750 of 1000 left");
	expect(text).toContain("Details");
	expect(text).not.toContain("Open App");
	expect(told()).toBe(before);
	expect(story.received("finance", "resources/read")).toHaveLength(1);
});
