import * as vscode from "vscode";
import { showError, showInformation } from "../base/notify.vscode.ts";
import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../base/words.ts";
import type { McpHost } from "./host.ts";
import { explainNoServer, type NoServer } from "./sessions/absence.ts";
import type { ServerSession } from "./sessions/serverSession.ts";
import type { SessionState } from "./sessions/session.ts";
import { describeState } from "./sessions/describeState.ts";

/**
 * The server that a command is about: named by its argument (a tree node, or `{server}` with an id or a configured name,
 * from key bindings and other extensions), otherwise picked from those that fit. Undefined when the user picks none.
 */
export async function pickServer(
	host: McpHost,
	argument: unknown,
	placeholder: string,
	fits: (state: SessionState, session: ServerSession) => boolean = () => true,
): Promise<ServerSession | undefined> {
	const named: unknown = isJsonObject(argument) ? argument["server"] : argument;
	if (typeof named === "string") {
		const found =
			host.registry.get(named) ?? host.registry.sessions.find(({ definition }) => definition.name === named);
		if (found === undefined) void showError(`No server named "${named}" is configured.`);
		return found;
	}
	const candidates = host.registry.sessions.filter((session) => fits(session.state, session));
	if (candidates.length === 0) {
		// The command has ended, whether or not the user reads why.
		void explain(explainNoServer(host.registry.sessions));
		return undefined;
	}
	const picked = await vscode.window.showQuickPick(
		candidates.map((session) => ({
			label: withoutIcons(oneLine(session.definition.name)),
			description: withoutIcons(describeState(session.state)),
			detail: withoutIcons(oneLine(session.definition.origin.label)),
			session,
		})),
		{ ignoreFocusOut: true, placeHolder: placeholder, matchOnDetail: true },
	);
	return picked?.session;
}

async function explain({ message, remedy }: NoServer): Promise<void> {
	if ((await showInformation(message, remedy)) !== remedy) return;
	await vscode.commands.executeCommand(remedy === "Add Servers…" ? "mcpHost.addServer" : "mcpHost.servers.focus");
}
