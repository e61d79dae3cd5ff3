import { oneLine } from "../../base/text.ts";
import type { DecisionKind, DecisionSubject } from "./decision.ts";
import { askerOf, isServerRequest, type PendingDecision } from "./pendingDecisions.ts";

/** The codicon of each kind. */
export const pendingIcons: Readonly<Record<DecisionKind, string>> = {
	start: "shield",
	tool: "tools",
	sampling: "comment-discussion",
	elicitation: "question",
	url: "link-external",
	form: "edit",
};

/** The question, in our words alone: a server's text does not belong in a notification. */
export const asks: Readonly<Record<DecisionKind, string>> = {
	start: "needs your approval to start",
	tool: "has a tool call waiting for you",
	sampling: "asks for a completion",
	elicitation: "asks for your input",
	url: "asks you to open a web page",
	form: "asks for your input",
};

/**
 * The context value for the menus of a row: `pending refusable request`. A call has `pending call`, with `allowable` if
 * its row shows everything that must be seen to allow it.
 */
export function contextOf({ canRefuse, subject }: PendingDecision): string {
	const call = subject.call === undefined ? [] : ["call", ...(subject.call.fitsIn === "row" ? ["allowable"] : [])];
	const rejects = canRefuse && subject.call === undefined ? ["refusable"] : [];
	return ["pending", ...call, ...rejects, ...(isServerRequest(subject) ? ["request"] : [])].join(" ");
}

/** The text of a row after the server's name: its request; for a call the tool and the first argument. */
export function descriptionOf({ subject: { title, call } }: PendingDecision): string {
	return call === undefined ? oneLine(title) : `${oneLine(title, 80)} · ${call.about}`;
}

/** The hover of a row: who asks, for what, and during which call; for a call exactly the sent data. */
export function tooltipOf({ subject }: PendingDecision): string {
	const { server, title, call } = subject;
	const sent = call === undefined ? "" : `\n${call.exactly}`;
	return [`${oneLine(server, 60)}: ${oneLine(title)}${sent}`, ...whereOf(subject)].join("\n");
}

/** The text of a row for screen readers: everything that is visible in it and in its hover, by importance. */
export function labelOf({ subject }: PendingDecision): string {
	const { server, title, kind, call } = subject;
	const what =
		call === undefined
			? `${oneLine(server, 60)} ${asks[kind]}${title === asks[kind] ? "" : `: ${oneLine(title)}`}.`
			: `Tool call for ${oneLine(server, 60)}: ${oneLine(title)}. ${call.exactly.replaceAll("\n", ". ")}.`;
	return [what, ...whereOf(subject)].join(" ");
}

/** The call that caused a question; empty for a start, which no server requests. */
function whereOf({ during, kind }: DecisionSubject): readonly string[] {
	if (kind === "start") return [];
	return [during === undefined ? "Not during a call." : `During: ${oneLine(during)}`];
}

/** A server of which requests wait that can be refused. */
export interface WaitingServer {
	/** See `askerOf`. */
	readonly id: string;
	/** Its configured name, fit for one line. */
	readonly name: string;
	readonly count: number;
}

/** The servers of which requests wait that can be refused all at once, in the order of arrival. */
export function waitingServers(all: readonly PendingDecision[]): readonly WaitingServer[] {
	const servers = new Map<string, WaitingServer>();
	for (const { subject, canRefuse } of all) {
		if (!canRefuse || !isServerRequest(subject)) continue;
		const id = askerOf(subject);
		servers.set(id, { id, name: oneLine(subject.server, 60), count: (servers.get(id)?.count ?? 0) + 1 });
	}
	return [...servers.values()];
}

/** Those in which a server asked by this exchange of the trace, by its name: a call may have several. */
export function askedIn(all: readonly PendingDecision[], exchange: string): readonly PendingDecision[] {
	return all.filter(({ subject }) => subject.exchange === exchange);
}
