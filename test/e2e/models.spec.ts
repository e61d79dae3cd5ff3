/** Stories of models: none yet, the demo's script, an endpoint added by hand, a faulty setting. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { writtenByAll } from "./fixtures/written.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";

const apiKey = "sk-story-0123456789";

describe("a fresh editor", () => {
	let model: ScriptedModel;
	let editor: RunningEditor;
	beforeAll(async () => {
		// Its name sorts after that of the demo model; the editor's picker would choose by name.
		model = await startScriptedModel({ apiKey, models: ["scripted-model", "nomic-embed-text"] });
		editor = await startEditorWithVsix({ settings: followsColorScheme });
	});
	afterAll(async () => {
		await editor?.stop();
		await model?.close();
	});

	/** Adds the endpoint, its key included, unless the chat has its model already. */
	async function addEndpoint(): Promise<void> {
		const { palette, dialogs, chat } = editor;
		await chat.open();
		if (await chat.inputPart.getByText("scripted-model").first().isVisible()) return;
		await palette.run("MCP Host: Add Model Endpoint…");
		await palette.pick("Other…");
		await palette.enter(model.url);
		await palette.enter("Story");
		await dialogs.answerNotification("needs an API key", "Set API Key…");
		await palette.waitForMessage(/stored in the secret store/);
		await palette.enter(apiKey);
		await dialogs.waitForNotification("offers 1 model: scripted-model");
		await dialogs.clearNotifications();
		await chat.waitForModel("scripted-model");
	}

	/** Runs the demo server, whose model is used until there is another. */
	async function runDemo(window: Workbench): Promise<void> {
		await window.tree.open("MCP Host");
		const isThere = (await window.tree.rows()).some(({ label }) => label === "travel");
		if (!isThere) {
			await window.palette.run("MCP Host: Try the Demo Server");
			// It ends in the chat.
			await window.chat.waitForInput("Barcelona for two");
		}
		await window.tree.waitForRunning("travel");
	}

	test("has no model, and @mcp reports it with ways out; direct commands work", async () => {
		const { chat } = editor;
		await chat.open();
		await chat.waitForModel("No model yet");
		const answer = await chat.ask("@mcp hello");
		expect(answer).toContain("No model yet.");
		for (const link of ["Add Model Endpoint…", "Detect Local Models", "Try the Demo"]) {
			expect(await chat.link(link).count(), link).toBe(1);
		}
		await takePictures(editor, "models-none");
		expect(await chat.ask("@mcp /servers")).toContain("No server is configured");
		expect(await chat.ask("@mcp /tools")).toContain("No running server offers tools");
		await editor.screenshot("models-none-commands");
	});

	test("gets the demo's model, which is used until there is another", async () => {
		const { chat, tree } = editor;
		await chat.open();
		await chat.waitForModel("No model yet");
		await chat.ask("@mcp hello again");
		await chat.clickLink("Try the Demo");
		await chat.waitForInput("Barcelona for two");
		await tree.open("MCP Host");
		await tree.waitForRunning("travel");
		await chat.waitForModel(/Demo model/);
		expect(await chat.ask("@mcp hello")).toContain("demo model");
	});

	test("an unreachable endpoint is reported before it is saved, and links back to its address (FST-05)", async () => {
		const { palette, dialogs } = editor;
		// Nothing listens on this port.
		const nowhere = "http://127.0.0.1:1/v1";
		await palette.run("MCP Host: Add Model Endpoint…");
		await palette.pick("Other…");
		await palette.enter(nowhere);
		await palette.enter("Nowhere");
		const told = await dialogs.waitForNotification(/Nowhere .* cannot be reached/);
		expect(told).toContain("Nothing is saved yet. Start it and try again, or change the address.");
		expect(told).not.toContain("Manage Models");
		await editor.screenshot("models-unreachable");
		await dialogs.answerNotification(/Nowhere .* cannot be reached/, "Change Address…");
		await expect.poll(() => palette.input.inputValue(), { timeout: patience }).toBe(nowhere);
		await palette.cancel();
		expect(await writtenByAll(editor)).not.toContain("Nowhere");
	});

	test("waits for a busy endpoint, and reports it", async () => {
		const { chat } = editor;
		await addEndpoint();
		const { promise, resolve } = Promise.withResolvers<void>();
		model.next({ status: 429, headers: { "retry-after": "2" } }, { gate: promise, text: "Now I have time." });
		await chat.send("@mcp are you busy?");
		await chat.waitForText(/too many requests/);
		await editor.screenshot("models-busy");
		resolve();
		await chat.waitForText("Now I have time.");
	});

	test("chooses the endpoint's model automatically in a new window, although the demo server runs there too", async () => {
		await addEndpoint();
		const window = await editor.newWindow();
		await runDemo(window);
		await window.chat.open();
		// The key is a secret of the other window's profile: without it the endpoint does not list its models.
		await window.chat.waitForModel(/Demo model/);
		// The chat and the tree of this new window may still take the focus.
		await window.palette.runAndPick("MCP Host: Manage Models…", /Story/);
		await window.palette.pick(/Set API Key/);
		await window.palette.enter(apiKey);
		await window.dialogs.waitForNotification("offers 1 model: scripted-model");
		await window.chat.waitForModel("scripted-model");
		await window.close();
	});

	test("forgets an endpoint and its key, and has no model again", async () => {
		const { palette, chat } = editor;
		await runDemo(editor);
		await addEndpoint();
		await palette.run("MCP Host: Manage Models…");
		await palette.pick(/Story/);
		await editor.screenshot("models-manage");
		await palette.pick(/Remove Endpoint/);
		await editor.tree.open("MCP Host");
		await chat.waitForModel(/Demo model/);
		await palette.run("MCP Host: Manage Models…");
		await palette.waitForRow(/Add Model Endpoint/);
		expect((await palette.rows()).map(({ label }) => label).join("\n")).not.toMatch(/Story|Forget/);
		await palette.cancel();
	});
});

describe("a faulty setting", () => {
	let editor: RunningEditor;
	beforeAll(async () => {
		editor = await startEditorWithVsix({
			settings: { "mcpHost.models": [{ name: "Broken", baseURL: "ftp://models.example" }] },
		});
	});
	afterAll(() => editor?.stop());

	test("is shown in a notification and in the chat", async () => {
		const { dialogs, chat } = editor;
		await dialogs.waitForNotification(/entry 1: the baseURL of "Broken" cannot be used/);
		await editor.screenshot("models-faulty-setting");
		await dialogs.clearNotifications();
		await chat.open();
		await chat.waitForModel("No model yet");
		expect(await chat.ask("@mcp hello")).toContain('the baseURL of "Broken" cannot be used');
	});
});
