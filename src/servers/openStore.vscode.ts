import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { showInformation, showWarning } from "../base/notify.vscode.ts";
import { Store } from "../base/store/store.ts";
import { bindToInstallation } from "./approval/installation.ts";
import type { ServerLogs } from "./sessions/logs.vscode.ts";

/** Opens the data that all windows share, in the extension's folder of this machine, until the window closes. */
export async function openStore(context: vscode.ExtensionContext, logs: ServerLogs): Promise<Store> {
	const store = new Store({
		folder: vscode.Uri.joinPath(context.globalStorageUri, "store").fsPath,
		workspace: workspaceOf(context),
		onProblem: (message: string) => {
			logs.log("MCP Host").error(message);
			void showWarning(message);
		},
	});
	context.subscriptions.push(store);
	const { extension, extensionPath, globalStorageUri } = context;
	const { version }: { readonly version: string } = extension.packageJSON;
	const profile = vscode.Uri.joinPath(globalStorageUri, "..", "..").fsPath;
	if (await bindToInstallation(store, { id: extension.id, version, extensionPath, profile }))
		void showInformation(
			"MCP Host was uninstalled and installed again. Servers, grants and sampling rules that you allowed before need your approval again.",
		);
	return store;
}

/** Distinguishes the workspace from all others. A window without one is identified by VS Code's storage for it. */
function workspaceOf({ storageUri, workspaceState }: vscode.ExtensionContext): string {
	if (storageUri !== undefined) return basename(dirname(storageUri.fsPath));
	// As `versionedState` names it: that module is not loaded here.
	const key = "mcpHost.workspace@1";
	const known = workspaceState.get<string>(key);
	if (known !== undefined) return known;
	const made = crypto.randomUUID();
	void workspaceState.update(key, made);
	return made;
}
