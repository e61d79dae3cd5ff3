import * as vscode from "vscode";
import { externalAddress, openAddress } from "../../protocol/authorization/signIn.vscode.ts";
import { type ElicitationDependencies, ElicitationService } from "./service.ts";
import { withoutIcons } from "../../base/words.ts";

/** Creates the service that answers elicitations, with VS Code's browser and clipboard. */
export function elicitationService(
	services: Omit<ElicitationDependencies, "externalAddress" | "openExternal" | "copy" | "showWaiting">,
): ElicitationService {
	return new ElicitationService({
		...services,
		externalAddress,
		openExternal: openAddress,
		copy: async (text) => vscode.env.clipboard.writeText(text),
		showWaiting,
	});
}

/** Shows in the status bar that something is waited for, until the signal is aborted. `title` is fit to show. */
export function showWaiting(title: string, over: AbortSignal): void {
	const ended = new Promise<void>((resolve) => over.addEventListener("abort", () => resolve(), { once: true }));
	const options = { location: vscode.ProgressLocation.Window, title: withoutIcons(title) };
	void vscode.window.withProgress(options, () => ended);
}
