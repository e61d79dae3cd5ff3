/** Stories of models on the user's machine: a context that is too short is reported, and fixed from the chat. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry, other: smallEntry }, followsColorScheme, {
		ollama: { context: 2048, most: 131_072 },
	});
});
afterAll(() => story?.[Symbol.asyncDispose]());

test("the chat reports that a model's context is too short for all tools, and has its server make a copy with more (TOL-30)", async () => {
	const { editor, model } = story;
	const { chat, palette, dialogs } = editor;
	model.otherwise({ text: "Hello." });
	await chat.ask("@mcp hello");
	expect(await chat.lastText()).toMatch(
		/scripted-model has a context of [\d,]+ tokens\. All \d+ tools would need ~[\d,]+ tokens/,
	);
	await takePictures(editor, "context-too-short");
	await chat.clickLink("Set a Longer Context…");
	await palette.pick("32,768 tokens");
	expect(await dialogs.waitForModal("Create the model scripted-model:32k?")).toContain("with num_ctx 32768");
	await editor.screenshot("context-longer-question");
	await dialogs.answerModal("Create");
	await dialogs.waitForNotification("scripted-model:32k was created");
	await dialogs.clearNotifications();
	await chat.chooseModel("scripted-model", "scripted-model:32k");
	await chat.ask("@mcp hello again");
	expect(await chat.lastText()).not.toContain("has a context of");
	await expect.poll(() => model.requests.at(-1)?.body.model, { timeout: patience }).toBe("scripted-model:32k");
});
