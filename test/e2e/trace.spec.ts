/**
 * Stories of the records in the editor: the way from a symptom to its row of the trace, and from a row to the message
 * (TRC-37 to TRC-41); the activity, and proof that it was not changed.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callOnce, ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { chooseExchange, exchanges, traceView } from "./fixtures/traceView.ts";
import { chooseInToolbar, patience, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{ small: (log) => smallEntry(log), other: (log) => smallEntry(log) },
		{ ...followsColorScheme },
	);
	await callOnce(story, "small_fail", {});
	await callOnce(story, "small_echo", { text: "third" });
	await story.editor.palette.run("MCP Host: Show Trace");
});
afterAll(() => story?.[Symbol.asyncDispose]());

test("an error is found in two steps, the preset and the row, and its actions link further (TRC-37, TRC-38)", async () => {
	const { editor } = story;
	await editor.palette.run("MCP Host: Show Trace");
	const trace = await traceView(story.editor);
	await trace.getByRole("button", { name: "Errors" }).click();
	await waitForCondition("Only errors", async () => (await exchanges(trace, "").count()) === 1);
	await chooseExchange(trace, exchanges(trace, "fail"), "Error of the tool: ");
	const detail = trace.locator("#detail");
	await detail.getByRole("button", { name: "Named Call" }).click();
	await trace.getByText("Copied as Named Call.").waitFor({ timeout: patience });
	expect(JSON.parse(await editor.page.evaluate<string>("navigator.clipboard.readText()"))).toMatchObject({
		calls: { "fail of small": { server: "small", tool: "fail", expect: { isError: true } } },
	});
	await takePictures(editor, "trace-errors");
	await detail.getByRole("button", { name: "Show Tool" }).click();
	await expect
		.poll(async () => (await editor.tree.row(["small", "Tools", "fail"])).getAttribute("aria-selected"))
		.toBe("true");
	await detail.getByRole("button", { name: "Run Again…" }).click();
	await editor.editors.waitForActive(/Run fail/);
	// The form takes the focus once it is loaded, also from a chat that is used before.
	await (await editor.webview.document("Run fail")).locator("select:focus").waitFor({ timeout: patience });
});

test("a failed call leads from the chat to its exchange, from there to its decision, and back (JRN-17)", async () => {
	const { editor } = story;
	await callOnce(story, "small_fail", {});
	await editor.chat.clickLink("Show in Trace");
	const chosen = async (): Promise<void> =>
		(await traceView(story.editor))
			.locator(".line[aria-selected=true]", { hasText: "tools/call fail" })
			.waitFor({ timeout: patience });
	await chosen();
	await (await traceView(story.editor)).locator("#detail").getByRole("button", { name: "Show in Activity" }).click();
	const entry = (await editor.webview.document("All decisions and effects")).locator("article.detail");
	await entry.locator("h2", { hasText: "fail" }).waitFor({ timeout: patience });
	await entry.getByText("allowed by you").first().waitFor({ timeout: patience });
	await takePictures(editor, "trace-activity");
	await (await traceView(story.editor)).locator("#filter").fill("nothing-is-called-so");
	await entry.getByRole("button", { name: "Show in Trace" }).click();
	await chosen();
});

test("a tool's row leads to its last call, a server's to all of its exchanges (TRC-40)", async () => {
	const { editor } = story;
	await editor.tree.expand(["small", "Tools"]);
	await editor.tree.contextMenu(["small", "Tools", "Echo"], "Show in Trace");
	const trace = await traceView(story.editor);
	await trace.locator(".line[aria-selected=true]", { hasText: "tools/call echo" }).waitFor({ timeout: patience });
	await trace.locator("#detail", { hasText: "third" }).waitFor({ timeout: patience });
	await expect.poll(() => trace.locator("#filter").inputValue()).toBe("server:small target:echo");
	await editor.tree.contextMenu("other", "Show in Trace");
	await waitForCondition("The exchanges of the other server", async () => {
		const servers = await trace.locator(".line .server").allInnerTexts();
		return servers.length > 0 && servers.every((server) => server === "other");
	});
	await chooseInToolbar(editor.page.locator(".part.panel"), "Clear Trace");
	// The waiting request stays.
	await waitForCondition("Only the stream that is open", async () => {
		const left = await trace.locator(".line .what").allInnerTexts();
		return left.length === 1 && left.every((what) => what.includes("subscriptions/listen"));
	});
});

test("verifying reports an intact record until a file of it is changed (JRN-04)", async () => {
	await story.editor.palette.run("MCP Host: Show Activity");
	const view = await story.editor.webview.document("All decisions and effects");
	await view.getByRole("button", { name: "Verify" }).click();
	await view.getByText(/The activity is complete: nothing was changed or removed/).waitFor({ timeout: patience });
	const [file = ""] = globSync(path.join(story.editor.userDataFolder, "**/activity/activity-*.jsonl"));
	writeFileSync(file, readFileSync(file, "utf8").replace('"event":"approved"', '"event":"revoked"'));
	await story.editor.editors.titleAction("Verify Activity");
	await story.editor.dialogs.waitForNotification(/The activity was changed/);
});
