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

/** What is asked, in words of ours alone: a server's text does not belong in a notification. */
export const asks: Readonly<Record<DecisionKind, string>> = {
	start: "needs your approval to start",
	tool: "has a tool call waiting for you",
	sampling: "asks for a completion",
	elicitation: "asks for your input",
	url: "asks you to open a web page",
	form: "asks for your input",
};

/**
 * What the menus of a row go by: `pending refusable request`. A call is answered by `pending call`, with `allowable` where
 * its row shows all that has to be seen for that.
 */
export function contextOf({ canRefuse, subject }: PendingDecision): string {
	const call = subject.call === undefined ? [] : ["call", ...(subject.call.fitsIn === "row" ? ["allowable"] : [])];
	const rejects = canRefuse && subject.call === undefined ? ["refusable"] : [];
	return ["pending", ...call, ...rejects, ...(isServerRequest(subject) ? ["request"] : [])].join(" ");
}

/** What stands in a row behind the server's name: for what it asks; of a call the tool and the first argument. */
export function descriptionOf({ subject: { title, call } }: PendingDecision): string {
	return call === undefined ? oneLine(title) : `${oneLine(title, 80)} · ${call.about}`;
}

/** What a row says when the mouse rests on it: who asks, for what, and during which call; of a call exactly what is sent. */
export function tooltipOf({ subject }: PendingDecision): string {
	const { server, title, call } = subject;
	const sent = call === undefined ? "" : `\n${call.exactly}`;
	return [`${oneLine(server, 60)}: ${oneLine(title)}${sent}`, ...whereOf(subject)].join("\n");
}

/** What a screen reader says of a row: all that the eye finds in it and in its hover, in the order of weight. */
export function labelOf({ subject }: PendingDecision): string {
	const { server, title, kind, call } = subject;
	const what =
		call === undefined
			? `${oneLine(server, 60)} ${asks[kind]}${title === asks[kind] ? "" : `: ${oneLine(title)}`}.`
			: `Tool call for ${oneLine(server, 60)}: ${oneLine(title)}. ${call.exactly.replaceAll("\n", ". ")}.`;
	return [what, ...whereOf(subject)].join(" ");
}

/** During which call something is asked; nothing of a start, for which no server asks. */
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
