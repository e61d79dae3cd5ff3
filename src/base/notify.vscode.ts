import * as vscode from "vscode";
import { withoutLinks } from "./notification.ts";

/**
 * Shows an error with its remedies as buttons; resolves with the chosen one, or undefined. The only way to notify: texts
 * that hold words of servers, models or workspaces cannot become links in it.
 */
export async function showError<T extends string>(message: string, ...remedies: T[]): Promise<T | undefined> {
	return vscode.window.showErrorMessage(withoutLinks(message), ...remedies);
}

/** Shows a warning; see `showError`. */
export async function showWarning<T extends string>(message: string, ...remedies: T[]): Promise<T | undefined> {
	return vscode.window.showWarningMessage(withoutLinks(message), ...remedies);
}

/** Shows a note; see `showError`. */
export async function showInformation<T extends string>(message: string, ...actions: T[]): Promise<T | undefined> {
	return vscode.window.showInformationMessage(withoutLinks(message), ...actions);
}
