/** A story of VS Code's agent as a guest: an agent of another extension that obeys every text, in the editor's own chat. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { agentSettings, callAnnounced, callEcho, foreignAgent } from "./fixtures/foreignAgent.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{ small: smallEntry },
		{
			...followsColorScheme,
			...agentSettings,
			"mcpHost.policy.rules": [{ decision: "allow", server: "small", tool: "echo", arguments: { text: "harmless*" } }],
		},
		{},
		{ otherExtensions: [foreignAgent] },
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The arguments of all calls that the server received. */
function received(): readonly (Json | undefined)[] {
	return story
		.received("small", "tools/call")
		.map(({ params }) => (params as { readonly arguments?: Json } | undefined)?.arguments);
}

test("the editor confirms calls that a rule allows, with the exact arguments, and its permanent approval does not extend our rules (GST-02)", async () => {
	const { editor } = story;
	const { chat, dialogs } = editor;
	const before = received().length;
	const widget = chat.lastResponse().locator(".chat-confirmation-widget2, .chat-confirmation-widget").first();
	await chat.send(`@agent ${callEcho("harmless one")}`);
	await widget.waitFor({ timeout: patience });
	await waitForCondition("The exact arguments", async () => (await widget.innerText()).includes("harmless one"));
	await takePictures(editor, "guest-editor-question");
	expect(received()).toHaveLength(before);
	// The editor's first button allows the tool for as long as the chat lasts.
	await chat.click(widget.getByRole("button", { name: /^Allow/ }).first());
	await chat.waitForText("The agent is done.");
	expect(received().slice(before)).toEqual([{ text: "harmless one" }]);

	await chat.send(`@agent ${callEcho("harmless two")}`);
	await chat.waitForText("The agent is done.");
	expect(received().slice(before)).toEqual([{ text: "harmless one" }, { text: "harmless two" }]);

	await chat.send(`@agent ${callEcho("harmful")}`);
	await dialogs.waitForNotification(callAnnounced);
	expect(received()).toHaveLength(before + 2);
	await chat.stop();
	await dialogs.clearNotifications();
	expect(received()).toHaveLength(before + 2);
});
