import * as vscode from "vscode";
import { showInformation } from "../base/notify.vscode.ts";
import type { Commands } from "../base/commands.ts";
import { uriOfBlock } from "../results/resultMedia.ts";
import { isOpenable } from "../results/resultView.ts";
import type { FinishedCall, FinishedCalls } from "../results/finishedCalls.ts";
import type { ResultAction } from "./render.ts";
import { chatCommands } from "./stream.vscode.ts";

/**
 * The command behind the links below results. A resource is only ever opened by a click, and read from the server whose
 * result names it (security.md TOL-17).
 */
export function resultCommands(
	calls: FinishedCalls,
	showCall: (id: string, call: FinishedCall) => void,
): Commands<(typeof chatCommands)["details"]> {
	return {
		[chatCommands.details]: async (id: unknown, action: unknown, block: unknown) => {
			const call = typeof id === "string" ? calls.get(id) : undefined;
			if (typeof id !== "string" || call === undefined) {
				void showInformation(vscode.l10n.t("This call is no longer kept."));
				return;
			}
			if (action !== ("open-resource" satisfies ResultAction)) return showCall(id, call);
			const { entry, outcome } = call;
			const uri = typeof block === "number" ? uriOfBlock(outcome.result.raw, block) : undefined;
			if (uri === undefined || !isOpenable(uri)) return;
			await vscode.commands.executeCommand("mcpHost.openResource", { server: entry.session.definition.id, uri });
		},
	};
}
