import * as vscode from "vscode";
import type { HostServices } from "../host.ts";
import { defaultConnectionLimits } from "./limits.ts";
import { askInput } from "./inputs.vscode.ts";
import type { ServerLogs } from "./logs.vscode.ts";

/** Longest time of one request in all, in milliseconds, progress or not. */
const maxRequestMs = 60 * 60 * 1000;

/** What the core needs of the editor. Settings are read at each use, so that a change counts at once. */
export function hostServices(
	context: vscode.ExtensionContext,
	logs: ServerLogs,
	roots: HostServices["roots"],
): HostServices {
	const seconds = (name: string, fallback: number): number => {
		const value = vscode.workspace.getConfiguration("mcpHost").get<number>(name);
		return (typeof value === "number" && value > 0 ? value : fallback) * 1000;
	};
	const { version } = context.extension.packageJSON as { version: string };
	return {
		version,
		serverLog: (name) => logs.log(name),
		state: context.globalState,
		secrets: context.secrets,
		isWorkspaceTrusted: () => vscode.workspace.isTrusted,
		folders: () =>
			(vscode.workspace.workspaceFolders ?? [])
				.filter(({ uri }) => uri.scheme === "file")
				.map(({ name, uri }) => ({ name, path: uri.fsPath })),
		roots,
		askInput,
		timeouts: {
			get handshakeMs() {
				return seconds("handshakeTimeout", 60);
			},
			get requestMs() {
				return seconds("requestTimeout", 120);
			},
			maxRequestMs,
		},
		limits: defaultConnectionLimits,
		network: { environment: process.env },
		demo: {
			// The editor's own Node: nothing needs to be installed. On the desktop it is Electron, told to be Node.
			command: process.execPath,
			args: [vscode.Uri.joinPath(context.extensionUri, "dist", "demoServer.cjs").fsPath],
			env: { ELECTRON_RUN_AS_NODE: "1" },
		},
	};
}
