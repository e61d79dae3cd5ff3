/** Journeys that begin in a window without servers and models: a server is added, one is repaired, a model is added. */
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messagesOf, readReceived } from "../../servers/received.ts";
import { type ScriptedModel, startScriptedModel } from "../../servers/scriptedModel.ts";
import { addPanel, paste, pastedSecret, readme } from "../fixtures/addServers.ts";
import { followsColorScheme, takePictures } from "../fixtures/colorScheme.ts";
import { smallEntry } from "../fixtures/serverEntries.ts";
import { approve, container, ServerReviewPanel } from "../fixtures/serverReview.ts";
import { TestFolder, writeContent } from "../fixtures/testFolder.ts";
import { writtenByAll } from "../fixtures/written.ts";
import { patience } from "../pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "../pages/startEditor.ts";

const apiKey = "sk-story-0123456789";
let folder: TestFolder;
let model: ScriptedModel;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	// Its name sorts after that of the demo model; the editor's picker would choose by name.
	model = await startScriptedModel({ apiKey, models: ["scripted-model", "nomic-embed-text"] });
	editor = await startEditorWithVsix({ settings: followsColorScheme });
});

afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await folder?.[Symbol.asyncDispose]();
});

test("text from a server's page is pasted, previewed, approved and used in five clicks and one paste (ADD-06)", async () => {
	const log = folder.file("small.log");
	await editor.tree.open(container);
	let clicks = 0;
	const click = async (press: () => Promise<void>): Promise<void> => {
		clicks++;
		await press();
	};
	await click(async () => editor.tree.welcomeButton("Add Servers…").click({ timeout: patience }));
	const panel = await addPanel(editor);
	await editor.screenshot("add-servers-empty");
	await paste(editor, readme(log));
	const key = panel.getByRole("group", { name: "Environment SMALL_API_KEY" });
	await key.waitFor({ timeout: patience });
	expect(await key.getByLabel("Kept as").inputValue()).toBe("secret");
	expect(await panel.locator("#add").innerText()).toBe("Add Server");
	await takePictures(editor, "add-servers");
	expect(existsSync(log)).toBe(false);
	await click(async () => panel.getByRole("button", { name: "Add and Review…" }).click());

	const review = await ServerReviewPanel.of(editor, "small");
	expect((await review.row("Command")).values).toEqual([process.execPath]);
	expect((await review.row("Environment")).values.join()).toContain("${input:small-small-api-key}");
	expect(await review.text()).not.toContain(pastedSecret);
	expect(existsSync(log)).toBe(false);
	await click(async () => review.button("Approve and Start").click());

	// The tools unfold automatically.
	await editor.tree.row(["small", "Tools", "whoami"]);
	await takePictures(editor, "add-servers-running");
	await click(async () => editor.tree.click(["small", "Tools", "whoami"]));
	await editor.editors.waitForActive("Run whoami");
	const form = await editor.webview.document("Run whoami");
	await form.locator("#submit").waitFor({ timeout: patience });
	await click(async () => form.locator("#submit").click());
	await editor.editors.waitForActive("Tool: whoami");
	await expect.poll(() => messagesOf(readReceived(log), "tools/call"), { timeout: patience }).toHaveLength(1);
	const result = await editor.webview.document("SMALL_MODE");
	await result.locator("main", { hasText: pastedSecret }).waitFor({ timeout: patience });
	expect(clicks).toBe(5);

	const settings = await editor.userSettings();
	expect(settings).toContain("${input:small-small-api-key}");
	expect(settings).not.toContain(pastedSecret);
	await editor.dialogs.answerNotification("Added “small” to User Settings", "Undo");
	await editor.tree.waitUntilGone("small");
	expect(await editor.userSettings()).not.toContain("small");
});

/** Waits until the doctor has examined everything. */
async function examined(panel: FrameLocator): Promise<void> {
	await panel.getByRole("button", { name: "Check Again" }).waitFor({ timeout: patience });
}

test("a server without its key is reported, and the doctor's fix provides the key without writing it to a file (DOC-01, DOC-05)", async () => {
	const { command, args } = smallEntry(folder.file("keyed.log"));
	const [script = "", ...rest] = args;
	const keyed = [
		'if (!process.env.ACME_API_KEY) throw new Error("ACME_API_KEY is required");',
		`await import(${JSON.stringify(script)});`,
	].join("\n");
	const entry = { type: "stdio", command, args: ["${workspaceFolder}/keyed.mjs", ...rest] };
	const { workspaceFolder, tree, dialogs, editors, webview } = editor;
	const file = path.join(workspaceFolder, ".vscode/mcp.json");
	await writeContent(path.join(workspaceFolder, "keyed.mjs"), keyed);
	await writeContent(
		file,
		`{\n\t// The servers of the team.\n\t"servers": {\n\t\t"acme": ${JSON.stringify(entry)}\n\t}\n}\n`,
	);
	await using files = new AsyncDisposableStack();
	files.defer(async () => {
		await rm(path.dirname(file), { recursive: true, force: true });
		await tree.waitUntilGone("acme");
	});
	await tree.open(container);
	await approve(editor, "acme", /ACME_API_KEY is not set, and the server needs it\./);
	const toast = await dialogs.waitForNotification('"acme"');
	expect(toast).toMatch(/"acme" did not start\. ACME_API_KEY is not set, and the server needs it\./);
	await takePictures(editor, "doctor-toast");
	await dialogs.answerNotification('"acme"', "Check Server");

	await editors.waitForActive("Check: acme");
	let panel = await webview.document("Check: acme");
	await examined(panel);
	const cause = panel.getByRole("article", { name: "Cause" });
	expect(await cause.innerText()).toMatch(
		/Cause · Start[^]*ACME_API_KEY is not set[^]*Error: ACME_API_KEY is required/,
	);
	await takePictures(editor, "doctor");

	await cause.getByRole("button", { name: "Set Variable…" }).click();
	await editor.palette.waitForTitle("acme: ACME_API_KEY");
	await editor.palette.enter("a-very-secret-key");
	const review = await ServerReviewPanel.of(editor, "acme");
	expect(await review.text()).toContain("A server that you approved has changed");
	expect((await review.row("Environment")).values).toEqual(["ACME_API_KEY=${input:acme-acme-api-key}"]);
	await review.button("Approve and Start").click();
	await tree.waitForRunning("acme");

	await editors.activate("Check: acme");
	panel = await webview.document("Check: acme");
	await panel.getByText("It is running").first().waitFor({ timeout: patience });
	await examined(panel);
	await takePictures(editor, "doctor-repaired");
	const written = await readFile(file, "utf8");
	expect(written).toContain("// The servers of the team.");
	expect(written).toContain('"ACME_API_KEY": "${input:acme-acme-api-key}"');
	expect(written).not.toContain("a-very-secret-key");
});

// The last story, because its demo server stays.
test("takes an endpoint, keeps its key secret, and chats with its model in place of the demo's", async () => {
	const { palette, dialogs, chat, tree } = editor;
	await chat.open();
	await chat.waitForModel("No model yet");
	expect(await chat.ask("@mcp hello")).toContain("No model yet");
	await palette.run("MCP Host: Try the Demo Server");
	await chat.waitForInput("Barcelona for two");
	await tree.open(container);
	await tree.waitForRunning("travel");
	await dialogs.clearNotifications();
	await palette.run("MCP Host: Add Model Endpoint…");
	await palette.waitForRow("Ollama");
	await editor.screenshot("models-presets");
	await palette.pick("Other…");
	await palette.fill("file:///etc/passwd");
	await palette.waitForMessage(/http/);
	await palette.enter(model.url);
	await palette.enter("Story");
	await dialogs.waitForNotification(/Story .* needs an API key/);
	await editor.screenshot("models-key-missing");

	await dialogs.answerNotification("needs an API key", "Set API Key…");
	await palette.waitForMessage(/stored in the secret store/);
	await palette.enter("sk-wrong-key");
	await dialogs.waitForNotification(/Story .* refused the API key/);
	await dialogs.answerNotification("refused the API key", "Set API Key…");
	await palette.waitForMessage(/stored in the secret store/);
	await palette.enter(apiKey);
	await dialogs.waitForNotification("offers 1 model: scripted-model");
	await editor.screenshot("models-added");
	await dialogs.clearNotifications();

	await chat.open();
	await chat.waitForModel("scripted-model");
	const requests = model.requests.length;
	model.next({ text: "Hello from the story." });
	expect(await chat.ask("@mcp hello")).toContain("Hello from the story.");
	const { headers, body } = await model.request(requests);
	expect(headers.authorization).toBe(`Bearer ${apiKey}`);
	// Text from before there was a model is not part of the conversation.
	expect(JSON.stringify(body.messages)).not.toContain("No model yet");
	expect(await writtenByAll(editor)).toContain(model.url);
	expect(await writtenByAll(editor)).not.toContain(apiKey);
});
