/** Stories of a user who decides by keyboard: in the chat, in the pending list, and while a panel opens beside them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, questionLink, reviewPanel, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import type { TreeRow } from "./pages/treeRows.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ small: smallEntry, asker: smallEntry }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

const count = (): number => story.received("small", "tools/call").length;

/** Calls of the server `small` with each of these texts, and the model's answer after them. */
function echo(last: string, ...texts: readonly string[]): void {
	const toolCalls = texts.map((text) => ({ name: "small_echo", arguments: { text } }));
	story.model.next({ toolCalls }, { text: last });
}

/**
 * Presses a key until it has an effect, which is not before the question has been visible for a moment. `isPatient` is
 * for questions that have been visible long enough: pressed once more, the key would decide the next row.
 */
async function pressUntil(
	key: string,
	what: string,
	isHeard: () => Promise<boolean>,
	{ isPatient = false } = {},
): Promise<void> {
	await waitForCondition(what, async () => {
		if (await isHeard()) return true;
		await story.editor.page.keyboard.press(key);
		return succeeds(waitForCondition(what, isHeard, isPatient ? 20_000 : 3000));
	});
}

const pendingRows = async (): Promise<readonly TreeRow[]> => story.editor.tree.view("Pending").rows();

/** The positions of the rows in the Servers view, and the title of the side bar. */
async function placesOfServers(): Promise<unknown> {
	const { page } = story.editor;
	const rows = page.locator(".part.sidebar .pane", { hasText: "Servers" }).first().locator(".monaco-list-row");
	const title = await page.locator(".part.sidebar .composite.title").innerText();
	return [title.trim(), await Promise.all((await rows.all()).map((row) => row.boundingBox()))];
}

test("one key allows the waiting call in the chat, another denies it, a third opens its arguments; nothing moves when it arrives (UI-20, UI-23)", async () => {
	const { editor, model } = story;
	const [before, requests] = [count(), model.requests.length];
	echo("First done.", "by key");
	const places = await placesOfServers();
	await editor.chat.send("@mcp say it");
	await questionLink(editor, 1, "Deny");
	await editor.tree.view("Pending").row("small");
	expect(await placesOfServers()).toEqual(places);
	await waitForCondition("The key of the answer", async () => {
		await (await questionLink(editor, 1, "Deny")).hover();
		const hover = editor.page.locator(".workbench-hover", { hasText: "Ctrl+Alt+Enter" });
		return succeeds(hover.waitFor({ timeout: 3000 }));
	});
	await takePictures(editor, "keys-chat");
	await pressUntil("Control+Enter", "The call", async () => count() > before);
	await editor.chat.waitForText("First done.");
	await expect.poll(async () => (await pendingRows()).length, { timeout: patience }).toBe(0);

	echo("Second denied.", "not this");
	await editor.chat.send("@mcp say another");
	await questionLink(editor, 1, "Deny");
	// Its row may come a moment after its question in the chat.
	await editor.tree.view("Pending").row("small");
	const isDenied = async (): Promise<boolean> => (await pendingRows()).length === 0;
	await pressUntil("Control+Alt+Enter", "The denial", isDenied);
	await editor.chat.waitForText("Second denied.");

	echo("Third changed.", "to be changed");
	await editor.chat.send("@mcp say a third");
	await questionLink(editor, 1, "Deny");
	const isOpen = async (): Promise<boolean> => editor.page.locator("iframe.webview:visible").first().isVisible();
	await pressUntil("F2", "The form of the arguments", isOpen);
	const form = await editor.webview.document("Arguments of echo");
	const field = form.getByRole("textbox", { name: "text" });
	await field.fill("changed by hand");
	await takePictures(editor, "keys-edit");
	await field.press("Control+Enter");
	await editor.chat.waitForText("Third changed.");
	expect(toolResults(await model.request(requests + 5))).toEqual([expect.stringContaining("changed by hand")]);
	expect(count()).toBe(before + 2);
});

test("with several calls, a key decides the focused row, which shows everything that is sent (UI-21, UI-24)", async () => {
	const { editor, model } = story;
	const { page } = editor;
	// A tool that is seen for the first time shows its own description in the chat.
	echo("Known.", "zero");
	await editor.chat.send("@mcp say nothing");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("Known.");
	const [before, requests] = [count(), model.requests.length];
	echo("Some done.", "one", "two", "three");
	await editor.chat.send("@mcp say three things");
	await editor.chat.link("Allow All 3").waitFor({ timeout: patience });
	const pending = editor.tree.view("Pending");
	await expect.poll(async () => (await pendingRows()).length, { timeout: patience }).toBe(3);
	const [row] = await pendingRows();
	expect(row).toMatchObject({ label: "small", description: "echo · text: one" });
	expect(row?.accessibleName).toMatch(/^Tool call for small: echo\. text: "one"\. .*During: your chat turn/);
	expect(await pending.inlineActions("small")).toEqual(
		["Review", "Deny", "Edit Arguments…", "Allow Once"].map((name) => expect.stringContaining(name)),
	);
	await takePictures(editor, "keys-pending");

	// The accessibility tree, as Chromium computes it.
	const session = await page.context().newCDPSession(page);
	const { nodes } = await session.send("Accessibility.getFullAXTree");
	const names = nodes.filter(({ role }) => role?.value === "treeitem").map(({ name }) => String(name?.value));
	expect(names.filter((name) => name.startsWith("Tool call for small: echo"))).toHaveLength(3);
	await session.detach();

	// With several calls, the chat's key decides none of them, but opens their list.
	await editor.chat.inputPart.locator(".monaco-editor").first().click();
	const isThere = async (): Promise<boolean> =>
		(await page.locator(".pane:has-text('Pending') .monaco-list:focus-within").count()) > 0;
	await pressUntil("Control+Enter", "The focus in Pending", isThere);
	expect(count()).toBe(before);
	await page.keyboard.press("Home");
	await page.keyboard.press("ArrowDown");
	const isSecondDenied = async (): Promise<boolean> => (await pendingRows()).length === 2;
	await pressUntil("Control+Alt+Enter", "The denial of the second", isSecondDenied, { isPatient: true });
	expect((await pendingRows()).map(({ description }) => description)).toEqual([
		"echo · text: one",
		"echo · text: three",
	]);
	await page.keyboard.press("Home");
	await pressUntil("Control+Enter", "The first call", async () => count() === before + 1, { isPatient: true });
	await waitForCondition("The last by its icon", async () => {
		if (count() === before + 2) return true;
		if ((await pendingRows()).length === 0) return false;
		await pending.inlineAction("small", "Allow Once (Ctrl+Enter)");
		return succeeds(waitForCondition("The call", async () => count() === before + 2, 3000));
	});
	await editor.chat.waitForText("Some done.");
	expect(toolResults(await model.request(requests + 1)).map((text) => /one|three|denied/i.exec(text)?.[0])).toEqual([
		"one",
		expect.stringMatching(/denied/i),
		"three",
	]);
});

test("a user who types into the chat keeps the focus while a review opens beside it (UI-11, UI-22)", async () => {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: "asker_ask", arguments: { question: "Well?" } }] }, { text: "Refused." });
	await editor.chat.send("@mcp let it ask");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.inputPart.locator(".monaco-editor").first().click();
	await editor.page.keyboard.type("a line that is written meanwhile, ", { delay: 30 });
	const review = await reviewPanel(editor);
	await editor.page.keyboard.type("to its very end", { delay: 20 });
	await editor.chat.inputPart
		.locator(".view-lines", { hasText: /written.meanwhile,.*very.end/ })
		.waitFor({ timeout: patience });
	await takePictures(editor, "keys-focus");
	await review.getByRole("button", { name: "Reject", exact: true }).click();
	await editor.chat.waitForText("Refused.");
	await editor.webview.waitUntilClosed();
});
