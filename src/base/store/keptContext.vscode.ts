import type * as vscode from "vscode";
import type { KeyValue } from "../storage.ts";
import { versionedState } from "./versionedState.ts";

/** The parts of the extension's context that all parts use: where its files are, and what VS Code stores for it. */
export interface KeptContext extends Pick<vscode.ExtensionContext, "extension" | "extensionUri" | "globalStorageUri"> {
	/** Kept for all workspaces, and for this one; under names that carry a version. */
	readonly globalState: KeyValue;
	readonly workspaceState: KeyValue;
}

/** The context with the states of the editor under versioned names. */
export function keptContext({
	extension,
	extensionUri,
	globalStorageUri,
	globalState,
	workspaceState,
}: vscode.ExtensionContext): KeptContext {
	return {
		extension,
		extensionUri,
		globalStorageUri,
		globalState: versionedState(globalState),
		workspaceState: versionedState(workspaceState),
	};
}
