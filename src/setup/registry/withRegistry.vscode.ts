import { join } from "node:path";
import * as vscode from "vscode";
import { showInformation } from "../../base/notify.vscode.ts";
import { networkSettings } from "../../protocol/http/networkSettings.vscode.ts";
import { chooseRegistry, type RegistryChoice } from "./chooseRegistry.ts";
import { readEditorSettings } from "../../servers/sources/editorSettings.vscode.ts";
import type { RegistryClient } from "./registryClient.ts";

/** The registry that is searched. */
export type ChosenRegistry = Extract<RegistryChoice, { readonly url: string }>;

/** Does something with the registry that the user or their organization chose; without one, shows why. */
export async function withRegistry(
	globalStorageUri: vscode.Uri,
	work: (client: RegistryClient, choice: ChosenRegistry) => Promise<void>,
): Promise<void> {
	const choice = chooseRegistry(await readEditorSettings());
	if ("refusal" in choice) {
		const remedy = "Open Settings";
		if ((await showInformation(choice.refusal, remedy)) === remedy)
			await vscode.commands.executeCommand("workbench.action.openSettings", "mcpHost.registry.url");
		return;
	}
	const [{ RegistryClient }, { RegistryCache }, { openNetwork }] = await Promise.all([
		import("./registryClient.ts"),
		import("./registryCache.ts"),
		import("../../protocol/http/network.ts"),
	]);
	const network = openNetwork(networkSettings());
	try {
		const cache = new RegistryCache(join(globalStorageUri.fsPath, "registry"));
		await work(new RegistryClient({ url: choice.url, network, cache, now: Date.now }), choice);
	} finally {
		await network.close();
	}
}
