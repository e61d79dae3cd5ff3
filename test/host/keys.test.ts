import * as assert from "node:assert/strict";
import * as vscode from "vscode";

interface Binding {
	readonly key: string;
	readonly command: string;
	readonly when?: string;
}

/** The editor's own bindings and those of its extensions, with ours among them, as it lists them to users. */
async function defaultBindings(): Promise<readonly Binding[]> {
	const address = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
	const document = await vscode.workspace.openTextDocument(address);
	const text = document.getText().replace(/^\s*\/\/.*$/gm, "");
	return JSON.parse(text) as readonly Binding[];
}

suite("Key bindings", () => {
	test("the chords for hourly actions are free in the editor", async () => {
		const bindings = await defaultBindings();
		assert.ok(bindings.length > 500, `only ${bindings.length} bindings are listed`);
		for (const [key, command] of [
			["t", "mcpHost.runTool"],
			["r", "mcpHost.runToolAgain"],
			["p", "mcpHost.runPrompt"],
			["w", "mcpHost.showPending"],
		]) {
			const bound = bindings.filter((binding) => binding.key === `ctrl+k shift+${key}`);
			assert.deepEqual(
				bound.map((binding) => binding.command),
				[command],
			);
		}
	});

	test("in the chat's input, the deciding keys are those of the editor's own questions, which take precedence", async () => {
		const bindings = await defaultBindings();
		const inChat = (key: string): readonly Binding[] =>
			bindings.filter((binding) => binding.key === key && binding.when?.includes("chatHasToolConfirmation"));
		for (const [key, own, ours] of [
			["ctrl+enter", "workbench.action.chat.acceptTool", "mcpHost.allowCall"],
			["ctrl+alt+enter", "workbench.action.chat.skipTool", "mcpHost.denyCall"],
		] as const) {
			const commands = inChat(key).map(({ command }) => command);
			assert.ok(commands.includes(own), `${own} has another key`);
			assert.match(inChat(key).find(({ command }) => command === ours)?.when ?? "", /!chatHasToolConfirmation/);
		}
	});
});
