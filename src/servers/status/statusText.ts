import type { Session } from "../sessions/session.ts";
import { namesOf, waitingServers } from "../review/waiting.ts";

/** The text of the status bar about the servers. */
export interface StatusText {
	/** Short: how many run, such as `3`; while something waits for the user how much that is, such as `1 waiting` or `2 to approve`. */
	readonly count: string;
	/** The same in full sentences, for the hover and for screen readers. */
	readonly parts: readonly string[];
	/** How many servers a review can start. */
	readonly waiting: number;
}

/**
 * Counts servers for the status bar; `asking` are the servers of the decisions that the user is asked for. One whose review
 * is open waits for that alone.
 */
export function statusText(
	sessions: readonly Session[],
	asking: readonly (string | undefined)[],
	isTrusted: boolean,
): StatusText {
	const pending = asking.length;
	const of = (kind: Session["state"]["kind"]): number => sessions.filter(({ state }) => state.kind === kind).length;
	const [running, failed, unapproved, signIn] = [
		of("running"),
		of("failed"),
		of("needs-approval"),
		of("needs-sign-in"),
	];
	const waiting = waitingServers({ sessions }, isTrusted);
	const untrusted = unapproved - waiting.length;
	const parts = [`${running} of ${sessions.length} MCP servers running`];
	if (failed > 0) parts.push(`${failed} failed`);
	if (waiting.length > 0) parts.push(`${waiting.length} waiting for your approval: ${namesOf(waiting)}`);
	if (signIn > 0) parts.push(`${signIn} waiting for your sign-in`);
	if (untrusted > 0) parts.push(`${untrusted} not started: the workspace is not trusted`);
	if (pending > 0) parts.push(`${pending} ${pending === 1 ? "question" : "questions"} waiting for your answer`);
	const unasked = waiting.filter(({ definition }) => !asking.includes(definition.id));
	return {
		count: countWords(running, { pending, unapproved: unasked.length, signIn }),
		parts,
		waiting: waiting.length,
	};
}

/** The kind of waiting things, if there is only one: the Pending view lists requests only. */
function countWords(
	running: number,
	{ pending, unapproved, signIn }: Readonly<Record<"pending" | "unapproved" | "signIn", number>>,
): string {
	const all = pending + unapproved + signIn;
	if (all === 0) return `${running}`;
	if (all === unapproved) return `${all} to approve`;
	return `${all} ${all === signIn ? "to sign in" : "waiting"}`;
}
