import { oneLine } from "../base/text.ts";
import { stateWord } from "../tree/view.ts";
import type { Session } from "./session.ts";

/** Why there is no server to choose from, and what helps. */
export interface NoServer {
	readonly message: string;
	/** The one button under the message. */
	readonly remedy: "Add Server…" | "Show Servers";
}

/** How many servers are named. */
const namedLimit = 5;

/** Explains that none of these servers fits a command: there is none, or all of them are in another state. */
export function explainNoServer(sessions: readonly Pick<Session, "definition" | "state">[]): NoServer {
	if (sessions.length === 0) return { message: "No MCP server is configured.", remedy: "Add Server…" };
	const states = sessions
		.slice(0, namedLimit)
		.map(({ definition, state }) => `${oneLine(definition.name, 60)} (${stateWord(state)})`);
	const rest = sessions.length - states.length;
	const more = rest === 0 ? "" : ` and ${rest} more`;
	const which = sessions.length === 1 ? "The only server does" : "None of the servers does";
	return {
		message: `${which} not fit this command in its state: ${states.join(", ")}${more}.`,
		remedy: "Show Servers",
	};
}
