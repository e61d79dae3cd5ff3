import * as vscode from "vscode";
import type { Lazy } from "../../base/lazy.ts";
import type { Disposable } from "../../base/lifecycle.ts";

/** The participant that answers in the chat. */
export interface ChatAnswers {
	/** Answers a turn of `@mcp`. */
	readonly answer: vscode.ChatRequestHandler;
	readonly followups: vscode.ChatFollowupProvider;
}

/** Registers `@mcp`, which answers as soon as the chat is loaded. */
export function registerParticipant(wired: Lazy<{ readonly chat: ChatAnswers }>, extensionUri: vscode.Uri): Disposable {
	const chat = async (): Promise<ChatAnswers> => (await wired.get()).chat;
	const participant = vscode.chat.createChatParticipant("mcpHost.chat", async (...turn) =>
		(await chat()).answer(...turn),
	);
	participant.followupProvider = {
		provideFollowups: async (...answer) => (await chat()).followups.provideFollowups(...answer),
	};
	const media = vscode.Uri.joinPath(extensionUri, "media");
	participant.iconPath = {
		light: vscode.Uri.joinPath(media, "panel-light.svg"),
		dark: vscode.Uri.joinPath(media, "panel-dark.svg"),
	};
	return participant;
}
