import * as vscode from "vscode";
import type { EditorSettings } from "./definitions/editorLimits.ts";

/** The settings of this window. */
export const editorSettings: EditorSettings = {
	inspect: (name) => vscode.workspace.getConfiguration().inspect(name),
	get: (name) => vscode.workspace.getConfiguration().get(name),
};
