import * as vscode from "vscode";
import { isRemembered } from "./directCommands.vscode.ts";
import { answerOf, type PastTurn } from "./history.ts";
import { isNoModelAnswer } from "./opening.ts";
import { linkTo } from "./stream.ts";
import { chatCommands } from "./stream.vscode.ts";

/** The earlier turns of `@mcp` in this chat. What the lists of slash commands showed is nothing to remember. */
export function readHistory({ history }: vscode.ChatContext): readonly PastTurn[] {
	const turns: PastTurn[] = [];
	let prompt = "";
	for (const turn of history) {
		if (turn instanceof vscode.ChatRequestTurn) {
			prompt = turn.prompt;
			continue;
		}
		if (!isRemembered(turn.command) || isNoModelAnswer(turn.result.metadata)) continue;
		const shown = turn.response.map((part) =>
			part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : "",
		);
		const answer = answerOf(shown, linkTo(chatCommands.elicitation));
		turns.push({ prompt, answer, metadata: turn.result.metadata });
		prompt = "";
	}
	return turns;
}
