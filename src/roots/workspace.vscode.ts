import * as vscode from "vscode";
import type { OpenFolder, OpenFolders } from "./roots.ts";

/**
 * The folders of this window. In a remote, WSL or container window the extension runs on that machine, where VS Code gives
 * them as `file:` URIs with that machine's paths; local servers run there as well.
 */
export const openFolders: OpenFolders = {
	get current(): readonly OpenFolder[] {
		return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri: { scheme, fsPath } }) => ({
			name,
			scheme,
			path: fsPath,
		}));
	},
	onDidChange: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(() => listener(undefined)),
};
