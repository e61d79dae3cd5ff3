/**
 * Stories of many sampling requests: they wait in turn, are announced once, are rejected together and never approved
 * together, and each ends once, whatever happens to its server, its call, its panel or its window.
 */
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, reviewPanel, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { samplingEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { askAtOnce, foldServers, pendingRows, readyToAsk, toastCount } from "./fixtures/waitingRequests.ts";
import { patience, waitForCondition } from "./pages/conditions.ts";
import { writeFile } from "node:fs/promises";

let story: ChatStory;
let folder: TestFolder;
beforeAll(async () => {
	folder = await TestFolder.create();
	story = await ChatStory.start(
		{
			weather: (log) => samplingEntry(log, "--era", "legacy"),
			travel: (log) => samplingEntry(log, "--era", "legacy"),
			files: (log) => samplingEntry(log, "--era", "legacy"),
			eager: (log) => samplingEntry(log, "--era", "legacy", "--eager"),
		},
		followsColorScheme,
	);
	await makeReady();
});
// The queue, muted servers and the limits of each server last as long as the window.
afterEach(async ({ task }) => {
	if (task.result?.state !== "fail") return;
	await story.beginAnew();
	await makeReady();
});
afterAll(async () => {
	await story?.[Symbol.asyncDispose]();
	await folder?.[Symbol.asyncDispose]();
});

/** Removes the question that one server begins with, whenever it starts, and makes room for all waiting rows. */
async function makeReady(): Promise<void> {
	const { dialogs, tree } = story.editor;
	await dialogs.waitForNotification("eager (server) asks for a completion");
	await foldServers(story.editor, false);
	for (const name of ["weather", "travel", "files", "eager"]) await tree.view("Servers").waitForRunning(name);
	await foldServers(story.editor, true);
	await tree.view("Pending").inlineAction("eager", "Reject");
	await dialogs.clearNotifications();
}

/** Has the model call `sample` of a server, allows the call, and returns the review. */
async function sample(server: string, text: string): Promise<FrameLocator> {
	const { editor, model } = story;
	await editor.dialogs.clearNotifications();
	model.next({ toolCalls: [{ nameEndsWith: `${server}_sample`, arguments: { text } }] });
	await editor.chat.send(`@mcp let ${server} ask`);
	await answerCall(editor, 1, "Allow Once");
	return reviewPanel(editor);
}

test("the notification opens the review of the server whose turn it is, and then the others (SMP-13)", async () => {
	const { editor } = story;
	await askAtOnce(story, folder, { weather: 2, files: 1 }, "In turn");
	await editor.dialogs.waitForNotification("3 requests are waiting for you: ");
	await editor.dialogs.answerNotification("3 requests", "Review");
	for (let left = 2; left >= 0; left--) {
		const review = await reviewPanel(editor);
		await review.getByRole("button", { name: "Reject", exact: true }).click();
		await editor.webview.waitUntilClosed();
		if (left === 0) break;
		const next = left === 1 ? "(server) asks for a completion" : "2 requests are waiting for you: ";
		await editor.dialogs.waitForNotification(next);
		// It may have left the screen automatically.
		expect(await toastCount(editor)).toBeLessThanOrEqual(1);
		await editor.dialogs.answerNotification(next, "Review");
	}
	await expect.poll(() => pendingRows(story.editor), { timeout: patience }).toEqual([]);
});

test("a review that opens beside one in which the user types takes neither the focus nor the place (UI-11)", async () => {
	const { editor, model } = story;
	const whenThere = folder.file("while-typing");
	const go = await readyToAsk(story, folder, { travel: 1 }, "Typed in");
	model.next({ toolCalls: [{ nameEndsWith: "weather_sample", arguments: { text: "In between", whenThere } }] });
	await editor.chat.send("@mcp let weather ask in a while");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("weather · sample is taking a while");
	await go();
	await editor.dialogs.waitForNotification("travel (server) asks for a completion");
	await editor.dialogs.answerNotification("travel (server)", "Review");
	const typed = (await reviewPanel(editor)).getByRole("textbox", { name: "1 user" });
	await typed.fill("");
	await editor.page.keyboard.type("before ", { delay: 10 });
	await writeFile(whenThere, "");
	const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
	await editor.page.keyboard.type(words, { delay: 10 });
	await expect.poll(() => editor.tree.badge(container), { timeout: patience }).toBe("2");
	await editor.webview.document("weather (server) asks for a completion");
	await editor.page.keyboard.type(" after", { delay: 10 });
	await expect.poll(() => typed.inputValue()).toBe(`before ${words} after`);
	await takePictures(editor, "sampling-queue-beside");
	await editor.tree.view("Pending").inlineAction("travel", "Reject");
	const panels = editor.page.locator("iframe.webview").filter({ visible: true });
	await expect.poll(() => panels.count(), { timeout: patience }).toBe(1);
	const beside = await reviewPanel(editor);
	// An answer lifts the limit that the earlier rejections have put on the server.
	await beside.getByRole("button", { name: "Answer by Hand" }).click();
	await beside.getByRole("textbox", { name: "Text that the server receives" }).fill("By hand.");
	model.next({ text: "Nothing was typed away." });
	await beside.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("Nothing was typed away.");
	await editor.webview.waitUntilClosed();
});

test("a panel that is hidden, shown and reloaded keeps the edits, and sends and returns once (UI-07)", async () => {
	const { editor, model } = story;
	const review = await sample("files", "Hide me");
	const edited = "Hidden, and shown again\u2026 \u{1F600}";
	await review.getByRole("textbox", { name: "1 user" }).fill(edited);
	await editor.newFile();
	const before = model.requests.length;
	for (let round = 0; round < 4; round++) {
		await editor.editors.activate("Review: files");
		const shown = await reviewPanel(editor);
		await waitForCondition(
			"The edit",
			async () => (await shown.getByRole("textbox", { name: "1 user" }).inputValue()) === edited,
		);
		if (round === 2) await editor.palette.run("Developer: Reload Webviews");
		await editor.editors.activate(/^Untitled-/);
	}
	await editor.editors.activate("Review: files");
	const shown = await reviewPanel(editor);
	model.next({ text: "Shown." });
	await shown.getByRole("button", { name: "Send to Model" }).dblclick();
	const { body } = await model.request(before);
	expect(body.messages.at(-1)).toEqual({ role: "user", content: edited });
	await shown.getByRole("textbox", { name: "Text that the server receives" }).waitFor();
	await editor.editors.activate(/^Untitled-/);
	await editor.editors.activate("Review: files");
	const again = await reviewPanel(editor);
	await again.getByRole("textbox", { name: "Text that the server receives" }).fill("Shown, by hand.");
	model.next({ text: "The end of hiding." });
	await again.getByRole("button", { name: "Return to Server" }).dblclick();
	await editor.chat.waitForText("The end of hiding.");
	expect(model.requests).toHaveLength(before + 2);
	expect(toolResults(await model.request(before + 1)).join()).toContain("Shown, by hand.");
	expect(story.receivedText("files").match(/Shown, by hand\./g)).toHaveLength(1);
	await editor.editors.close(/^Untitled-/);
});

test("a server that dies during a review ends only its own requests, and its panel reports it (SMP-09)", async () => {
	const { editor, model } = story;
	await askAtOnce(story, folder, { files: 1, weather: 2 }, "Who stays");
	await editor.dialogs.waitForNotification("3 requests are waiting for you: ");
	const pending = editor.tree.view("Pending");
	await pending.click("weather");
	const review = await reviewPanel(editor);
	await review.getByRole("button", { name: "Send to Model" }).waitFor();
	const before = model.requests.length;
	story.kill("weather");
	await review.locator(".end", { hasText: "weather stopped before you answered." }).waitFor({ timeout: patience });
	for (const name of ["Send to Model", "Reject"]) {
		await expect.poll(() => review.getByRole("button", { name, exact: true }).isDisabled()).toBe(true);
	}
	await expect.poll(() => pendingRows(story.editor), { timeout: patience }).toEqual(["files"]);
	await takePictures(editor, "sampling-queue-server-gone");
	await editor.editors.close("Review: weather");
	// The notification for all three leads to the requests that still wait.
	await editor.dialogs.answerNotification("3 requests", "Review");
	const other = await reviewPanel(editor);
	expect(await other.locator("main").innerText()).toContain("files");
	await other.getByRole("button", { name: "Reject", exact: true }).click();
	await editor.webview.waitUntilClosed();
	expect(model.requests).toHaveLength(before);
});

test("a call that the user cancels ends its reviews (SMP-09)", async () => {
	const { editor, model } = story;
	await editor.dialogs.clearNotifications();
	model.next({ toolCalls: [{ nameEndsWith: "files_sampleMany", arguments: { count: 3, text: "Cancelled {n}" } }] });
	await editor.chat.send("@mcp let files ask three");
	await answerCall(editor, 1, "Allow Once");
	const review = await reviewPanel(editor);
	await review.getByRole("button", { name: "Reject All from This Server" }).waitFor();
	await expect.poll(() => pendingRows(story.editor), { timeout: patience }).toEqual(["files", "files", "files"]);
	const before = model.requests.length;
	await editor.chat.inputPart.getByRole("button", { name: /^(Stop|Cancel)/ }).click();
	await review.locator(".end").waitFor({ timeout: patience });
	await expect.poll(() => pendingRows(story.editor), { timeout: patience }).toEqual([]);
	expect(model.requests).toHaveLength(before);
	await editor.screenshot("sampling-queue-cancelled");
	await editor.editors.close("Review: files");
});

test("a reload during reviews ends them, leaves no empty panel, sends nothing, doubles nothing, and later reviews work at once (SMP-09, BLT-18)", async () => {
	const { editor, model } = story;
	await askAtOnce(story, folder, { travel: 2 }, "Over a reload");
	const review = await sample("files", "Before the reload");
	await review.getByRole("textbox", { name: "1 user" }).fill("An edit that the reload ends");
	await editor.dialogs.clearNotifications();
	// Beside the panel, so that the editor saves both.
	await writeFile(path.join(editor.workspaceFolder, "note.txt"), "A note.\n");
	await editor.palette.openWith("note.txt");
	await editor.palette.pick("note.txt");
	await editor.editors.waitForActive("note.txt");
	const before = model.requests.length;
	await editor.reloadWithEditor("note.txt");
	await editor.tree.open(container);

	// It asks as soon as it runs again, before any model was looked up.
	await editor.dialogs.waitForNotification("eager (server) asks for a completion");
	await expect.poll(() => pendingRows(story.editor), { timeout: patience }).toEqual(["eager"]);
	expect(await editor.page.locator(".part.editor .tab", { hasText: "Review:" }).count()).toBe(0);
	await editor.screenshot("sampling-queue-reloaded");
	await editor.dialogs.answerNotification("eager (server)", "Review");
	const after = await reviewPanel(editor);
	expect(model.requests).toHaveLength(before);
	model.next({ text: "Back again." });
	await after.getByRole("button", { name: "Send to Model" }).click();
	await after.getByRole("textbox", { name: "Text that the server receives" }).waitFor();
	await after.getByRole("button", { name: "Return to Server" }).click();
	await expect.poll(() => story.receivedText("eager"), { timeout: patience }).toContain("Back again.");
	expect(model.requests).toHaveLength(before + 1);
	expect(JSON.stringify(model.requests)).not.toContain("An edit that the reload ends");
	await expect.poll(() => editor.tree.badge(container), { timeout: patience }).toBe("");
});
