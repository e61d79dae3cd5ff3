import * as vscode from "vscode";
import type { HostServices } from "../host.ts";
import { defaultConnectionLimits } from "../connection/limits.ts";
import { defaultListLimits } from "./managedList.ts";
import { askInput } from "./inputs.vscode.ts";
import type { ServerLogs } from "./logs.vscode.ts";
import { networkSettings } from "../http/network.vscode.ts";
import { openFolders } from "../roots/workspace.vscode.ts";

const megabyte = 1024 * 1024;

/** What the core needs of the editor. Settings are read at each use, so that a change counts at once. */
export function hostServices(context: vscode.ExtensionContext, logs: ServerLogs): HostServices {
	const setting = (name: string, fallback: number): number => {
		const value = vscode.workspace.getConfiguration("mcpHost").get<number>(name);
		return typeof value === "number" && value > 0 ? value : fallback;
	};
	const { version } = context.extension.packageJSON as { version: string };
	return {
		version,
		serverLog: (name) => logs.log(name),
		logLevels: { of: (name) => logs.level(name), onDidChange: logs.onDidChangeLevel },
		state: context.globalState,
		workspaceState: context.workspaceState,
		secrets: context.secrets,
		isWorkspaceTrusted: () => vscode.workspace.isTrusted,
		folders: openFolders,
		askInput,
		timeouts: {
			get handshakeMs() {
				return setting("handshakeTimeout", 60) * 1000;
			},
			get requestMs() {
				return setting("requestTimeout", 120) * 1000;
			},
			get maxRequestMs() {
				return setting("requestMaxTime", 3600) * 1000;
			},
		},
		limits: {
			...defaultConnectionLimits,
			get maxMessageBytes() {
				return setting("limits.messageSize", 64) * megabyte;
			},
			get maxResponseBytes() {
				return setting("limits.responseSize", 64) * megabyte;
			},
			get maxJsonDepth() {
				return setting("limits.jsonDepth", defaultConnectionLimits.maxJsonDepth);
			},
		},
		listLimits: {
			get pages() {
				return setting("limits.listPages", defaultListLimits.pages);
			},
			get items() {
				return setting("limits.listItems", defaultListLimits.items);
			},
		},
		get network() {
			return networkSettings();
		},
		demo: {
			// The editor's own Node: nothing needs to be installed. On the desktop it is Electron, told to be Node.
			command: process.execPath,
			args: [vscode.Uri.joinPath(context.extensionUri, "dist", "demoServer.cjs").fsPath],
			env: { ELECTRON_RUN_AS_NODE: "1" },
		},
	};
}
