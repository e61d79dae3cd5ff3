import * as vscode from "vscode";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { HostError } from "../../base/errors.ts";
import type { ConfigOrigin, ServerId } from "../../servers/definitions/config.ts";
import { fileOrigin, userOrigin, type Configuration } from "../../servers/sources/config.vscode.ts";
import { whyServerNotAdded } from "../../servers/definitions/editorLimits.ts";
import { editorSettings } from "../../servers/sources/editorSettings.vscode.ts";
import type { McpHost } from "../../servers/host.ts";
import { InputValues } from "../../servers/definitions/inputValues.ts";
import type { EditableConfiguration } from "./editable.ts";
import type { ConfigurationPlace } from "../newServer.ts";
import { ServerEdits } from "./serverEdits.ts";
import { openConfiguration } from "./texts.vscode.ts";
import { ServersWriter } from "./writeServers.ts";

/** The dependencies of writing into VS Code's files and settings. */
export interface PlaceServices {
	readonly host: McpHost;
	readonly configuration: Pick<Configuration, "refresh">;
	/** A folder beside the file of the user's settings, where that is on this machine. */
	readonly globalStorageUri: vscode.Uri;
	readonly notes: ActivityNotes;
}

/** Creates the writers of this window's settings and files. */
export function serverPlaces({ host, configuration, globalStorageUri, notes }: PlaceServices) {
	const open = (origin: ConfigOrigin): EditableConfiguration => openConfiguration(origin, globalStorageUri);
	const openPlace = (place: ConfigurationPlace): EditableConfiguration =>
		open(place.kind === "user" ? userOrigin : originIn(place.folder));
	// Values that a user gave beforehand are stored here; the user is not asked.
	const inputs = new InputValues(host.secrets, async () => undefined);
	const refresh = (): Promise<void> => configuration.refresh();
	const revoke = (id: ServerId): Promise<void> => host.revoke(id);
	const writer = new ServersWriter({
		open: openPlace,
		inputs,
		folders: () =>
			(vscode.workspace.workspaceFolders ?? [])
				.filter(({ uri }) => uri.scheme === "file")
				.map(({ name, uri }) => ({ name, path: uri.fsPath })),
		refresh,
		revoke,
		whyNot: (server, isOfWorkspace) => whyServerNotAdded(editorSettings, server, isOfWorkspace),
		notes,
		lock: vscode.Uri.joinPath(globalStorageUri, "configuration.lock").fsPath,
	});
	const edits = new ServerEdits({ writer, open, inputs, refresh, revoke, switchedOff: host.switchedOff });
	return { writer, edits, openPlace, moving: { writer, inputs, refresh, revoke, open } };
}

function originIn(path: string): ConfigOrigin {
	const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === path);
	if (folder === undefined) throw new HostError("invalid", `The folder ${path} is no longer open.`);
	return fileOrigin(folder, "mcp-json");
}
