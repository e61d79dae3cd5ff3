import type { Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { oneLine } from "../../base/text.ts";
import { stateWord } from "../sessions/describeState.ts";
import type { Session, SessionDirectory } from "../sessions/session.ts";
import { byOrigin } from "../review/waiting.ts";

/**
 * Logs the problems, immediately and after each reading of the configuration that finds others. So the log of a window
 * in which nothing happened yet is not blank.
 */
export function logFindings(directory: SessionDirectory, onDidRead: Event<unknown>, log: Log): Disposable {
	let said = "";
	const say = (): void => {
		const lines = describeFindings(directory.sessions);
		if (lines.join("\n") === said) return;
		said = lines.join("\n");
		for (const line of lines) log.info(line);
	};
	say();
	return onDidRead(say);
}

/** Which servers are configured where, and their states. */
export function describeFindings(sessions: readonly Session[]): readonly string[] {
	if (sessions.length === 0) {
		return [
			"No server is configured. Run “MCP Host: Try the Demo Server” to try MCP Host without setup, or “MCP Host: Add Servers…” to add one.",
		];
	}
	const places = [...byOrigin(sessions)].map(([origin, ofOrigin]) => {
		const servers = ofOrigin.map(({ definition, state }) => `${oneLine(definition.name, 80)} (${stateWord(state)})`);
		return `${origin}: ${servers.join(", ")}`;
	});
	return [`${sessions.length === 1 ? "1 server is" : `${sessions.length} servers are`} configured.`, ...places];
}
