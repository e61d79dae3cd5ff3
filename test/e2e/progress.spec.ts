/** Stories of what takes its time: people see how far it is, and cancelling reaches the server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory } from "./fixtures/chatStory.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry });
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** How often the host cancelled a request, other than one to hear of changes, which ends with what it was for. */
function cancelled(): number {
	const requests = story.received("small", "notifications/cancelled").map(({ params }) => JSON.stringify(params));
	return requests.filter((params) => !params.startsWith('{"requestId":"listen:')).length;
}

test("a running tool shows its progress in the chat and the status bar, and stopping the turn cancels it", async () => {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: "slow", arguments: { steps: 200, stepMs: 100 } }] });
	await editor.chat.send("@mcp take your time");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText(/small · slow: step \d+ of 200/);
	await editor.waitForStatus(/MCP 1: small: slow, step \d+ of 200/);
	await editor.screenshot("progress-tool");
	expect(cancelled()).toBe(0);
	await editor.chat.stop();
	await editor.chat.waitUntilDone();
	await expect.poll(cancelled, { timeout: patience }).toBe(1);
	await expect.poll(() => editor.waitForStatus("MCP 1"), { timeout: patience }).toBe("MCP 1");
});

test("a read that takes a while says so, and its Cancel reaches the server", async () => {
	const { editor } = story;
	await editor.palette.run("MCP Host: Open Resource from Template…");
	await editor.palette.pick("An Item");
	await editor.editors.waitForActive("Template: An Item");
	const form = await editor.webview.document("Open a resource from An Item");
	await form.getByRole("combobox", { name: "id" }).fill("slow");
	await form.getByRole("button", { name: "Open Resource" }).click();
	const title = "Reading small://item/slow of small";
	await editor.dialogs.waitForNotification(new RegExp(`${title}: step \\d+ of 100`));
	await editor.screenshot("progress-read");
	// Questions for completions may have been cancelled before.
	const before = cancelled();
	await editor.dialogs.answerNotification(title, "Cancel");
	await expect.poll(cancelled, { timeout: patience }).toBe(before + 1);
	await expect.poll(() => editor.dialogs.notification(title).count(), { timeout: patience }).toBe(0);
	// What the person cancelled needs no message.
	expect(await editor.dialogs.notification(/./).count()).toBe(0);
});

test("a prompt that takes a while says so, and its Cancel reaches the server", async () => {
	const { editor } = story;
	const before = cancelled();
	await editor.palette.run("MCP Host: Run Prompt…");
	await editor.palette.pick("Greet Someone");
	await editor.palette.enter("Spain");
	await editor.palette.enter("Madrid");
	await editor.palette.enter("slow");
	await editor.dialogs.waitForNotification(/step \d+ of 100/);
	await editor.screenshot("progress-prompt");
	await editor.dialogs.answerNotification(/step \d+ of 100/, "Cancel");
	await expect.poll(cancelled, { timeout: patience }).toBe(before + 1);
	await expect.poll(() => editor.dialogs.notification(/./).count(), { timeout: patience }).toBe(0);
});
