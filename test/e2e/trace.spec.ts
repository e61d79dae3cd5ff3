/**
 * Stories of the trace in the editor: its messages, the way from a symptom to its row, and from a row to the message
 * (TRC-37 to TRC-41).
 */
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { chooseInToolbar, clicks, patience, succeeds, waitForCondition } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{ small: (log) => smallEntry(log), other: (log) => smallEntry(log) },
		{ ...followsColorScheme },
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call a tool of a server, and waits for the end of the turn. */
async function call(server: string, tool: string, args: object): Promise<void> {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: `${server}_${tool}`, arguments: { ...args } }] });
	model.next({ text: `${tool} is done.` });
	await editor.chat.send(`@mcp call ${tool}`);
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitUntilDone();
}

/** The view, once it is visible. */
async function view(): Promise<FrameLocator> {
	return story.editor.webview.documentWith("#grid");
}

function rows(trace: FrameLocator, text: string | RegExp): Locator {
	return trace.locator(".line", { hasText: text });
}

/** Chooses a row until its details have these words: it may be pending, and elements of rows are reused. */
async function choose(trace: FrameLocator, row: Locator, words: string): Promise<void> {
	await waitForCondition(`The exchange with ${words}`, async () => {
		await clicks(row);
		return succeeds(trace.locator("#detail").getByText(words).first().waitFor({ timeout: 3000 }));
	});
}

test("messages sent before the view opened are there, and are compared as documents", async () => {
	const { editor } = story;
	await call("small", "echo", { text: "first" });
	await editor.palette.run("MCP Host: Show Trace");
	const trace = await view();
	await rows(trace, /tools\/call echo[^]*small/)
		.first()
		.waitFor({ timeout: patience });
	await rows(trace, /tools\/list[^]*small/)
		.first()
		.waitFor({ timeout: patience });
	await choose(trace, rows(trace, /tools\/call echo/).first(), "first");

	await call("small", "echo", { text: "second" });
	await call("small", "fail", {});
	await rows(trace, /tools\/call fail[^]*tool error/).waitFor({ timeout: patience });
	await choose(trace, rows(trace, /tools\/call echo/).last(), "second");
	const detail = trace.locator("#detail");
	expect(await detail.innerText()).toMatch(/Took\s+[\d.]+ m?s \(server/);
	await takePictures(editor, "trace");
	await detail.getByRole("button", { name: "Open Request" }).click();
	await editor.editors.waitForActive(/tools-call echo \d+ request\.json/);
	await editor.editors.waitForText('"second"');
	await takePictures(editor, "trace-document");

	await call("small", "echo", { text: "third" });
	await choose(trace, rows(trace, /tools\/call echo/).last(), "third");
	await detail.getByRole("button", { name: "Compare with…" }).first().click();
	await editor.palette.pick(/tools\/call echo/);
	await expect
		.poll(() => editor.editors.comparison())
		.toEqual([expect.stringContaining('"second"'), expect.stringContaining('"third"')]);
});

test("an error is found in two steps, the preset and the row, and its actions link further (TRC-37, TRC-38)", async () => {
	const { editor } = story;
	await editor.palette.run("MCP Host: Show Trace");
	const trace = await view();
	await trace.getByRole("button", { name: "Errors" }).click();
	await waitForCondition("Only errors", async () => (await rows(trace, "").count()) === 1);
	await choose(trace, rows(trace, "fail"), "Error of the tool: ");
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
	await call("small", "fail", {});
	await editor.chat.clickLink("Show in Trace");
	const chosen = async (): Promise<void> =>
		(await view()).locator(".line[aria-selected=true]", { hasText: "tools/call fail" }).waitFor({ timeout: patience });
	await chosen();
	await (await view()).locator("#detail").getByRole("button", { name: "Show in Activity" }).click();
	const entry = (await editor.webview.document("All decisions and effects")).locator("article.detail");
	await entry.locator("h2", { hasText: "fail" }).waitFor({ timeout: patience });
	await entry.getByText("allowed by you").first().waitFor({ timeout: patience });
	await takePictures(editor, "trace-activity");
	await (await view()).locator("#filter").fill("nothing-is-called-so");
	await entry.getByRole("button", { name: "Show in Trace" }).click();
	await chosen();
});

test("a tool's row leads to its last call, a server's to all of its exchanges (TRC-40)", async () => {
	const { editor } = story;
	await editor.tree.expand(["small", "Tools"]);
	await editor.tree.contextMenu(["small", "Tools", "Echo"], "Show in Trace");
	const trace = await view();
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
