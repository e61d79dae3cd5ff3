import { oneLine } from "../../base/text.ts";
import { askerOf, isServerRequest, type DecisionKind, type PendingDecision } from "./decision.ts";

/** The codicon of each kind. */
export const pendingIcons: Readonly<Record<DecisionKind, string>> = {
	start: "shield",
	tool: "tools",
	sampling: "comment-discussion",
	elicitation: "question",
	url: "link-external",
	form: "edit",
};

/** What the menus of a row go by: `pending refusable request`. */
export function contextOf({ canRefuse, subject }: PendingDecision): string {
	return ["pending", ...(canRefuse ? ["refusable"] : []), ...(isServerRequest(subject) ? ["request"] : [])].join(" ");
}

/** What a row says when the mouse rests on it: who asks, for what, and during which call. */
export function tooltipOf({ subject: { server, title, during } }: PendingDecision): string {
	const where = during === undefined ? "The server asks on its own." : `During: ${oneLine(during)}`;
	return `${oneLine(server, 60)}: ${oneLine(title)}\n${where}`;
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
