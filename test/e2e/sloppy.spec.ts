/** A working day with a server, a model's endpoint and a sign-in that all have the faults of released software (TRN-66). */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { type ProtectedServer, startProtectedServer } from "../servers/protectedServer.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { answerCall, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { sloppyEntry } from "./fixtures/serverEntries.ts";
import { approve, container, reviewFromTree } from "./fixtures/serverReview.ts";
import { sloppyOffice, sloppySignIn, thinks, thinksAndCalls, urlSafePicture } from "./fixtures/sloppyDay.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience, waitForEndOfTooltips } from "./pages/conditions.ts";
import { answerOnPage, openSignInPage } from "./pages/signIn.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let guarded: ProtectedServer;
let model: ScriptedModel;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	guarded = await startProtectedServer({ speaks: "legacy", authOptions: sloppySignIn });
	model = await startScriptedModel();
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.models": [{ name: "Scripted", baseURL: model.url, models: ["scripted-model"] }],
		},
		size: { width: 1440, height: 900 },
	});
});

afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await guarded?.[Symbol.asyncDispose]();
	await folder?.[Symbol.asyncDispose]();
});

/** The messages that the sloppy server received. */
function received(): readonly JsonObject[] {
	return readReceived(folder.file("sloppy.log")).flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
}

/** The answers to its form so far. */
function answers(): readonly unknown[] {
	return received().flatMap(({ id, method, ...rest }) => (id === 7 && method === undefined ? [rest["result"]] : []));
}

/** Sends a line to the chat, allows the model's call, and returns the result that the model received. */
async function turn(said: string, end: string, meanwhile: () => Promise<void> = async () => {}): Promise<string> {
	const { chat } = editor;
	await chat.send(`@mcp ${said}`);
	await answerCall(editor, 1, "Allow Once");
	await meanwhile();
	await chat.waitForText(end);
	await chat.waitUntilDone();
	const shown = await chat.lastText();
	expect(shown).not.toMatch(/think>|secret plan/);
	return toolResults(await model.request(model.requests.length - 1)).join("\n");
}

/** Opens the form in the chat and sends it, with a note or unchanged. */
async function answerForm(note: string | undefined): Promise<void> {
	const { chat, webview } = editor;
	await chat.waitForText("Anything to note on this run?");
	await chat.clickLink("Answer…");
	const form = await webview.document("Anything to note on this run?");
	await form.locator("#field-0:focus").waitFor({ timeout: patience });
	if (note !== undefined) await form.getByRole("textbox", { name: /Note/ }).fill(note);
	else await takePictures(editor, "sloppy-form");
	await form.getByRole("button", { name: "Send" }).click();
}

test("a working day with a sloppy server, endpoint and sign-in shows no failure (TRN-66)", async () => {
	const { tree, palette, dialogs, editors, webview, chat, page } = editor;

	// Both servers are pasted, as their pages print them.
	const behavior = folder.file("behavior.json");
	await writeContent(behavior, sloppyOffice);
	const { command, args } = sloppyEntry(behavior, folder.file("sloppy.log"));
	const entries = { mcpServers: { sloppy: { command, args }, guarded: { type: "http", url: guarded.url } } };
	await tree.open(container);
	await palette.run("MCP Host: Add Servers…");
	await editors.waitForActive("Add Servers");
	const adding = await webview.document("Paste the instructions from the server's page");
	await adding.locator("#text:focus").waitFor({ timeout: patience });
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(JSON.stringify(entries, undefined, 2))})`);
	await page.keyboard.press("ControlOrMeta+v");
	await adding.locator("#add", { hasText: "Add 2 Servers" }).click({ timeout: patience });
	await tree.waitForDescription("sloppy", "unapproved");
	await approve(editor, "sloppy");

	// All rows are there, and none of them is red.
	await tree.expand("sloppy");
	await tree.waitForDescription(["sloppy", "Tools"], /^2\b/);
	await tree.expand(["sloppy", "Tools"]);
	await tree.row(["sloppy", "Tools", "test"]);
	await tree.expand(["sloppy", "Resources"]);
	await tree.row(["sloppy", "Resources", "chart.png"]);
	await tree.waitForDescription(["sloppy", "Prompts"], /^0$/);
	await tree.hover(["sloppy", "Prompts"], "does not implement prompts/list");
	await editor.screenshot("sloppy-empty-list");
	await waitForEndOfTooltips(page);
	expect(await page.locator(".part.sidebar").locator(".codicon-error, .codicon-warning").count()).toBe(0);

	// One page signs in.
	const review = await reviewFromTree(editor, "guarded");
	await review.button("Approve and Start").click();
	await dialogs.waitForModal("Sign in to use “guarded”?");
	await answerOnPage(await openSignInPage(editor), "Approve");
	await tree.waitForRunning("guarded");
	await tree.expand("guarded");
	await tree.waitForDescription(["guarded", "Tools"], /^10\b/);
	await expect.poll(() => tree.contextMenuItems("guarded"), { timeout: patience }).toContain("Sign Out");
	await expect.poll(() => dialogs.notification("Waiting for you").count(), { timeout: patience }).toBe(0);
	expect(await page.locator(".part.sidebar").locator(".codicon-error, .codicon-warning").count()).toBe(0);
	await takePictures(editor, "sloppy-tree");

	// A resource opens as the picture that it is.
	expect(urlSafePicture).toMatch(/[-_]/);
	await tree.click(["sloppy", "Resources", "chart.png"]);
	await editors.waitForActive("chart.png");
	const image = (await webview.document()).locator("img");
	const width = (): Promise<number> => image.evaluate((it: { readonly naturalWidth: number }) => it.naturalWidth);
	await expect.poll(width, { timeout: patience }).toBe(320);
	await takePictures(editor, "sloppy-image");

	// A call, assembled from pieces, runs once with the shown arguments; thoughts are not part of the answer.
	await chat.open();
	await chat.waitForModel("scripted-model");
	model.next(
		thinksAndCalls("secret plan: run it", "I run the tests.", "sloppy_test", { folder: "src/a b" }),
		thinks("secret plan: one failed", "One test failed: a.test."),
	);
	const told = await turn("run the tests", "One test failed: a.test.");
	expect(told).toContain("FAIL a.test\n7 passed");
	const shown = await chat.lastText();
	expect(shown).toContain("src/a b");
	expect(shown).toMatch(/FAIL a\.test\s+7 passed/);
	expect(shown).not.toContain("[31m");
	expect(messagesOf(readReceived(folder.file("sloppy.log")), "tools/call")).toMatchObject([
		{ params: { name: "test", arguments: { folder: "src/a b" } } },
	]);
	await takePictures(editor, "sloppy-call");
	await chat.clickLink("Thoughts");
	await editors.waitForActive(/^Thoughts\.txt$/);
	await editors.waitForText("secret plan: run it");
	await editors.close(/^Thoughts\.txt$/);

	// The same with the server behind the sign-in.
	model.next(
		thinksAndCalls("secret plan: greet", "I say it.", "guarded_echo", { text: "hello" }),
		thinks("secret plan: done", "It said hello."),
	);
	expect(await turn("say hello", "It said hello.")).toBe("hello");

	// A form whose fields may all be null is sent empty, and once more with one field filled in.
	for (const note of [undefined, "one of them is flaky"]) {
		const end = note === undefined ? "Nothing is noted." : "It is noted.";
		model.next(thinksAndCalls("secret plan: ask", "I ask.", "sloppy_ask", {}), thinks("secret plan: end", end));
		const sent = await turn("let it ask me", end, () => answerForm(note));
		const content = note === undefined ? {} : { note };
		expect(JSON.parse(sent)).toMatchObject({ id: 7, result: { action: "accept", content } });
		expect(answers().at(-1)).toEqual({ action: "accept", content });
		const said =
			note === undefined ? /You accepted\. No values were sent\./ : /You answered:\s+note one of them is flaky/;
		expect(await chat.lastText()).toMatch(said);
	}
	expect(answers()).toHaveLength(2);
	await takePictures(editor, "sloppy-answered");
	expect(JSON.stringify(model.requests.map(({ body }) => body.messages))).not.toContain("secret plan");
	expect(guarded.auth.requests("authorize").filter(({ method }) => method === "GET")).toHaveLength(1);
});
