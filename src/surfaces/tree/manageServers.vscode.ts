import * as vscode from "vscode";
import { withoutIcons } from "../../base/words.ts";
import { oneLine } from "../../base/text.ts";
import { pickServer } from "../../servers/pick.vscode.ts";
import type { McpHost } from "../../servers/host.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { type MenuManifest, serverActions } from "./serverActions.ts";

/** The dependencies of choosing a server and an action on it. */
export interface ManageServersServices {
	readonly host: McpHost;
	readonly extension: Pick<vscode.Extension<unknown>, "packageJSON">;
	/** The context of a server's row, which its menu depends on. */
	readonly contextOf: (session: Session) => string;
}

/** Lets the user choose a server, then what to do with it: all that the context menu of its row offers. */
export async function manageServers(services: ManageServersServices, argument: unknown): Promise<void> {
	const { host, extension, contextOf } = services;
	const session = await pickServer(host, argument, "Choose a server to manage");
	if (session === undefined) return;
	const manifest: MenuManifest = extension.packageJSON;
	let group: string | undefined;
	const items = serverActions(manifest, contextOf(session)).flatMap((action) => {
		const isFirst = group !== undefined && group !== action.group;
		group = action.group;
		const item = { label: action.title, iconPath: new vscode.ThemeIcon(action.icon), command: action.command };
		return isFirst ? [{ label: "", kind: vscode.QuickPickItemKind.Separator, command: undefined }, item] : [item];
	});
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: withoutIcons(oneLine(session.definition.name, 60)),
		placeHolder: "Choose an action",
	});
	if (picked?.command !== undefined)
		await vscode.commands.executeCommand(picked.command, { server: session.definition.id });
}
