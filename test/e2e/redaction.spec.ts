/**
 * Stories of secrets in sampling requests, and of the context of servers: nothing is sent that the user did not see and
 * want.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { answerCall, ChatStory, reviewPanel } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { samplingEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { writtenByUs } from "./fixtures/written.ts";
import { patience } from "./pages/conditions.ts";

const made = "0123456789abcdefghijABCDEFGHIJ456789";
const githubToken = `ghp_${made}`;
const apiKey = "local-endpoint-key-5f2a9c";
const password = "correct-horse-7";
const tenant = "tenant-8d31e7c0b2";
const secrets = [githubToken, apiKey, password, tenant, "ACME-4711"];

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{
			asker: (log) => ({ ...samplingEntry(log), env: { SERVICE_PASSWORD: password } }),
			small: (log) => smallEntry(log),
		},
		{ ...followsColorScheme, "mcpHost.redaction.patterns": { customer: "ACME-\\d+" } },
		{ secretHeaders: ["x-tenant"] },
	);
	const { palette } = story.editor;
	await palette.run("MCP Host: Manage Models…");
	await palette.pick(/Scripted/);
	await palette.pick(/Set API Key/);
	await palette.waitForMessage("The API key.");
	await palette.enter(apiKey);
	await palette.waitUntilClosed();
	await palette.run("MCP Host: Manage Models…");
	await palette.pick(/Scripted/);
	await palette.waitForRow(/Set Header x-tenant…/);
	await takePictures(story.editor, "models-secret-header");
	await palette.pick(/Set Header x-tenant…/);
	await palette.waitForMessage("The value of the header x-tenant.");
	await palette.enter(tenant);
	await palette.waitUntilClosed();
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Has the model call `sample` of the asking server, allows the call, and returns the review. */
async function review(text: string, more: JsonObject = {}): Promise<FrameLocator> {
	const { editor, model } = story;
	const params = { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 100, ...more };
	model.next({ toolCalls: [{ nameEndsWith: "asker_sample", arguments: { params } }] });
	await editor.chat.send("@mcp let it ask");
	await answerCall(editor, 1, "Allow Once");
	return reviewPanel(editor);
}

/** Sends the content of the panel and returns the request that the model received. */
async function send(panel: FrameLocator): Promise<string> {
	const { model } = story;
	const requests = model.requests.length;
	model.next({ text: "A completion." });
	await panel.getByRole("button", { name: "Send to Model" }).click();
	const { body } = await model.request(requests);
	await panel.getByRole("textbox", { name: "Text that the server receives" }).waitFor();
	return JSON.stringify(body.messages);
}

async function finish(panel: FrameLocator, last: string): Promise<void> {
	story.model.next({ text: last });
	await panel.getByRole("button", { name: "Return to Server" }).click();
	await story.editor.chat.waitForText(last);
	await story.editor.webview.waitUntilClosed();
}

test("secrets are shown as marks, the model receives the marks, and only secrets that the user reveals are sent unmasked", async () => {
	const { editor } = story;
	const panel = await review(
		`Token ${githubToken}, key ${apiKey}, for ACME-4711. Encoded: ${Buffer.from(password).toString("base64")}`,
		{ systemPrompt: `The password is ${password}. Token again: ${githubToken}` },
	);
	expect(story.model.requests[0]?.headers["x-tenant"]).toBe(tenant);
	const message = panel.getByRole("textbox", { name: /user/ }).first();
	await message.waitFor({ timeout: patience });
	const shown = "Token ⟦GitHub token 1⟧, key ⟦API key 1⟧, for ⟦customer 1⟧. Encoded: ⟦configured value 2⟧";
	expect(await message.inputValue()).toMatch(
		new RegExp(`^${shown.replace("⟦configured value 2⟧", "⟦configured value 2⟧\\w{0,2}=?")}$`),
	);
	expect(await panel.getByRole("textbox", { name: "System prompt" }).inputValue()).toBe(
		"The password is ⟦configured value 1⟧. Token again: ⟦GitHub token 1⟧",
	);
	const list = panel.getByRole("group", { name: "Secrets in the request" });
	const listed = await list.innerText();
	for (const label of [
		"GitHub token",
		"API key of Scripted",
		"your pattern “customer”",
		"secret in the entry of “asker”",
	]) {
		expect(listed).toContain(label);
	}
	const everything = await panel.locator("body").innerText();
	for (const secret of secrets) expect(everything).not.toContain(secret);
	// The pending list shows no secret either.
	const pending = editor.tree.view("Pending");
	await expect.poll(() => pending.text(), { timeout: patience }).toContain("⟦GitHub token 1⟧");
	expect(await pending.text()).not.toContain("ghp_");
	await takePictures(editor, "redaction-marks");

	// An edit right beside a mark stays, and the mark stays one.
	await message.fill((await message.inputValue()).replace("Token ⟦", "My token:⟦"));
	await list.getByRole("button", { name: /^Show your pattern “customer”/ }).click();
	await expect.poll(() => message.inputValue(), { timeout: patience }).toContain("for ACME-4711.");
	expect(await message.inputValue()).toContain("My token:⟦GitHub token 1⟧");
	await takePictures(editor, "redaction-shown");
	const sent = await send(panel);
	expect(sent).toContain("My token:⟦GitHub token 1⟧, key ⟦API key 1⟧, for ACME-4711.");
	for (const secret of [githubToken, apiKey, password, Buffer.from(password).toString("base64").slice(0, -2)]) {
		expect(sent).not.toContain(secret);
	}
	await finish(panel, "The first is done.");
	// The record of a request is written a moment after it ended.
	await expect.poll(() => writtenByUs(story.editor)).toContain("⟦GitHub token 1⟧");
	const texts = await writtenByUs(story.editor);
	for (const secret of secrets) expect(texts, secret).not.toContain(secret);
});

test("a secret that the user hides again is not sent", async () => {
	const panel = await review(`Use ${githubToken} now.`);
	const message = panel.getByRole("textbox", { name: /user/ }).first();
	await panel.getByRole("button", { name: /^Show GitHub token/ }).click();
	await expect.poll(() => message.inputValue(), { timeout: patience }).toBe(`Use ${githubToken} now.`);
	await message.fill(`Use ${githubToken} now!`);
	await panel.getByRole("button", { name: /^Hide GitHub token/ }).click();
	await expect.poll(() => message.inputValue(), { timeout: patience }).toBe("Use ⟦GitHub token 1⟧ now!");
	const sent = await send(panel);
	expect(sent).toContain("Use ⟦GitHub token 1⟧ now!");
	expect(sent).not.toContain(githubToken);
	await finish(panel, "The second is done.");
});

test("SMP-04: no server context is sent without a tick, whatever is requested; ticked context is shown before it is sent", async () => {
	const { editor, model } = story;
	await editor.tree.open("MCP Host");
	await editor.tree.expand(["small", "Resources"]);
	await editor.tree.click(["small", "Resources", "A Book"]);
	await editor.editors.waitForText("The Last Unicorn");
	await editor.chat.open();

	const plain = await review("And the others?", { includeContext: "allServers" });
	await plain.getByRole("radio", { name: "None" }).waitFor({ timeout: patience });
	expect(await plain.getByRole("radio", { name: "None" }).isChecked()).toBe(true);
	const without = await send(plain);
	expect(without).not.toContain("Unicorn");
	expect(without).not.toContain("Context from MCP servers");
	await finish(plain, "Nothing went along.");

	const panel = await review("And the others now?", { includeContext: "allServers" });
	await panel.getByRole("radio", { name: "This server" }).check({ timeout: patience });
	const context = panel.getByRole("textbox", { name: "Context of servers" });
	await context.waitFor({ timeout: patience });
	await expect.poll(() => context.inputValue()).toContain("asker, result of the tool sample");
	expect(await context.inputValue()).not.toContain("Unicorn");
	await panel.getByRole("radio", { name: "All servers" }).check();
	await expect.poll(() => context.inputValue(), { timeout: patience }).toContain("The Last Unicorn");
	const shown = await context.inputValue();
	expect(shown).toContain("small, instructions:");
	expect(shown).toContain("small, resource urn:isbn:0451450523:");
	await context.scrollIntoViewIfNeeded();
	await takePictures(editor, "redaction-context");
	const requests = model.requests.length;
	expect(await send(panel)).toContain("The Last Unicorn");
	// Exactly the shown text.
	const [first] = (await model.request(requests)).body.messages;
	expect(JSON.stringify(first?.content)).toContain(JSON.stringify(shown).slice(1, -1));
	await finish(panel, "All went along.");
});
