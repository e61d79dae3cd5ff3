import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import type { Disposable } from "../../base/lifecycle.ts";
import type { EditorSettings } from "../definitions/editorLimits.ts";
import { faultyPolicy, type MachinePolicy } from "../definitions/machinePolicy.ts";
import { policyFileOf, readMachinePolicy } from "../definitions/policyFile.ts";

const file = policyFileOf();
let machine: MachinePolicy | undefined = faultyPolicy(file, "it has not been read yet");

/** The settings of this window, and the policy of the machine as it was last read. */
export const editorSettings: EditorSettings = {
	inspect: (name) => vscode.workspace.getConfiguration().inspect(name),
	get: (name) => vscode.workspace.getConfiguration().get(name),
	get machine() {
		return machine;
	},
};

let first: Promise<MachinePolicy | undefined> | undefined;

/** Reads the policy of the machine again; everything that is decided afterwards follows it. */
export function refreshMachinePolicy(): Promise<MachinePolicy | undefined> {
	const reading = readMachinePolicy(file).then((read) => (machine = read));
	first ??= reading;
	return reading;
}

/** The settings once the policy of the machine was read, for decisions that may be the first of a window. */
export async function readEditorSettings(): Promise<EditorSettings> {
	await (first ?? refreshMachinePolicy());
	return editorSettings;
}

/** Calls back whenever the policy of the machine may have changed, until disposed. */
export function watchMachinePolicy(changed: () => void): Disposable {
	const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(file)), basename(file));
	const watcher = vscode.workspace.createFileSystemWatcher(pattern);
	for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(changed);
	return watcher;
}
