/** Stories of a server that makes as much noise as possible: the user who works beside it is not disturbed. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readReceived } from "../servers/received.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import { repositoryRoot } from "./pages/workbench.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	const script = path.join(repositoryRoot, "test/servers/noisy.ts");
	const args = [script, "--log", folder.file("noisy.log"), "--go", folder.file("go")];
	editor = await startEditorWithVsix({
		settings: { "mcpHost.servers": { noisy: { type: "stdio", command: process.execPath, args } } },
	});
	await editor.tree.open(container);
	await approve(editor, "noisy");
	// The notification that it waited for approval counts too.
	await editor.dialogs.clearNotifications();
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/** Counts the notifications on the screen from here on; returns the largest number at once. */
async function watchNotifications(page: RunningEditor["page"]): Promise<() => Promise<number>> {
	await page.evaluate(`{
		const count = () => {
			const shown = document.querySelectorAll(".notifications-toasts .notification-toast").length;
			globalThis.mostNotifications = Math.max(globalThis.mostNotifications ?? 0, shown);
		};
		count();
		new MutationObserver(count).observe(document.body, { subtree: true, childList: true });
	}`);
	return () => page.evaluate<number>("globalThis.mostNotifications");
}

test("a server that asks, announces and fails 200 times neither takes the focus nor shows more than one notification (UI-09, UI-11)", async () => {
	await editor.newFile();
	const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
	const mostShown = await watchNotifications(editor.page);
	await editor.page.keyboard.type("start ");
	await writeFile(folder.file("go"), "");
	await editor.page.keyboard.type(words, { delay: 10 });
	await expect.poll(isOver, { timeout: patience }).toBe(true);
	await editor.page.keyboard.type(" end");

	await editor.editors.waitForText("word59 end");
	expect((await editor.editors.text()).trim()).toBe(`start ${words} end`);
	// A file without a name is titled by its first words.
	expect(await editor.editors.titles()).toEqual([expect.stringMatching(/^start word0/)]);
	expect(await editor.dialogs.modal.count()).toBe(0);
	await editor.screenshot("quiet");

	await editor.palette.run("Notifications: Show Notifications");
	const notifications = editor.page.locator(".notifications-center .notification-list-item");
	await notifications.first().waitFor({ timeout: patience });
	const texts = await notifications.allInnerTexts();
	// One that has left the screen stays in this list, where another may join it; on the screen there is one.
	expect(texts.some((text) => text.includes("noisy"))).toBe(true);
	expect(await mostShown()).toBe(1);
	expect(texts.join()).not.toMatch(/Look here|example\.com/);
	// All waiting questions are in the list, and at most twenty of one server.
	const pending = async (): Promise<number> => (await editor.tree.view("Pending").rows()).length;
	await expect.poll(pending, { timeout: patience }).toBeGreaterThan(1);
	expect(await pending()).toBeLessThanOrEqual(20);
});

/** Whether the server has received an answer to its last request. */
function isOver(): boolean {
	return readReceived(folder.file("noisy.log")).some(
		(entry) => entry.kind === "message" && entry.message["id"] === "end",
	);
}
