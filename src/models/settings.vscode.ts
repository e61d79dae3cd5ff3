import * as vscode from "vscode";
import type { JsonObject } from "../base/json.ts";

/** The setting that holds the endpoints. */
export const modelsSetting = "mcpHost.models";

/** The setting as it applies to this machine: a workspace cannot decide where conversations are sent (SEC-06). */
export function readModelsSetting(): unknown {
	const inspected = vscode.workspace.getConfiguration().inspect<unknown>(modelsSetting);
	return inspected?.globalValue ?? inspected?.defaultValue;
}

/** Adds entries to the user's setting, behind those that are there, and takes out those that `isKept` does not keep. */
export async function updateModelsSetting(
	added: readonly JsonObject[],
	isKept: (entry: unknown) => boolean = () => true,
): Promise<void> {
	const configuration = vscode.workspace.getConfiguration();
	const before = configuration.inspect<unknown>(modelsSetting)?.globalValue;
	const kept = (Array.isArray(before) ? (before as readonly unknown[]) : []).filter(isKept);
	await configuration.update(modelsSetting, [...kept, ...added], vscode.ConfigurationTarget.Global);
}

/** Shows a setting, by default that of the endpoints, and its possible values. */
export async function openModelsSetting(key = modelsSetting): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.openSettings", key);
}
