import * as vscode from "vscode";
import { commandsOf } from "../../base/notify.vscode.ts";
import type { AddServersPanel } from "./addServers.vscode.ts";
import type { ConfigurationPlace } from "../newServer.ts";
import { succeeds } from "../../base/files.ts";

/** The commands that write and open the configuration. Neither starts a server. */
export function configurationCommands(panel: Pick<AddServersPanel, "open">) {
	return commandsOf({
		"mcpHost.addServer": () => panel.open(),
		"mcpHost.openConfiguration": openConfiguration,
	});
}

async function pickPlace(title: string, placeHolder: string): Promise<ConfigurationPlace | undefined> {
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	const items: (vscode.QuickPickItem & { place: ConfigurationPlace })[] = [
		{ label: "User Settings", description: "for all your workspaces", place: { kind: "user" } },
		...folders.map((folder) => ({
			label: `.vscode/mcp.json in ${folder.name}`,
			description: "shared with this folder; VS Code's own host also reads it",
			place: { kind: "folder" as const, folder: folder.uri.fsPath },
		})),
	];
	if (items.length === 1) return items[0]?.place;
	return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.place;
}

async function openConfiguration(): Promise<void> {
	const place = await pickPlace("Open Configuration", "Choose a configuration");
	if (place === undefined) return;
	if (place.kind === "user") {
		await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
			revealSetting: { key: "mcpHost.servers" },
		});
		return;
	}
	const uri = vscode.Uri.joinPath(vscode.Uri.file(place.folder), ".vscode", "mcp.json");
	if (!(await succeeds(vscode.workspace.fs.stat(uri))))
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n\t"servers": {}\n}\n'));
	await vscode.window.showTextDocument(uri);
}
