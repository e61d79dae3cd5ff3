/**
 * Stories of limits, budgets and rules for sampling: an exhausted budget is reported at once, and the permissions of a
 * rule are listed and revocable.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatStory, reviewPanel, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { samplingEntry } from "./fixtures/serverEntries.ts";
import { patience } from "./pages/conditions.ts";
import type { ScriptedStep } from "../servers/scriptedModel.ts";

const manage = "MCP Host: Manage Rules and Grants…";
const legacy = (log: string) => samplingEntry(log, "--era", "legacy");

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{ limited: legacy, trusted: legacy, refused: legacy },
		{
			...followsColorScheme,
			"mcpHost.policy.rules": [{ decision: "allow", server: "*", tool: "sample" }],
			"mcpHost.sampling.limits": { costPerDay: 2, servers: { limited: { tokensPerDay: 200 } } },
		},
	);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call `sample` of a server, which requests a completion of `question`; `then` are the following answers. */
async function ask(server: string, question: string, ...then: readonly ScriptedStep[]): Promise<void> {
	const { editor, model } = story;
	model.next({ toolCalls: [{ nameEndsWith: `${server}_sample`, arguments: { text: question } }] }, ...then);
	await editor.chat.send(`@mcp let ${server} ask ${question}`);
}

/** The result of the last call, as the chat's model received it. */
async function told(): Promise<string> {
	const { model } = story;
	return toolResults(await model.request(model.requests.length - 1)).join();
}

/** Rejects the request of a panel; then the chat's model answers `end`. */
async function reject(panel: FrameLocator, end: string): Promise<void> {
	story.model.next({ text: end });
	await panel.getByRole("button", { name: "Reject", exact: true }).click();
	await story.editor.chat.waitForText(end);
	await story.editor.webview.waitUntilClosed();
}

/** Sends a panel's request, returns the completion, and waits for the end of the turn. */
async function complete(panel: FrameLocator, answer: ScriptedStep, end: string): Promise<void> {
	story.model.next(answer, { text: end });
	await panel.getByRole("button", { name: "Send to Model" }).click();
	await panel.getByRole("textbox", { name: "Text that the server receives" }).waitFor({ timeout: patience });
	await panel.getByRole("button", { name: "Return to Server" }).click();
	await story.editor.chat.waitForText(end);
	await story.editor.webview.waitUntilClosed();
}

test("settings of a repository cannot grant sampling (BLT-16, CFG-06)", async () => {
	const { editor, model } = story;
	const folder = path.join(editor.workspaceFolder, ".vscode");
	await mkdir(folder, { recursive: true });
	const settings = {
		"chat.mcp.serverSampling": { trusted: { allowedDuringChat: true, allowedOutsideChat: true } },
		"mcpHost.sampling.limits": { tokensPerDay: null, servers: { "*": { requestsPerMinute: 0 } } },
		"mcpHost.sampling.rules": [{ server: "trusted", treatment: { kind: "auto" } }],
	};
	await writeFile(path.join(folder, "settings.json"), JSON.stringify(settings));
	const requests = model.requests.length;
	await ask("trusted", "Am I granted?");
	const panel = await reviewPanel(editor);
	await panel.getByText("trusted today: 0 tokens").waitFor({ timeout: patience });
	expect(model.requests).toHaveLength(requests + 1);
	await reject(panel, "It was not.");
	expect(await told()).toContain("User rejected sampling request");
});

test("over budget the panel reports it and sends nothing, and a used-up budget is reported in the tool's result at once (SMP-01)", async () => {
	const { editor, model } = story;
	await ask("limited", "First?");
	const first = await reviewPanel(editor);
	await first.getByText("limited today: 200 of 200 tokens left").waitFor({ timeout: patience });
	await takePictures(editor, "budgets-panel");
	await complete(first, { text: "Sunny.", usage: { prompt_tokens: 60, completion_tokens: 70 } }, "First is done.");

	await ask("limited", "Second?");
	const second = await reviewPanel(editor);
	await second.getByText("limited today: 70 of 200 tokens left").waitFor({ timeout: patience });
	const requests = model.requests.length;
	await second.getByRole("button", { name: "Send to Model" }).click();
	await second
		.getByText(/limited may use 200 tokens a day, of which 70/)
		.first()
		.waitFor({ timeout: patience });
	await takePictures(editor, "budgets-over-in-panel");
	expect(model.requests).toHaveLength(requests);
	await second.getByText("Parameters").click();
	await second.getByRole("textbox", { name: "Max tokens" }).fill("20");
	await complete(second, { text: "Short.", usage: { prompt_tokens: 40, completion_tokens: 30 } }, "Second is done.");

	await ask("limited", "Third?", { text: "Third was refused." });
	await editor.chat.waitForText("Third was refused.");
	expect(await told()).toContain("today's token budget for requests from this server is used up");
	expect(await editor.editors.titles()).toEqual([]);
	await takePictures(editor, "budgets-over-in-chat");
	await editor.palette.run(manage);
	const rows = await editor.palette.waitForRow("limited");
	expect(rows.map(({ detail }) => detail).join()).toContain("0 of 200 tokens left");
	await editor.palette.cancel();
});

test("a rule with a budget answers without a question, asks once the budget is used up, is listed, and is revoked (SMP-01, SMP-06)", async () => {
	const { editor, model } = story;
	const { palette, chat, dialogs } = editor;
	await ask("trusted", "May I?");
	const panel = await reviewPanel(editor);
	await panel.getByRole("button", { name: "Rules for This Server" }).click();
	await palette.waitForTitle("Rules for trusted");
	// Pictures in one theme: a change of theme beside an open pick may close it.
	await editor.screenshot("budgets-rules");
	await palette.pick(/Auto-Approve Under a Budget/);
	await editor.screenshot("budgets-rule-budget");
	await palette.pick("Enter a Budget…");
	await palette.fill("2 request and more");
	await palette.waitForMessage(/Write a budget such as/);
	await palette.enter("2 requests");
	await palette.pick(/Only During Calls/);
	await editor.screenshot("budgets-rule-lasting");
	await palette.pick("In This Workspace");
	await palette.waitUntilClosed();
	// The rule applies to later requests; the user still decides this one.
	await reject(panel, "Not that one.");

	const requests = model.requests.length;
	for (const number of [1, 2]) {
		await ask("trusted", `Unasked ${number}?`, { text: `Answer ${number}.` }, { text: `Said ${number}.` });
		await chat.waitForText(`Said ${number}.`);
		expect(await told()).toContain(`Answer ${number}.`);
	}
	expect(model.requests).toHaveLength(requests + 6);
	await ask("trusted", "A third?");
	const third = await reviewPanel(editor);
	await third.getByText(/its budget is used up/).waitFor({ timeout: patience });
	expect(model.requests).toHaveLength(requests + 7);
	await takePictures(editor, "budgets-rule-used-up");
	await reject(third, "Asked again.");

	await palette.run(manage);
	const rows = await palette.waitForRow(/Auto-approve up to 2 requests in all: trusted/);
	expect(rows.map(({ label, detail }) => `${label} ${detail}`).join("\n")).toMatch(
		/limited \d+ of 200 tokens left[^]*trusted \d+ tokens used[^]*All servers together \d+ tokens used · \$2\.00 of \$2\.00 left/,
	);
	await takePictures(editor, "budgets-list");
	await palette.pick(/Auto-approve up to 2 requests in all: trusted/);
	await palette.pick(/Revoke This Rule/);
	await dialogs.waitForNotification("Revoked. You are asked again from now on.");
	await dialogs.clearNotifications();
	await ask("trusted", "Without a rule?");
	const last = await reviewPanel(editor);
	expect(await last.locator("body").innerText()).not.toContain("is used up");
	await reject(last, "No rule any more.");
});

test("“Never” ends waiting requests, and refuses later ones without a question (BLT-08, BLT-15)", async () => {
	const { editor, model } = story;
	const { palette, chat } = editor;
	await ask("refused", "Just once?");
	const usage = { prompt_tokens: 60, completion_tokens: 70 };
	await complete(await reviewPanel(editor), { text: "Once.", usage }, "It was once.");
	await ask("refused", "Please?");
	const panel = await reviewPanel(editor);
	model.next({ text: "It may not." });
	await panel.getByRole("button", { name: "Rules for This Server" }).click();
	await palette.waitForTitle("Rules for refused");
	await palette.pick(/Never/);
	await palette.pick("Always");
	await chat.waitForText("It may not.");
	await editor.webview.waitUntilClosed();
	const requests = model.requests.length;
	await ask("refused", "Please, now?", { text: "Refused now." });
	await chat.waitForText("Refused now.");
	expect(await told()).toContain("The user does not allow sampling requests from this server");
	expect(model.requests).toHaveLength(requests + 2);
	await palette.run(manage);
	await palette.waitForRow(/Never: refused/);
	const rows = await palette.waitForRow("refused");
	expect(rows.map(({ label, detail }) => `${label} ${detail}`).join()).toContain("refused 130 tokens used");
	await takePictures(editor, "budgets-never");
	await palette.cancel();
});
