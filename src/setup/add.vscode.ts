import * as vscode from "vscode";
import { guarded } from "../base/commands.ts";
import { showError } from "../base/notify.vscode.ts";
import { messageOf } from "../base/errors.ts";
import type { McpHost } from "../servers/host.ts";
import { entryFor, suggestName } from "../servers/newServer.ts";
import type { ConfigurationPlace, ConfigurationWriter } from "./newServer.ts";

/** The commands that write and open the configuration. Neither starts a server. */
export function configurationCommands(host: McpHost, writer: ConfigurationWriter) {
	return guarded(
		{
			"mcpHost.addServer": () => addServer(host, writer),
			"mcpHost.openConfiguration": openConfiguration,
		},
		(error) => void showError(messageOf(error)),
	);
}

async function addServer(host: McpHost, writer: ConfigurationWriter): Promise<void> {
	const input = await vscode.window.showInputBox({
		title: "Add Server (1/3)",
		prompt: "The command that starts a local server, or the URL of a remote one",
		placeHolder: "npx -y @modelcontextprotocol/server-memory   or   https://example.com/mcp",
		ignoreFocusOut: true,
		validateInput: (text) => (entryFor(text) === undefined ? "Give a command or a URL." : undefined),
	});
	const entry = input === undefined ? undefined : entryFor(input);
	if (entry === undefined) return;
	const taken = new Set(host.registry.sessions.map(({ definition }) => definition.name));
	const name = await vscode.window.showInputBox({
		title: "Add Server (2/3)",
		prompt: "A name for the server",
		value: suggestName(entry, taken),
		ignoreFocusOut: true,
		validateInput: (text) =>
			text.trim() === "" ? "Give a name." : taken.has(text.trim()) ? "Another server has this name." : undefined,
	});
	if (name === undefined) return;
	const place = await pickPlace("Add Server (3/3)", "Where should it be kept?");
	if (place === undefined) return;
	const server = { name: name.trim(), entry, inputs: [], values: new Map<string, string>() };
	const { ids } = await writer.add(place, [server]);
	if (ids[0] !== undefined && host.registry.get(ids[0]) !== undefined)
		await vscode.commands.executeCommand("mcpHost.startServer", { server: ids[0] });
}

async function pickPlace(title: string, placeHolder: string): Promise<ConfigurationPlace | undefined> {
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	const items: (vscode.QuickPickItem & { place: ConfigurationPlace })[] = [
		{ label: "User Settings", description: "for all your workspaces", place: { kind: "user" } },
		...folders.map((folder) => ({
			label: `.vscode/mcp.json in ${folder.name}`,
			description: "shared with this folder; VS Code's own host reads it too",
			place: { kind: "folder" as const, folder: folder.uri.fsPath },
		})),
	];
	if (items.length === 1) return items[0]?.place;
	return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.place;
}

async function openConfiguration(): Promise<void> {
	const place = await pickPlace("Open Configuration", "Which configuration?");
	if (place === undefined) return;
	if (place.kind === "user") {
		await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
			revealSetting: { key: "mcpHost.servers" },
		});
		return;
	}
	const uri = vscode.Uri.joinPath(vscode.Uri.file(place.folder), ".vscode", "mcp.json");
	const exists = await vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
	if (!exists) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n\t"servers": {}\n}\n'));
	await vscode.window.showTextDocument(uri);
}
