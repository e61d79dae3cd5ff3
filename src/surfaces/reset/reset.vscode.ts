import * as vscode from "vscode";
import { askModal, commandsOf, showInformation, showWarning } from "../../base/notify.vscode.ts";
import { isJsonObject } from "../../base/json.ts";
import { agentsSetting } from "../../setup/entries/whoStarts.vscode.ts";
import { describeReset, measureStores, resetStores, type ResetServices, type UserSettings } from "./reset.ts";

/** The dependencies of *Reset…* on the window. */
export interface ResetCommandServices extends Omit<ResetServices, "settings"> {
	readonly extension: vscode.Extension<unknown>;
	/** How many servers of this window run. */
	readonly running: () => number;
}

/** The command that lists everything MCP Host keeps and deletes what the user selects. */
export function resetCommands({ extension, running, ...places }: ResetCommandServices) {
	const services = { ...places, settings: userSettings(extension) };
	return commandsOf({ "mcpHost.reset": () => reset(services, running) });
}

async function reset(services: ResetServices, running: () => number): Promise<void> {
	const stores = await measureStores(services);
	const rows = (isKept: boolean): vscode.QuickPickItem[] =>
		stores
			.filter(({ holds }) => (holds !== undefined) === isKept)
			.map(({ label, detail, holds = "" }) => ({ label, detail, description: holds }));
	const empty = rows(false);
	const heading = { label: "Empty", kind: vscode.QuickPickItemKind.Separator };
	const picked = await vscode.window.showQuickPick(
		[...rows(true), ...(empty.length === 0 ? [] : [heading, ...empty])],
		{
			title: "Reset MCP Host",
			placeHolder: "Select what to delete. You confirm before anything is deleted.",
			canPickMany: true,
			ignoreFocusOut: true,
			matchOnDetail: true,
		},
	);
	const labels = new Set(picked?.map(({ label }) => label));
	const chosen = stores.filter(({ label }) => labels.has(label));
	if (chosen.length === 0) return;
	const question =
		chosen.length === 1 ? `Delete ${chosen[0]?.label ?? ""}?` : `Delete ${chosen.length} Stores of MCP Host?`;
	if ((await askModal(question, describeReset(chosen, running()), "Delete")) !== "Delete") return;
	const failures = await resetStores(new Set(chosen.map(({ id }) => id)), services);
	const reload = "Reload Window";
	const answer =
		failures.length > 0
			? await showWarning(`Not everything was deleted. ${failures.join(" ")}`, reload)
			: await showInformation(`Deleted: ${chosen.map(({ label }) => label).join(", ")}.`, reload);
	if (answer === reload) await vscode.commands.executeCommand("workbench.action.reloadWindow");
}

interface Manifest {
	readonly contributes: {
		readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
	};
}

/** The settings of MCP Host in the user settings, and the one of the editor in which it is named. */
function userSettings({ id, packageJSON }: vscode.Extension<unknown>): UserSettings {
	const { contributes }: Manifest = packageJSON;
	const own = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
	const value = (name: string): unknown => {
		const found = vscode.workspace.getConfiguration().inspect<unknown>(name)?.globalValue;
		return name !== agentsSetting ? found : isJsonObject(found) ? found[id] : undefined;
	};
	return {
		value,
		names: () => [...own, agentsSetting].filter((name) => value(name) !== undefined),
		remove: async (name) => {
			const settings = vscode.workspace.getConfiguration();
			const found = settings.inspect<unknown>(name)?.globalValue;
			const others =
				name === agentsSetting && isJsonObject(found)
					? Object.fromEntries(Object.entries(found).filter(([other]) => other !== id))
					: {};
			const left = Object.keys(others).length === 0 ? undefined : others;
			await settings.update(name, left, vscode.ConfigurationTarget.Global);
		},
	};
}
