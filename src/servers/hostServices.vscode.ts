import * as vscode from "vscode";
import type { KeptContext } from "../base/store/keptContext.vscode.ts";
import { appsExtension } from "../protocol/apps.ts";
import type { SignInBrowser } from "../protocol/authorization.ts";
import { defaultConnectionLimits } from "../protocol/limits.ts";
import { networkSettings } from "../protocol/http/networkSettings.vscode.ts";
import type { SharingWindows } from "../protocol/shared/sharing.ts";
import type { ServerTap } from "../protocol/wireTap.ts";
import type { ServerDefinition } from "./definitions/config.ts";
import type { HostServices } from "./host.ts";
import type { ServerLogs } from "./sessions/logs.vscode.ts";
import { defaultListLimits } from "./sessions/managedList.ts";
import type { OpenFolder, OpenFolders } from "./roots/roots.ts";
import { isLeft } from "./otherHosts/left.ts";
import type { UserRequests } from "./sessions/session.ts";

const megabyte = 1024 * 1024;

/**
 * The folders of this window. In a remote, WSL or container window the extension runs on that machine, where VS Code gives
 * them as `file:` URIs with that machine's paths; local servers run there as well.
 */
const openFolders: OpenFolders = {
	get current(): readonly OpenFolder[] {
		return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri: { scheme, fsPath } }) => ({
			name,
			scheme,
			path: fsPath,
		}));
	},
	onDidChange: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(() => listener(undefined)),
};

/** Who answers for the user, and who follows the messages. */
export interface UserAnswers {
	readonly tap: (definition: ServerDefinition) => ServerTap;
	readonly requests: UserRequests;
	readonly browser: SignInBrowser;
	readonly sharing: () => Promise<SharingWindows | undefined>;
}

/**
 * The dependencies of the core on VS Code. Settings are read at each use, so that a change applies immediately;
 * `loadAnswers` is called when a server asks the user for the first time.
 */
export function hostServices(
	context: vscode.ExtensionContext,
	kept: KeptContext,
	logs: ServerLogs,
	loadAnswers: () => Promise<UserAnswers>,
): HostServices {
	const setting = (name: string, fallback: number): number => {
		const value = vscode.workspace.getConfiguration("mcpHost").get<number>(name);
		return typeof value === "number" && value > 0 ? value : fallback;
	};
	const { version }: { readonly version: string } = context.extension.packageJSON;
	return {
		version,
		requests: async () => (await loadAnswers()).requests,
		browser: {
			openReceiver: async (port) => (await loadAnswers()).browser.openReceiver(port),
			open: async (...request) => (await loadAnswers()).browser.open(...request),
		},
		identityProvider: async () => (await import("./sources/identityProvider.vscode.ts")).identityProvider(),
		extensions: () => (vscode.workspace.getConfiguration("mcpHost").get("apps") === "off" ? {} : appsExtension),
		serverLog: (name) => logs.log(name),
		logLevels: { of: (name) => logs.level(name), onDidChange: logs.onDidChangeLevel },
		openStore: async () => (await import("./openStore.vscode.ts")).openStore(context, logs),
		state: kept.globalState,
		workspaceState: kept.workspaceState,
		secrets: context.secrets,
		isLeft: (origin) => isLeft(origin, kept.workspaceState, (name) => vscode.workspace.getConfiguration().get(name)),
		isWorkspaceTrusted: () => vscode.workspace.isTrusted,
		folders: openFolders,
		// A server starts even if its followers fail.
		tap: (definition) =>
			loadAnswers().then(
				({ tap }) => tap(definition),
				() => undefined,
			),
		// A server starts even if nothing can be shared.
		sharing: () =>
			loadAnswers()
				.then(({ sharing }) => sharing())
				.catch(() => undefined),
		askInput: async (...input) => (await import("./definitions/askInput.vscode.ts")).askInput(...input),
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
		},
		listLimits: defaultListLimits,
		get network() {
			return networkSettings();
		},
		demo: {
			// VS Code's own Node: nothing needs to be installed. On the desktop it is Electron in Node mode.
			command: process.execPath,
			args: [vscode.Uri.joinPath(context.extensionUri, "dist", "demoServer.js").fsPath],
			env: { ELECTRON_RUN_AS_NODE: "1" },
		},
	};
}
