import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { commandsOf, showInformation } from "../../base/notify.vscode.ts";
import { isJsonObject } from "../../base/json.ts";
import type { McpHost } from "../../servers/host.ts";
import { pidOf, takeCensus } from "../../servers/otherHosts/processes.ts";
import type { SharedFiles } from "../../servers/otherHosts/sharedFiles.ts";
import { shortened, thisMachine } from "./import.vscode.ts";
import { readPlaces } from "./whoStarts.ts";
import { whoStartsPage } from "./whoStartsPage.ts";

/** The scheme and the address of the page. */
const scheme = "mcphost-hosts";
const address = vscode.Uri.from({ scheme, path: "/Who Starts What.md" });
/** VS Code's setting that lets extensions run in its Agents window, by their ids. */
export const agentsSetting = "extensions.supportAgentsWindow";

/** The dependencies of the page. */
export interface WhoStartsServices {
	readonly host: McpHost;
	readonly sharedFiles: SharedFiles;
	readonly globalStorageUri: vscode.Uri;
	readonly extensionId: string;
}

/** The page that says which host starts which servers, and the command that has this extension run in the Agents window. */
export function wireWhoStarts(services: WhoStartsServices) {
	const store = new DisposableStore();
	const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
	store.add(
		vscode.workspace.registerTextDocumentContentProvider(scheme, {
			onDidChange: changed.event,
			provideTextDocumentContent: () => pageOf(services),
		}),
	);
	const commands = commandsOf({
		"mcpHost.showWhoStartsWhat": async () => {
			// An open one is created again.
			changed.fire(address);
			try {
				await vscode.commands.executeCommand("markdown.showPreview", address);
			} catch {
				await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(address));
			}
		},
		"mcpHost.useInAgentsWindow": () => useInAgentsWindow(services.extensionId),
	});
	const wired: Disposable & { readonly commands: typeof commands } = { commands, dispose: () => store.dispose() };
	return wired;
}

async function pageOf({ host, sharedFiles, globalStorageUri }: WhoStartsServices): Promise<string> {
	const [files, census] = await Promise.all([readPlaces(thisMachine(globalStorageUri)), takeCensus(host.registry)]);
	return whoStartsPage({
		files,
		census,
		servers: host.registry.sessions.map(({ definition: { name, config, origin }, state }) => {
			const pid = pidOf(state);
			return {
				name,
				origin,
				isLeft: sharedFiles.isLeft(origin),
				...(config.kind === "stdio" ? { command: config } : { url: config.url }),
				...(pid === undefined ? {} : { pid }),
			};
		}),
		access: sharedFiles.access,
		shorten: (path) => shortened(vscode.workspace.asRelativePath(path)),
		isRemote: vscode.env.remoteName !== undefined,
	});
}

/** Lets this extension run in VS Code's Agents window, if it has one. */
async function useInAgentsWindow(extensionId: string): Promise<void> {
	const settings = vscode.workspace.getConfiguration();
	const found = settings.inspect<unknown>(agentsSetting);
	if (found?.defaultValue === undefined) {
		void showInformation("This version of VS Code has no setting for extensions in the Agents window.");
		return;
	}
	const former = isJsonObject(found.globalValue) ? found.globalValue : {};
	if (former[extensionId] !== true)
		await settings.update(agentsSetting, { ...former, [extensionId]: true }, vscode.ConfigurationTarget.Global);
	void showInformation(
		`MCP Host is on for the Agents window (${agentsSetting} in your user settings). It starts when that window is opened again.`,
	);
}
