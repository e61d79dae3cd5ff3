import * as vscode from "vscode";
import { showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { endpointLabel, originOf, type ModelEndpoint } from "./endpoints.ts";
import { listModels } from "./listModels.ts";
import { machineNote } from "./remoteMachine.ts";
import type { ListedModel } from "./profile.ts";

/** Asks an endpoint for its models, with a word about it in the status bar. Rejects as listModels does, whose advice depends on `isSaved`. */
export async function askForModels(
	endpoint: ModelEndpoint,
	apiKey: string | undefined,
	isSaved = true,
): Promise<readonly ListedModel[]> {
	const note = machineNote(endpoint.baseURL, vscode.env.remoteName);
	const title = `Asking ${endpointLabel(endpoint)} for its models…`;
	// In the status bar: a notification of progress that ends takes the next notification along.
	const place = { location: vscode.ProgressLocation.Window, title };
	return vscode.window.withProgress(place, async () => listModels(endpoint, apiKey, { isSaved, note }));
}

/** Shows what an endpoint offers. Without a button: the note disappears automatically, and would cover the chat. */
export function showModels(endpoint: ModelEndpoint, names: readonly string[]): void {
	// A notification makes links of brackets, and these names are the endpoint's words.
	const shown = names.slice(0, 5).map((name) => oneLine(name, 60).replace(/[[\]]/g, "_"));
	const more = names.length > shown.length ? ", …" : "";
	const list = shown.length === 0 ? "" : `: ${shown.join(", ")}${more}`;
	void showInformation(`${endpointLabel(endpoint)} offers ${modelCount(names.length) + list}`);
}

/** `3 models`. */
export function modelCount(count: number): string {
	return count === 1 ? "1 model" : `${count} models`;
}

/** Asks the user for the key of an endpoint, which is sent to its origin only. Undefined when they give none. */
export async function askForKey(endpoint: ModelEndpoint): Promise<string | undefined> {
	const key = await vscode.window.showInputBox({
		title: endpointLabel(endpoint),
		prompt: `The API key. It is stored in the secret store and sent only to ${originOf(endpoint)}.`,
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === "" ? "Paste the key, or press Escape." : undefined),
	});
	// In its stored form: surrounding white space, as copied from a web page, is not part of it.
	return key?.trim();
}

/**
 * Asks the user for the value of a secret header, which is sent to the endpoint's origin only. Undefined when they give
 * none; empty, if one is set, to forget it.
 */
export async function askForHeader(endpoint: ModelEndpoint, name: string, isSet: boolean): Promise<string | undefined> {
	const value = await vscode.window.showInputBox({
		title: endpointLabel(endpoint),
		prompt: `The value of the header ${name}. It is stored in the secret store and sent only to ${originOf(endpoint)}.`,
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === "" && !isSet ? "Paste the value, or press Escape." : undefined),
	});
	return value?.trim();
}
