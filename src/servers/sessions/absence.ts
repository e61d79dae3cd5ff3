import { oneLine } from "../../base/text.ts";
import { stateWord } from "./describeState.ts";
import type { Session } from "./session.ts";

/** How many servers are named. */
const namedLimit = 5;

/** The kind of the missing thing. */
type Listed = "prompts" | "resources" | "tools";

/** Why there is nothing to choose from, and the remedy. */
export interface Absence {
	readonly message: string;
	readonly remedies: readonly Remedy[];
}

/** A remedy: a command of ours, with its argument if it takes one. */
export interface Remedy {
	readonly title: string;
	readonly icon: string;
	readonly command: "mcpHost.tryDemo" | "mcpHost.startServer" | "mcpHost.addServer" | "mcpHost.showLog";
	readonly argument?: { readonly server: string };
}

const demo: Remedy = { title: "Try the Demo Server", icon: "beaker", command: "mcpHost.tryDemo" };
const start: Remedy = { title: "Start a Server…", icon: "play", command: "mcpHost.startServer" };
const add: Remedy = { title: "Add a Server…", icon: "add", command: "mcpHost.addServer" };

/** Whether more may still appear automatically: a server is starting or a list is being read. */
export function isSettling(sessions: readonly Session[], listed: Listed): boolean {
	return sessions.some((session) => session.state.kind === "starting" || session[listed].status.kind === "loading");
}

/** Explains a list that is empty, once nothing is settling any more. */
export function explainAbsence(sessions: readonly Session[], listed: Listed): Absence {
	const running = sessions.filter(({ state }) => state.kind === "running");
	const starts = running.length < sessions.length ? [start] : [];
	const demos = sessions.some(({ definition }) => definition.origin.kind === "demo") ? [] : [demo];
	if (sessions.length === 0) return { message: "No MCP server is configured.", remedies: [...demos, add] };
	if (running.length === 0) return { message: "No MCP server is running.", remedies: [...starts, ...demos] };
	for (const session of running) {
		const { definition } = session;
		const { status } = session[listed];
		if (status.kind !== "failed") continue;
		return {
			message: `The ${listed} of "${oneLine(definition.name)}" could not be read. ${oneLine(status.message, 500)}`,
			remedies: [
				{ title: "Show Log", icon: "output", command: "mcpHost.showLog", argument: { server: definition.id } },
				...starts,
			],
		};
	}
	const [first, second] = running;
	const isOne = first !== undefined && second === undefined;
	const who = isOne ? `The server "${oneLine(first.definition.name)}" offers no ${listed}.` : undefined;
	return { message: who ?? `None of the running servers offers ${listed}.`, remedies: [...starts, ...demos] };
}

/** Why there is no server to choose from, and the remedy. */
export interface NoServer {
	readonly message: string;
	/** The one button under the message. */
	readonly remedy: "Add Servers…" | "Show Servers";
}

/** Explains that a command applies to none of these servers: there is none, or all of them are in another state. */
export function explainNoServer(sessions: readonly Pick<Session, "definition" | "state">[]): NoServer {
	if (sessions.length === 0) return { message: "No MCP server is configured.", remedy: "Add Servers…" };
	const states = sessions
		.slice(0, namedLimit)
		.map(({ definition, state }) => `${oneLine(definition.name, 60)} (${stateWord(state)})`);
	const rest = sessions.length - states.length;
	const more = rest === 0 ? "" : ` and ${rest} more`;
	const which = sessions.length === 1 ? "The only server cannot" : "None of the servers can";
	return {
		message: `${which} be used with this command now: ${states.join(", ")}${more}.`,
		remedy: "Show Servers",
	};
}
