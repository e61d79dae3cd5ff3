import { withoutIcons } from "../../base/words.ts";
import * as vscode from "vscode";

/** Shows in the status bar that something is waited for, until the signal is aborted. `title` is fit to show. */
export function showWaiting(title: string, over: AbortSignal): void {
	const ended = new Promise<void>((resolve) => over.addEventListener("abort", () => resolve(), { once: true }));
	const options = { location: vscode.ProgressLocation.Window, title: withoutIcons(title) };
	void vscode.window.withProgress(options, () => ended);
}
