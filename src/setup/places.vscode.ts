import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import type { ConfigOrigin } from "../servers/config.ts";
import { fileOrigin, userOrigin, type Configuration } from "../servers/config.vscode.ts";
import type { McpHost } from "../servers/host.ts";
import { InputValues } from "../servers/inputValues.ts";
import { openConfiguration } from "./texts.vscode.ts";
import { ServersWriter } from "./writeServers.ts";

/** What writing into the editor's files and settings needs. */
export interface PlaceServices {
	readonly host: McpHost;
	readonly configuration: Pick<Configuration, "refresh">;
	/** A folder beside the file of the person's settings, where that is on this machine. */
	readonly globalStorageUri: vscode.Uri;
}

/** Makes the writer of servers for the settings and files of this window. */
export function serversWriter({ host, configuration, globalStorageUri }: PlaceServices): ServersWriter {
	return new ServersWriter({
		open: (place) => openConfiguration(place.kind === "user" ? userOrigin : originIn(place.folder), globalStorageUri),
		// What a person gave beforehand is kept here; none is asked for.
		inputs: new InputValues(host.secrets, async () => undefined),
		folders: () =>
			(vscode.workspace.workspaceFolders ?? [])
				.filter(({ uri }) => uri.scheme === "file")
				.map(({ name, uri }) => ({ name, path: uri.fsPath })),
		refresh: () => configuration.refresh(),
		revoke: (id) => host.revoke(id),
	});
}

function originIn(path: string): ConfigOrigin {
	const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === path);
	if (folder === undefined) throw new HostError("invalid", `The folder ${path} is not open any more.`);
	return fileOrigin(folder, "mcp-json");
}
