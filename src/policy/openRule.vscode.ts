import * as vscode from "vscode";
import { rangeOfRule } from "./ruleEdit.ts";

/** Opens a list of rules at one of them, or at its beginning: the file of this URI, or the person's settings. */
export async function openRule(uri: string | undefined, index: number | undefined): Promise<void> {
	if (uri === undefined) {
		await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
			revealSetting: { key: "mcpHost.policy.rules" },
		});
		return;
	}
	const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
	const range = rangeOfRule(document.getText(), index);
	const at = range === undefined ? 0 : range.offset;
	const start = document.positionAt(at);
	const end = document.positionAt(at + (range?.length ?? 0));
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, end) });
}
