/**
 * The moving picture of the README: a call is requested, shown with its arguments, allowed, and answered, as the first
 * five minutes describe. `node test/tasks/pictures.ts` joins the frames to `media/readme/call.webp`. And the page of
 * the installed extension, which is made of the README as well.
 */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, questionLink } from "./fixtures/chatStory.ts";
import { followsColorScheme } from "./fixtures/colorScheme.ts";
import { keepMoment, setSize } from "./fixtures/pictures.ts";
import { waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let editor: RunningEditor;
beforeAll(async () => {
	editor = await startEditorWithVsix({
		workspace: "test/workspace/demo",
		settings: {
			...followsColorScheme,
			"workbench.startupEditor": "none",
			"remote.autoForwardPorts": false,
			// The call and its result stay in sight.
			"chat.agent.collapseCompletedResponses": false,
			"chat.viewSessions.enabled": false,
		},
		size: { width: 1100, height: 680 },
	});
});
afterAll(() => editor?.stop());

/** Scrolls the conversation back until this is in the middle. */
async function scrollBackTo(target: Locator): Promise<void> {
	const { page } = editor;
	// An answer that is being written is never still enough to be pointed at by name.
	await page.mouse.move(500, 300);
	await waitForCondition("The result in sight", async () => {
		const box = await target.boundingBox();
		if (box !== null && box.y > 300) return true;
		await page.mouse.wheel(0, -60);
		return false;
	});
}

test("a call is requested, shown with its arguments, allowed and answered", async () => {
	const { palette, chat } = editor;
	await palette.run("MCP Host: Try the Demo Server");
	await chat.waitForInput("@mcp Plan a long weekend in Barcelona for two");
	await chat.waitForModel(/Demo model/);
	await palette.run("View: Maximize Secondary Side Bar");
	await setSize(editor, 640, 700);
	const keep = (number: number, milliseconds: number): Promise<void> =>
		keepMoment(editor, "readme/call", number, milliseconds, ".part.auxiliarybar");
	await keep(1, 1800);
	await chat.submit();
	await chat.reveal(await questionLink(editor, 1, "Deny"));
	await keep(2, 2500);
	await answerCall(editor, 1, "Allow Once");
	const flights = /Flights from London to Barcelona on \S+ for 2 travelers, prices per person:/;
	await chat.waitForText(flights);
	await questionLink(editor, 2, "Deny");
	await scrollBackTo(chat.lastResponse().getByText(flights).last());
	await keep(3, 2500);
	await chat.reveal(await questionLink(editor, 2, "Deny"));
	await keep(4, 2000);
	await answerCall(editor, 2, "Deny");
});

test("the page of the installed extension has no broken picture, and no instructions to build", async () => {
	const { page, palette, webview } = editor;
	await palette.run("View: Restore Secondary Side Bar");
	await palette.run("View: Hide Secondary Side Bar");
	await setSize(editor, 1280, 900);
	await palette.run("Extensions: Show Installed Extensions");
	await page.locator(".extension-list-item", { hasText: "MCP Host" }).first().click();
	const readme = await webview.documentWith("#the-first-five-minutes");
	expect(await readme.locator("body").innerText()).not.toMatch(/npm (?:start|run|ci)/);
	// A picture of the web may be missing; the editor takes the address from every other.
	expect(await readme.locator("img:not([src^='https:'])").count()).toBe(0);
	await editor.screenshot("extension-page");
});
