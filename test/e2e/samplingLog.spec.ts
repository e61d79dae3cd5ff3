/** Stories of the record of sampling requests, in the editor: the entries of a review, and how users work with them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { answerCall, ChatStory, reviewPanel } from "./fixtures/chatStory.ts";
import { samplingEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{
			borrower: (log) => samplingEntry(log, "--era", "legacy"),
			other: (log) => samplingEntry(log, "--era", "modern"),
		},
		{ "mcpHost.modelPrices": { "scripted*": { input: 1000, output: 2000 } } },
	);
});
/** The request that the log begins with, besides those of the stories: it was rejected. */
const song = "Sing me a long song about the sea.";
beforeAll(async () => {
	await returnEdited();
	await reject("other", song, "No songs, please.");
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Looks like a token of GitHub but is none. */
const token = `ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}`;

/** Has the model call `sample` of a server, allows the call, and returns the review of the server's sampling request. */
async function ask(server: string, params: JsonObject): Promise<FrameLocator> {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: `${server}_sample`, arguments: { params } }] });
	await editor.chat.send(`@mcp let ${server} ask`);
	await answerCall(editor, 1, "Allow Once");
	return reviewPanel(editor);
}

function requestOf(text: string, more: JsonObject = {}): JsonObject {
	return { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 300, ...more };
}

/** Brings the log to the front, with all entries: until the panel is updated, it shows the earlier search. */
async function openLog(): Promise<FrameLocator> {
	await story.editor.palette.run("MCP Host: Show Sampling Requests");
	const log = await story.editor.webview.document("Activity");
	const lookedFor = (): Promise<readonly string[]> =>
		Promise.all(["group", "server", "search"].map((id) => log.locator(`#${id}`).inputValue()));
	await expect.poll(lookedFor, { timeout: patience }).toEqual(["sampling", "", ""]);
	return log;
}

/** A review with edits at both stages, up to its return to the server. */
async function returnEdited(): Promise<void> {
	const { editor, model } = story;
	const review = await ask(
		"borrower",
		requestOf(`What is the weather? My key is ${token}.`, {
			systemPrompt: "Be brief.",
			temperature: 0.5,
			stopSequences: ["END"],
		}),
	);
	await review.getByRole("textbox", { name: "System prompt" }).fill("Be very brief.");
	model.next({ text: "It rains.", usage: { prompt_tokens: 40, completion_tokens: 5 } });
	await review.getByRole("button", { name: "Send to Model" }).click();
	await review.getByRole("textbox", { name: "Text that the server receives" }).fill("It does not rain.");
	model.next({ text: "Told." });
	await review.getByRole("button", { name: "Return to Server" }).click();
	await editor.chat.waitForText("Told.");
	await editor.chat.waitUntilDone();
}

/** Has a server ask, and rejects it with a reason. */
async function reject(server: string, text: string, reason: string): Promise<void> {
	const { editor, model } = story;
	const review = await ask(server, requestOf(text));
	await review.getByRole("button", { name: "Add Reason…" }).click();
	await review.getByRole("textbox", { name: "Reason for the server" }).fill(reason);
	model.next({ text: `Not done: ${reason}` });
	await review.getByRole("button", { name: "Reject", exact: true }).click();
	await editor.chat.waitForText(`Not done: ${reason}`);
	await editor.chat.waitUntilDone();
}

test("a review with edits at both stages is logged with all requests, changes, usage and decisions (BLT-19: system prompt and parameters are there)", async () => {
	const { editor } = story;
	const log = await openLog();
	await log.locator(".entry", { hasText: "Returned by you" }).click();
	const detail = log.locator(".detail");
	await detail.getByRole("heading", { name: "Returned to the Server" }).waitFor();
	// Its details follow its heading.
	await expect.poll(() => detail.innerText(), { timeout: patience }).toContain("My key is");
	const text = await detail.innerText();
	for (const part of ["Be brief.", "What is the weather?", "Temperature", "0.5", '"END"', "300", "scripted-model"]) {
		expect(text).toContain(part);
	}
	for (const part of ["40 in, 5 out", "$0.05", "It rains.", "It does not rain.", "borrower"])
		expect(text).toContain(part);
	expect(await detail.getByRole("group", { name: "Changes of System prompt" }).locator("ins").innerText()).toBe(
		"very ",
	);
	// The secret was in the request, and is shown as a mark.
	expect(text).toContain("My key is ⟦");
	expect(text).not.toContain(token);
	await editor.screenshot("sampling-log");

	// Its messages are in the trace, which links back (JRN-17).
	await detail.getByRole("button", { name: "Show in Trace" }).click();
	const trace = await editor.webview.document("exchange");
	await trace.locator(".line[aria-selected=true]", { hasText: "tools/call sample" }).waitFor({ timeout: patience });
	await trace.locator("#grid").press("ArrowRight");
	await trace.locator(".line", { hasText: "sampling/createMessage" }).click();
	await trace.locator("#detail-title", { hasText: "sampling/createMessage" }).waitFor({ timeout: patience });
	await log.getByRole("button", { name: "Show All" }).click();
	await log.locator(".entry", { hasText: "approved by you" }).first().click();
	await trace.locator("#detail").getByRole("button", { name: "Show in Activity" }).click();
	await detail.getByRole("heading", { name: /Sampling request: returned by you/ }).waitFor({ timeout: patience });
	await editor.screenshot("sampling-log-trace");
	await editor.palette.run("View: Hide Panel");
});

test("a rejected request is listed with its reason as soon as it ends, while the log is open", async () => {
	const before = await (await openLog()).locator(".entry").count();
	await reject("other", "Dance.", "No dances either.");
	const log = await openLog();
	await expect.poll(() => log.locator(".entry").count()).toBe(before + 1);
	await log.locator(".entry", { hasText: "Rejected by you" }).first().click();
	await log.locator(".detail", { hasText: "No dances either." }).waitFor();
	await expect
		.poll(() => log.locator(".totals").innerText())
		.toMatch(new RegExp(`^${before + 1} of .* entries · sampling used 40 tokens in, 5 out · \\$0.05$`));
});

test("the log is searched, and the results are exported as JSON Lines without secrets", async () => {
	const { editor } = story;
	const log = await openLog();
	const count = await log.locator(".entry").count();
	await log.getByLabel("Search").fill("about the SEA");
	await expect.poll(() => log.locator(".entry").count()).toBe(1);
	const target = path.join(editor.workspaceFolder, "found.jsonl");
	await saveFiltered(log, target);
	// A file is there before its text is.
	await expect
		.poll(() => readEntries(target), { timeout: patience })
		.toMatchObject([
			{ phase: "asked", server: "other" },
			{ phase: "rejected", by: "user" },
		]);

	const all = path.join(editor.workspaceFolder, "all.jsonl");
	await log.getByLabel("Search").fill("");
	await expect.poll(() => log.locator(".entry").count()).toBe(count);
	await saveFiltered(log, all);
	await expect.poll(() => readEntries(all).length, { timeout: patience }).toBeGreaterThan(2 * count);
	expect(readEntries(all).slice(0, 3)).toMatchObject([
		{
			server: "borrower",
			contents: { received: { parameters: { maxTokens: 300, temperature: 0.5, stopSequences: ["END"] } } },
		},
		{ contents: { attempt: { model: { name: "scripted-model" }, inputTokens: 40, outputTokens: 5 } } },
		{ phase: "returned", by: "user", contents: { end: { returned: [{ edited: "It does not rain." }] } } },
	]);
	expect(readFileSync(all, "utf8")).not.toContain(token);
});

test("a server's menu shows only its own requests", async () => {
	const { editor } = story;
	await editor.tree.contextMenu("other", "Show Sampling Requests");
	const log = await editor.webview.document("Activity");
	// After any requests of earlier stories: all of this server, and none of the others.
	const others = async (): Promise<readonly boolean[]> =>
		(await log.locator(".entry").allInnerTexts()).map((text) => text.includes("other"));
	await expect.poll(async () => new Set(await others())).toEqual(new Set([true]));
	expect(await log.getByLabel("Kind").inputValue()).toBe("sampling");
});

test("a reload during a review keeps the log and ends the entry once", async () => {
	const { editor } = story;
	const before = await (await openLog()).locator(".entry-decision").allInnerTexts();
	const review = await ask("borrower", requestOf("Will you be there after the reload?"));
	await review.getByRole("button", { name: "Send to Model" }).waitFor();
	await editor.reload();
	await editor.tree.open(container);
	await editor.tree.row("borrower");
	const log = await openLog();
	await expect.poll(() => log.locator(".entry").count(), { timeout: patience }).toBe(before.length + 1);
	const [newest, ...others] = await log.locator(".entry-decision").allInnerTexts();
	expect(newest).toMatch(/ended without an answer|interrupted/);
	expect(others).toEqual(before);
	await editor.screenshot("sampling-log-after-reload");
});

test("clearing asks first, and then the log is empty", async () => {
	const { editor } = story;
	const log = await openLog();
	await log.getByRole("button", { name: "Clear Filtered…" }).click();
	const count = await log.locator(".entry").count();
	expect(await editor.dialogs.waitForModal("Clear these entries of the activity?")).toContain(
		`${count} entries of all windows`,
	);
	await editor.dialogs.answerModal("Cancel");
	expect(await log.locator(".entry").count()).toBe(count);
	await log.getByRole("button", { name: "Clear Filtered…" }).click();
	await editor.dialogs.waitForModal("Clear these entries of the activity?");
	await editor.dialogs.answerModal("Clear");
	await log.getByText("No entries match.").waitFor({ timeout: patience });
});

/** Exports the shown entries as JSON Lines. */
async function saveFiltered(log: FrameLocator, file: string): Promise<void> {
	const { palette } = story.editor;
	await log.getByRole("button", { name: "Export Filtered…" }).click();
	await palette.choose("JSON Lines");
	await expect.poll(() => palette.input.inputValue(), { timeout: patience }).toMatch(/mcp-activity-.*\.jsonl$/);
	await palette.fill(file);
	await palette.accept();
}

function readEntries(file: string): readonly JsonObject[] {
	const lines = readFileSync(file, "utf8").trimEnd().split("\n");
	return lines.map((line) => JSON.parse(line) as JsonObject);
}
