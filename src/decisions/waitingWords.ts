import { oneLine } from "../base/text.ts";
import type { DecisionKind, DecisionSubject } from "./decision.ts";

/** How many servers are named before the others are only counted. */
const namedServers = 4;

/** What is asked, in words of ours alone: a server's text does not belong in a notification. */
const asks: Readonly<Record<DecisionKind, string>> = {
	start: "asks to be started",
	tool: "asks to run a tool",
	sampling: "asks for a completion",
	elicitation: "asks you for an answer",
	url: "asks you to open a web page",
	form: "asks you for an answer",
};

/**
 * One sentence about all that waits, such as `weather (server) asks for a completion`, or for several
 * `3 requests wait for you: weather (2), travel`. The names are the configured ones, fit to show as plain text.
 */
export function describeWaiting(waiting: readonly DecisionSubject[]): string {
	const [only] = waiting;
	if (only !== undefined && waiting.length === 1) return `${oneLine(only.server, 60)} (server) ${asks[only.kind]}`;
	return `${waiting.length} requests wait for you: ${serversOf(waiting)}`;
}

/** Who waits, and for how much: `weather (2), travel`. */
function serversOf(waiting: readonly DecisionSubject[]): string {
	const counts = new Map<string, number>();
	for (const { server } of waiting) counts.set(server, (counts.get(server) ?? 0) + 1);
	const servers = [...counts].map(([name, count]) =>
		count === 1 ? oneLine(name, 40) : `${oneLine(name, 40)} (${count})`,
	);
	const others = servers.length - namedServers;
	if (others <= 0) return servers.join(", ");
	return `${servers.slice(0, namedServers).join(", ")} and ${others} more ${others === 1 ? "server" : "servers"}`;
}
