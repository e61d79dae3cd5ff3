import { assertNever } from "../../base/assert.ts";
import { HostError } from "../../base/errors.ts";
import { once } from "../../base/once.ts";
import { oneLine } from "../../base/text.ts";
import { chooseRunner } from "../../servers/otherHosts/remarks.ts";
import type { Session, SessionDirectory, SessionState } from "../../servers/sessions/session.ts";

/** How long to wait for a server. */
export interface Patience {
	/** For a server that is starting, or waits for its turn, in milliseconds. */
	readonly startingMs: number;
	/**
	 * Resolves once the servers that start with the window have been started: no other starts automatically. Never
	 * rejects.
	 */
	readonly settled: Promise<unknown>;
}

/**
 * The session of a server once it runs, for a request that may precede the server's start, such as an editor that is
 * restored with its window.
 * @throws HostError `not-approved`, or `not-connected` with what to do, when the server does not start automatically.
 */
export async function runningSession(directory: SessionDirectory, id: string, patience: Patience): Promise<Session> {
	let isSettled = false;
	const settled = patience.settled.then(() => (isSettled = true));
	const deadline = Date.now() + patience.startingMs;
	for (;;) {
		const session = directory.get(id);
		const verdict = verdictOf(session);
		if (typeof verdict === "object") return verdict;
		const isComing = session?.state.kind === "starting" || !isSettled;
		const isFinal = session !== undefined && final.has(session.state.kind);
		const left = deadline - Date.now();
		if (isFinal || !isComing || left <= 0) {
			throw new HostError(session?.state.kind === "needs-approval" ? "not-approved" : "not-connected", verdict);
		}
		// However the wait ends, the next round checks the current state.
		const waiting = new AbortController();
		const changed = once(directory.onDidChange, AbortSignal.any([waiting.signal, AbortSignal.timeout(left)]));
		await Promise.race([changed.catch(() => undefined), ...(isSettled ? [] : [settled])]);
		waiting.abort();
	}
}

/** States that only a user changes. */
const final: ReadonlySet<SessionState["kind"]> = new Set(["failed", "needs-approval", "off", "left-to-editor"]);

/** The session if it runs, otherwise why a request cannot be made. */
function verdictOf(session: Session | undefined): Session | string {
	if (session === undefined) return "The server of this resource is not configured in this window.";
	const { state, definition } = session;
	switch (state.kind) {
		case "running":
			return session;
		case "stopped":
			return `The server "${definition.name}" is not running. Start it in the Servers view and try again.`;
		case "starting":
			return `The server "${definition.name}" is still starting. Try again when it runs.`;
		case "off":
			return `The server "${definition.name}" is switched off. Switch it on in the Servers view and try again.`;
		case "left-to-editor":
			return `The server "${definition.name}" is left to VS Code, so MCP Host does not run it. "${chooseRunner.title}" changes that.`;
		case "needs-approval":
			return `The server "${definition.name}" waits for your approval. Review it in the Servers view and try again.`;
		case "needs-sign-in":
			return `The server "${definition.name}" requires you to sign in. Choose Sign In in the Servers view and try again.`;
		case "failed":
			return `The server "${definition.name}" is not running: ${oneLine(state.message, 500)}`;
		default:
			return assertNever(state);
	}
}
