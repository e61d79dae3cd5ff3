import { homedir } from "node:os";
import { resolve } from "node:path";
import * as vscode from "vscode";
import { appsExtension } from "../protocol/apps.ts";
import type { SignInBrowser } from "../protocol/authorization.ts";
import { defaultConnectionLimits, type NetworkSettings } from "../protocol/limits.ts";
import type { ServerTap } from "../protocol/wireTap.ts";
import type { ServerDefinition } from "./definitions/config.ts";
import type { HostServices } from "./host.ts";
import type { ServerLogs } from "./sessions/logs.vscode.ts";
import { defaultListLimits } from "./sessions/managedList.ts";
import type { OpenFolder, OpenFolders } from "./roots/roots.ts";
import { isLeft } from "./otherHosts/left.ts";
import type { PersonRequests } from "./sessions/session.ts";

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

/** Who answers for the person, and who follows what passes. */
export interface PersonAnswers {
	readonly tap: (definition: ServerDefinition) => ServerTap;
	readonly requests: PersonRequests;
	readonly browser: SignInBrowser;
}

/**
 * What the core needs of the editor. Settings are read at each use, so that a change counts at once; `loadAnswers` is
 * called when a server asks something of the person for the first time.
 */
export function hostServices(
	context: vscode.ExtensionContext,
	logs: ServerLogs,
	loadAnswers: () => Promise<PersonAnswers>,
): HostServices {
	const setting = (name: string, fallback: number): number => {
		const value = vscode.workspace.getConfiguration("mcpHost").get<number>(name);
		return typeof value === "number" && value > 0 ? value : fallback;
	};
	const { version }: { readonly version: string } = context.extension.packageJSON;
	return {
		version,
		requests: {
			createMessage: async (...request) => (await loadAnswers()).requests.createMessage(...request),
			elicit: async (...request) => (await loadAnswers()).requests.elicit(...request),
			onVisited: (...visit) => void loadAnswers().then(({ requests }) => requests.onVisited(...visit)),
		},
		browser: {
			openReceiver: async (port) => (await loadAnswers()).browser.openReceiver(port),
			open: async (...request) => (await loadAnswers()).browser.open(...request),
		},
		extensions: () => (vscode.workspace.getConfiguration("mcpHost").get("apps") === "off" ? undefined : appsExtension),
		serverLog: (name) => logs.log(name),
		logLevels: { of: (name) => logs.level(name), onDidChange: logs.onDidChangeLevel },
		openStore: async () => (await import("./openStore.vscode.ts")).openStore(context, logs),
		state: context.globalState,
		workspaceState: context.workspaceState,
		secrets: context.secrets,
		isLeft: (origin) => isLeft(origin, context.workspaceState, (name) => vscode.workspace.getConfiguration().get(name)),
		isWorkspaceTrusted: () => vscode.workspace.isTrusted,
		folders: openFolders,
		// A server starts, whatever is wrong with who would follow it.
		tap: (definition) =>
			loadAnswers().then(
				({ tap }) => tap(definition),
				() => undefined,
			),
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
			args: [vscode.Uri.joinPath(context.extensionUri, "dist", "demoServer.js").fsPath],
			env: { ELECTRON_RUN_AS_NODE: "1" },
		},
	};
}

/** How the editor's settings say that the network is reached, with the environment of the extension host. */
export function networkSettings(): NetworkSettings {
	const http = vscode.workspace.getConfiguration("http");
	// The editor's "off" means that its own proxy setting must not be used by extensions.
	const proxy = http.get<string>("proxySupport") === "off" ? undefined : http.get<string>("proxy");
	const noProxy = http.get<readonly string[]>("noProxy") ?? [];
	return {
		...(proxy === undefined || proxy === "" ? {} : { proxy }),
		// Unset is an empty list, which must not hide the environment's.
		...(noProxy.length === 0 ? {} : { noProxy }),
		certificateAuthorities: authorityPaths(),
		trustSystem: http.get<boolean>("systemCertificates") !== false,
		environment: process.env,
	};
}

function authorityPaths(): readonly string[] {
	const paths = vscode.workspace.getConfiguration("mcpHost").get<unknown>("certificateAuthorities");
	const texts = (Array.isArray(paths) ? paths : []).filter((path): path is string => typeof path === "string");
	// Those that are not absolute, `~/ca.pem` included, count from the home folder.
	return texts.filter((path) => path !== "").map((path) => resolve(homedir(), path.replace(/^~(?=[\\/])/, ".")));
}
