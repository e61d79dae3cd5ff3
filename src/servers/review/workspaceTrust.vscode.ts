import * as vscode from "vscode";
import type { ServerDefinition } from "../definitions/config.ts";
import { trustWarning } from "../definitions/trustWait.ts";

/** Why a server would not start in this window as long as its workspace is not trusted; undefined where it would. */
export async function warnOfTrust(definition: ServerDefinition): Promise<string | undefined> {
	if (vscode.workspace.isTrusted) return undefined;
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	return trustWarning(
		definition,
		folders.map(({ uri }) => uri.fsPath),
	);
}

/** Opens VS Code's editor in which the user trusts the workspace. */
export function manageTrust(): void {
	void vscode.commands.executeCommand("workbench.trust.manage");
}
