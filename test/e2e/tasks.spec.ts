/** A story of a task: it outlives its turn and the window, asks a form, and its result goes back to the model. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startModernServer, type ModernServer } from "../servers/modernServer.ts";
import { StoredTask } from "../servers/taskStore.ts";
import { answerCall, ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { container } from "./fixtures/serverReview.ts";

const stored = new StoredTask();
stored.pollMs = 200;

let server: ModernServer;
let story: ChatStory;
beforeAll(async () => {
	server = await startModernServer(stored.methods);
	story = await ChatStory.start({ works: () => ({ type: "http", url: server.url }) }, followsColorScheme);
});
afterAll(async () => {
	await story?.[Symbol.asyncDispose]();
	await server?.[Symbol.asyncDispose]();
});

const row = ["Running Tasks", "works · research"];

test("a task goes on after its turn and a reload, asks a form, and its result is sent to the model (TSK-10, TSK-13)", async () => {
	const { editor, model } = story;
	const { tree, chat, dialogs } = editor;
	model.next(
		{ toolCalls: [{ nameEndsWith: "research", arguments: { topic: "tides" } }] },
		{ text: "It goes on without me." },
	);
	await chat.send("@mcp research the tides");
	await answerCall(editor, 1, "Allow Once");
	await chat.clickLink("Continue in Background");
	await chat.waitForText("It goes on without me.");
	await chat.waitUntilDone();
	expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("continues as a task in the background");
	expect((await tree.read(row)).description).toBe("Reading…");
	await takePictures(editor, "task-in-tree");

	await editor.reload();
	await tree.open(container);
	await tree.waitForRunning("works");
	await expect.poll(async () => (await tree.read(row)).description).toBe("Reading…");
	stored.askForName();
	const form = await editor.webview.document("Who?");
	await form.getByRole("textbox", { name: /name/ }).fill("Ada");
	await form.getByRole("button", { name: "Send" }).click();
	await dialogs.waitForNotification("The task works · research has ended.");
	expect((await tree.read(row)).description).toBe("completed");
	await takePictures(editor, "task-ended");

	await dialogs.answerNotification("The task works · research has ended.", "Send to Model…");
	await chat.waitForInput("Continue with this result.");
	model.next({ text: "Ada asked for it." });
	await chat.submit();
	await chat.waitForText("Ada asked for it.");
	expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("asked and answered");
	await tree.waitUntilGone("Running Tasks");
	expect(server.paramsOf("tools/call")).toHaveLength(1);
	expect(server.paramsOf("tasks/cancel")).toEqual([]);
});
