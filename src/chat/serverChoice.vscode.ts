import * as vscode from "vscode";
import type { Commands } from "../base/commands.ts";
import { showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { SessionDirectory } from "../servers/session.ts";
import { wordsWithout } from "./turnServers.ts";

/** The command that lets the person choose the servers of their next turn: it writes the words for it into the chat. */
export function serverChoiceCommands(directory: SessionDirectory): Commands<"mcpHost.chatWithServers"> {
	return {
		"mcpHost.chatWithServers": async () => {
			const running = directory.sessions.filter(({ state }) => state.kind === "running");
			if (running.length === 0) return showInformation(vscode.l10n.t("No server is running."));
			const picked = await vscode.window.showQuickPick(
				running.map((session) => ({ label: withoutIcons(oneLine(session.definition.name)), picked: true, session })),
				{ canPickMany: true, placeHolder: vscode.l10n.t("The servers that the model may use in your next turn") },
			);
			if (picked === undefined) return undefined;
			const chosen = new Set(picked.map(({ session }) => session));
			const words = wordsWithout(running.filter((session) => !chosen.has(session)));
			const query = `@mcp ${words}`;
			return vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
		},
	};
}
