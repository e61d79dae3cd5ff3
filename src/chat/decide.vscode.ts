import * as vscode from "vscode";
import { showError, showInformation } from "../base/notify.vscode.ts";
import type { Commands } from "../base/commands.ts";
import { HostError, messageOf } from "../base/errors.ts";
import { toTokenSource } from "../models/cancellation.vscode.ts";
import type { DecisionLinks, DecisionHelp } from "./decide.ts";
import { chatCommands } from "./stream.vscode.ts";

/** The command behind the links of questions and running calls. */
export function decisionCommands(links: DecisionLinks): Commands<(typeof chatCommands)["decide"]> {
	return {
		[chatCommands.decide]: async (id: unknown, action: unknown) => {
			try {
				const told = await links.follow(id, action);
				if (told !== undefined) tell(told);
			} catch (error) {
				if (!HostError.is(error, "cancelled")) void showError(messageOf(error));
			}
		},
	};
}

/** Asks in the editor's own box why the person denies. */
export const askReason: DecisionHelp["askReason"] = async (signal) => {
	const source = toTokenSource(signal);
	try {
		const prompt = vscode.l10n.t("What the model is told, such as what it should do in place of this");
		const title = vscode.l10n.t("Deny the Call");
		return await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true }, source.token);
	} finally {
		source.dispose();
	}
};

/** Shows what changed about a definition. */
export const showChanges: DecisionHelp["showChanges"] = (changed) =>
	vscode.commands.executeCommand("mcpHost.showToolChanges", changed);

function tell(message: string): void {
	void showInformation(message);
}
