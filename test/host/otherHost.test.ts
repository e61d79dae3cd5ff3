import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { openWritten, waitFor } from "./waiting.ts";

const access = "chat.mcp.access";

suite("VS Code's own MCP host", () => {
	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
	});

	test("has a setting that an extension may set for a workspace, and that applies at once (CFG-32)", async () => {
		const read = (): unknown => vscode.workspace.getConfiguration().get(access);
		const write = async (value: unknown): Promise<void> =>
			vscode.workspace.getConfiguration().update(access, value, vscode.ConfigurationTarget.Workspace);
		const before = read();
		try {
			for (const value of ["all", "none"]) {
				await write(value);
				assert.equal(read(), value);
				assert.equal(vscode.workspace.getConfiguration().inspect(access)?.workspaceValue, value);
			}
		} finally {
			await write(undefined);
		}
		assert.equal(read(), before);
		assert.equal(vscode.workspace.getConfiguration().inspect(access)?.defaultValue, "all");
	});

	test("is distinguished by our lenses above the entries of mcp.json (CFG-34)", async () => {
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder);
		const file = vscode.Uri.joinPath(folder.uri, ".vscode", "mcp.json");
		try {
			await openWritten(file, '{\n\t"servers": {\n\t\t"lens": { "command": "node" }\n\t}\n}\n');
			await waitFor("the lenses", async () => {
				const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", file);
				const ours = lenses.filter(({ range }) => range.start.line === 2).map(({ command }) => command?.title);
				return ours[0] === "MCP Host: unapproved" && ours[1] === "Review…";
			});
		} finally {
			await vscode.commands.executeCommand("workbench.action.closeAllEditors");
			await vscode.workspace.fs.delete(file);
		}
	});
});
