/**
 * Stories of the activity in the editor: the user's decisions, their outcomes, and proof that the record was not
 * changed since.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { samplingEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ borrower: (log) => samplingEntry(log, "--era", "legacy") }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

async function openActivity(): Promise<FrameLocator> {
	await story.editor.palette.run("MCP Host: Show Activity");
	const view = await story.editor.webview.document("Activity");
	await view.locator("main").waitFor({ timeout: patience });
	return view;
}

test("a denied call is listed with the start of its server, as one story of its turn (JRN-16)", async () => {
	const { editor, model } = story;
	const params = { messages: [{ role: "user", content: { type: "text", text: "Sing." } }], maxTokens: 10 };
	model.next({ toolCalls: [{ nameEndsWith: "borrower_sample", arguments: { params } }] });
	await editor.chat.send("@mcp let borrower ask");
	model.next({ text: "Not done." });
	await answerCall(editor, 1, "Deny");
	await editor.chat.waitForText("Not done.");
	await editor.chat.waitUntilDone();

	const view = await openActivity();
	const entry = (text: string) => view.locator(".entries .entry", { hasText: text });
	await entry("approved by you").first().waitFor({ timeout: patience });
	await entry("started (stdio").first().waitFor();
	await entry("denied by you").click();
	await view.getByRole("heading", { name: /sample: denied by you/ }).waitFor();
	await view.getByRole("button", { name: "Show the Whole Turn" }).click();
	await view.getByRole("region", { name: "In this turn" }).locator(".entry").waitFor();
	// The question of the user is not part of the record.
	expect(await view.locator("main").innerText()).not.toContain("Sing.");
	await takePictures(editor, "activity");
});

test("verifying reports an intact record until a file of it is changed (JRN-04)", async () => {
	const view = await openActivity();
	await view.getByRole("button", { name: "Verify" }).click();
	await view.getByText(/The activity is complete: nothing was changed or removed/).waitFor({ timeout: patience });
	const [file = ""] = globSync(path.join(story.editor.userDataFolder, "**/activity/activity-*.jsonl"));
	writeFileSync(file, readFileSync(file, "utf8").replace('"event":"approved"', '"event":"revoked"'));
	await story.editor.editors.titleAction("Verify Activity");
	await story.editor.dialogs.waitForNotification(/The activity was changed/);
});
