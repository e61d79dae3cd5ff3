import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { waitFor } from "./waiting.ts";

suite("A followed file of another host (IMP-03)", () => {
	const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-host-followed-")));
	const file = path.join(folder, "claude_desktop_config.json");
	const settings = () => vscode.workspace.getConfiguration("mcpHost");
	/** The problems of the file, each with its text. */
	const said = async (): Promise<readonly string[]> => {
		const document = await vscode.workspace.openTextDocument(file);
		const all = vscode.languages.getDiagnostics(vscode.Uri.file(file)).filter(({ source }) => source === "MCP Host");
		return all.map(({ range, message }) => `${document.getText(range)}: ${message}`);
	};

	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
	});

	suiteTeardown(async () => {
		await settings().update("followedFiles", undefined, vscode.ConfigurationTarget.Global);
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		rmSync(folder, { recursive: true, force: true });
	});

	test("is read when the setting names it, and again when it changes", async () => {
		writeFileSync(file, '{\n\t"mcpServers": { "first": { "type": "ws" } }\n}\n');
		await settings().update("followedFiles", [file], vscode.ConfigurationTarget.Global);
		await waitFor("the problem of the first entry", async () => {
			const [problem, ...others] = await said();
			return others.length === 0 && problem?.startsWith('"first": MCP Host cannot use this server') === true;
		});
		let looks = 0;
		await waitFor("the problem of the second entry", async () => {
			// Again each second: the editor does not report from when on it watches a file.
			if (looks++ % 20 === 0) writeFileSync(file, '{\n\t"mcpServers": { "second": {} }\n}\n');
			const [problem] = await said();
			return problem?.startsWith('"second": MCP Host cannot use this server') === true;
		});
		await settings().update("followedFiles", undefined, vscode.ConfigurationTarget.Global);
		await waitFor("no problem", async () => (await said()).length === 0);
	});
});
