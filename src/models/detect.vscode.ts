import * as vscode from "vscode";
import { showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../base/words.ts";
import { modelCount } from "./checkEndpoint.vscode.ts";
import { detectLocal, localPresets, type DetectedEndpoint } from "./detectLocal.ts";
import type { ConfiguredModels } from "./directory.ts";
import { listModels } from "./listModels.ts";
import { machineNote } from "./remoteMachine.ts";
import { newEndpoint, uniqueName } from "./newEndpoint.ts";
import { updateModelsSetting } from "./settings.vscode.ts";

/**
 * `MCP Host: Detect Local Models`: looks once for servers of models on the usual ports of this machine, and adds those
 * that the user chooses. `add` leads to the endpoints that cannot be found so.
 */
export async function detectModels(directory: ConfiguredModels, add: () => Promise<void>): Promise<void> {
	const title = "Looking for models on this machine…";
	const place = { location: vscode.ProgressLocation.Window, title };
	const found = await vscode.window.withProgress(place, async () => detectLocal(listModels));
	const isConfigured = ({ preset }: DetectedEndpoint): boolean =>
		directory.statuses.some(({ endpoint }) => endpoint.baseURL === preset.baseURL);
	const fresh = found.filter((one) => !isConfigured(one));
	if (fresh.length === 0) {
		const addButton = "Add Model Endpoint…";
		const answer = await showInformation(found.length === 0 ? nothingFound() : nothingNew(found), addButton);
		if (answer !== undefined) await add();
		return;
	}
	const items = fresh.map((one) => ({
		label: one.preset.name,
		description: one.preset.baseURL,
		detail: one.needsKey ? "needs an API key: set it in Manage Models…" : describe(one.models),
		picked: true,
		one,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		title: "Detect Local Models",
		placeHolder: "Running on this machine. Choose the ones to add",
		canPickMany: true,
	});
	if (picked === undefined || picked.length === 0) return;
	const used = directory.statuses.map(({ endpoint }) => endpoint);
	const added = picked.flatMap(({ one: { preset } }) => {
		return newEndpoint(uniqueName(preset.name, used), { baseURL: preset.baseURL }, preset, []) ?? [];
	});
	await updateModelsSetting(added.map(({ entry }) => entry));
	await directory.refresh();
	const names = picked.map(({ label }) => label).join(", ");
	void showInformation(`Added ${names}. Choose a model in the model picker of the chat.`);
}

function describe(names: readonly string[]): string {
	const shown = names.slice(0, 4).map((name) => withoutIcons(oneLine(name, 40)));
	const more = names.length > shown.length ? ", …" : "";
	return names.length === 0 ? modelCount(0) : `${modelCount(names.length)}: ${shown.join(", ")}${more}`;
}

function nothingFound(): string {
	const places = localPresets.map(({ name, baseURL }) => `${name} (${new URL(baseURL).port})`).join(", ");
	const note = machineNote("http://127.0.0.1", vscode.env.remoteName);
	return `No model server was found on this machine. Looked for: ${places}. Start one and try again.${note}`;
}

function nothingNew(found: readonly DetectedEndpoint[]): string {
	const names = found.map(({ preset }) => preset.name).join(", ");
	return `The model servers on this machine are already configured: ${names}.`;
}
