import * as vscode from "vscode";
import type { Commands } from "../base/commands.ts";
import { showInformation } from "../base/notify.vscode.ts";
import type { InlineQuestions } from "../elicitation/inline.ts";
import { answerInline } from "./answerInline.ts";
import { chatCommands } from "./stream.vscode.ts";

/**
 * The command behind the links below a server's question. They stay in the transcript, so a link whose question has
 * ended, or belongs to another window, says so and changes nothing.
 */
export function elicitationCommands(questions: InlineQuestions): Commands<(typeof chatCommands)["elicitation"]> {
	return {
		[chatCommands.elicitation]: async (id: unknown, action: unknown, detail: unknown) => {
			const question = typeof id === "string" ? questions.get(id) : undefined;
			if (question === undefined) return showInformation(vscode.l10n.t("This question is no longer open."));
			const stale = typeof question === "string" ? question : await answerInline(question, action, detail);
			return stale === undefined ? undefined : showInformation(stale);
		},
	};
}
