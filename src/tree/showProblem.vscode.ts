import * as vscode from "vscode";
import type { ConfigProblemNode } from "./nodes.ts";

/** Opens the configuration at a fault in it. */
export async function showProblem({ problem }: ConfigProblemNode): Promise<void> {
	const { file } = problem.origin;
	if (file === undefined) {
		await vscode.commands.executeCommand("mcpHost.openConfiguration");
		return;
	}
	const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
	const { offset, length } = problem.range ?? { offset: 0, length: 0 };
	const selection = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
	await vscode.window.showTextDocument(document, { selection });
}
