import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { openWritten, waitFor, waitForQuickFix } from "./waiting.ts";

suite("Hints in configurations", () => {
	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
	});

	test("fix a misspelt key, and move a secret out of the file (EDT-07, EDT-08)", async () => {
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder);
		const file = vscode.Uri.joinPath(folder.uri, ".vscode", "mcp.json");
		const text =
			'{\n\t"servers": {\n\t\t"acme": {\n\t\t\t"command": "acme-server", // mine\n\t\t\t"arg": ["-v"],\n\t\t\t"env": { "API_KEY": "s3cret-value" }\n\t\t}\n\t}\n}\n';
		try {
			const document = await openWritten(file, text);
			const renamed = await waitForQuickFix(document, '"arg"', 'Change to "args"');
			assert.ok(renamed.edit);
			await vscode.workspace.applyEdit(renamed.edit);
			assert.equal(document.getText(), text.replace('"arg"', '"args"'));

			const told = (): readonly string[] =>
				vscode.languages
					.getDiagnostics(file)
					.flatMap(({ source, message }) => (source === "MCP Host" ? [message] : []));
			await waitFor("the warning", async () => told().some((message) => message.startsWith('"API_KEY" looks secret')));
			const kept = await waitForQuickFix(document, '"s3cret-value"', "Move to Secret Store");
			assert.ok(kept.command);
			await vscode.commands.executeCommand(kept.command.command, ...(kept.command.arguments ?? []));
			await waitFor(
				"the saved file",
				async () => !document.isDirty && document.getText().includes("${input:acme-api-key}"),
			);
			assert.ok(!document.getText().includes("s3cret-value"));
			assert.match(document.getText(), /"command": "acme-server", \/\/ mine/);
			await waitFor("the end of the warning", async () => !told().some((message) => message.includes("looks secret")));
		} finally {
			await vscode.commands.executeCommand("workbench.action.closeAllEditors");
			await vscode.workspace.fs.delete(file);
		}
	});
});
