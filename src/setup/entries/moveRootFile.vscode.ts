import * as vscode from "vscode";
import { askModal, showError, showInformation } from "../../base/notify.vscode.ts";
import { messageOf } from "../../base/errors.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import { fileOrigin } from "../../servers/sources/config.vscode.ts";
import type { EditableConfiguration } from "./editable.ts";
import { moveDetails, moveRootFile, planMove, type MoveServices } from "./moveRootFile.ts";

/** The dependencies on VS Code of moving the servers of an `.mcp.json`. */
export interface MoveCommandServices extends MoveServices {
	readonly open: (origin: ConfigOrigin) => EditableConfiguration;
}

/** Shows the effect of moving the servers of an `.mcp.json`, moves them if the user confirms, and offers to undo it. */
export async function moveRootFileCommand(services: MoveCommandServices): Promise<void> {
	const folder = await pickFolder(services);
	if (folder === undefined) return;
	const from = services.open(fileOrigin(folder, "dot-mcp-json"));
	const to = services.open(fileOrigin(folder, "mcp-json"));
	const plan = planMove({ origin: from.origin, text: await from.read() }, { origin: to.origin, text: await to.read() });
	const count = plan.servers.length;
	const details = moveDetails(plan, from.origin.label, to.origin.label);
	if (count === 0) {
		void showInformation(
			`No server of ${from.origin.label} can be moved: the names are already in use, or the file has no servers.`,
		);
		return;
	}
	const servers = count === 1 ? "one server" : `${count} servers`;
	if ((await askModal(`Move ${servers} to .vscode/mcp.json?`, details, "Move")) === undefined) return;
	const { undo } = await moveRootFile(services, { from, to, plan });
	const message = `Moved ${servers} of ${from.origin.label} to .vscode/mcp.json. Servers that an agent session already runs stop when that session ends.`;
	if ((await showInformation(message, "Undo")) === undefined) return;
	await undo().catch((error: unknown) => showError(messageOf(error)));
}

/** The folder whose file is moved: the only one that has an `.mcp.json`, or the one that the user picks. */
async function pickFolder({ open }: MoveCommandServices): Promise<vscode.WorkspaceFolder | undefined> {
	const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	const isThere = await Promise.all(local.map((folder) => open(fileOrigin(folder, "dot-mcp-json")).exists()));
	const folders = local.filter((_folder, index) => isThere[index]);
	if (folders.length < 2) {
		if (folders[0] === undefined) void showInformation("No open folder has an .mcp.json file.");
		return folders[0];
	}
	const items = folders.map((folder) => ({ label: `.mcp.json in ${folder.name}`, folder }));
	return (await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title: "Move Servers of .mcp.json" }))
		?.folder;
}
