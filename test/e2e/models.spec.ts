/** The story of a model: an endpoint is added by hand, its key is set, and the chat answers with it. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";

const apiKey = "sk-story-0123456789";

let model: ScriptedModel;
let editor: RunningEditor;
beforeAll(async () => {
	model = await startScriptedModel({ apiKey });
	editor = await startEditorWithVsix();
});
afterAll(async () => {
	await editor?.stop();
	await model?.close();
});

/** Everything that the editor wrote as text below its user data folder. The opened folder lies beside that. */
async function writtenTexts(): Promise<string> {
	const folder = path.join(editor.workspace, "..", "..", "user-data");
	const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(json|log)$/.test(name));
	return (await Promise.all(files.map((name) => readFile(path.join(folder, name), "utf8").catch(() => "")))).join("\n");
}

test("an endpoint is added, its key stays secret, and its model answers", async () => {
	const { palette, dialogs, chat } = editor;
	await palette.run("MCP Host: Manage Models…");
	await palette.pick(/Add Endpoint/);
	await palette.pick("Other…");
	await palette.fill("file:///etc/passwd");
	await palette.waitForMessage(/http/);
	await palette.enter(model.url);
	await palette.enter("Story");
	await dialogs.waitForNotification(/Story .* refused the API key/);
	await editor.screenshot("models-key-missing");

	await dialogs.answerNotification("refused the API key", "Set API Key…");
	await palette.waitForMessage(/kept in the secret store/);
	await palette.enter(apiKey);
	await dialogs.waitForNotification("offers 1 model: scripted-model");
	model.next({ text: "Hello from the story." });
	await chat.open();
	await chat.waitForModel("scripted-model");
	expect(await chat.ask("@mcp hello")).toContain("Hello from the story.");
	expect((await model.request(0)).headers.authorization).toBe(`Bearer ${apiKey}`);
	expect(await writtenTexts()).toContain(model.url);
	expect(await writtenTexts()).not.toContain(apiKey);
});
