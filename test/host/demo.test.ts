import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { waitFor } from "./waiting.ts";

suite("Demo server", () => {
	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
		// Not awaited: the command ends in the chat, which is not part of this test.
		void vscode.commands.executeCommand("mcpHost.tryDemo");
		await waitFor("the demo model", async () => (await demoModels()).length === 1);
	});

	suiteTeardown(async () => {
		await vscode.commands.executeCommand("mcpHost.stopServer", { server: "travel" });
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
	});

	test("offers a model that is described as a script", async () => {
		const [model] = await demoModels();
		assert.match(model?.name ?? "", /demo/i);
		assert.ok(model !== undefined && model.maxInputTokens > 0);
	});

	test("opens a resource named by the argument of the command, read-only and in its language", async () => {
		await vscode.commands.executeCommand("mcpHost.openResource", {
			server: "travel",
			uri: "travel://preferences/packing-list",
		});
		const document = await waitFor("the document", () => vscode.window.activeTextEditor?.document);
		assert.match(document.getText(), /Passport/);
		assert.equal(document.languageId, "markdown");
		assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme), false);
		await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, new Uint8Array()));
		await assert.rejects(async () => vscode.workspace.fs.delete(document.uri));
	});

	test("runs a prompt named by the argument of the command, without a question if nothing is missing", async () => {
		await vscode.commands.executeCommand("mcpHost.runPrompt", {
			server: "travel",
			prompt: "plan-vacation",
			arguments: { destination: "Paris", departureDate: "2027-05-01", travelers: 2 },
		});
		await waitFor("the preview", () =>
			vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.label.startsWith("Prompt: ")),
		);
	});

	test("removes its model when it stops", async () => {
		await vscode.commands.executeCommand("mcpHost.stopServer", { server: "travel" });
		await waitFor("the end of the demo model", async () => (await demoModels()).length === 0);
	});
});

async function demoModels(): Promise<vscode.LanguageModelChat[]> {
	const models = await vscode.lm.selectChatModels({ vendor: "mcphost" });
	return models.filter(({ id }) => id.startsWith("demo/"));
}
