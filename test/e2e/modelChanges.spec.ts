/** Stories of models that come, go or are renamed while this window does not see it: `@mcp` always answers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";

describe.each([
	["a trusted folder", true],
	["Restricted Mode", false],
])("in %s", (_where, isTrusted) => {
	let model: ScriptedModel;
	let editor: RunningEditor;
	beforeAll(async () => {
		model = await startScriptedModel({ models: ["stub-1"] });
		editor = await startEditorWithVsix({ isTrusted });
	});
	afterAll(async () => {
		await editor?.stop();
		await model?.close();
	});

	/** Writes the endpoints into the settings file, as another program would, and loads the window again. */
	async function writeModels(before: string, ...names: string[]): Promise<void> {
		await editor.writeSettings({ "mcpHost.models": names.map((name) => ({ name, baseURL: model.url })) });
		await editor.reloadWithMemory(`"${before}"`);
	}

	/** Asks `@mcp` once it is available, and again where the answer requests it because the picker was moved meanwhile. */
	async function ask(): Promise<string> {
		await editor.tree.open("MCP Host");
		await editor.page.getByText("Try the Demo Server").first().waitFor({ timeout: patience });
		await editor.chat.open();
		const answer = await editor.chat.ask("@mcp hello");
		return answer.includes("send your message again") ? editor.chat.ask("@mcp hello") : answer;
	}

	test("an endpoint written into the settings file answers after a reload (MDL-16)", async () => {
		expect(await ask()).toContain("No model yet.");
		await writeModels("none", "Outside");
		model.next({ text: "Here I am." });
		expect(await ask()).toContain("Here I am.");
	});

	test.runIf(isTrusted)("a renamed endpoint answers after a reload (MDL-16)", async () => {
		await writeModels("outside/stub-1", "Renamed");
		model.next({ text: "Still here." });
		expect(await ask()).toContain("Still here.");
	});

	test.runIf(isTrusted)("without its endpoint, @mcp shows the next step, and the demo works (MDL-16)", async () => {
		const { chat, tree } = editor;
		await writeModels("renamed/stub-1");
		expect(await ask()).toContain("No model yet.");
		await chat.clickLink("Try the Demo");
		await chat.waitForInput("Barcelona for two");
		await tree.open("MCP Host");
		await tree.waitForRunning("travel");
		expect(await chat.ask("@mcp hello")).toContain("demo model");
	});
});
