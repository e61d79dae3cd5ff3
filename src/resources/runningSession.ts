import { assertNever } from "../base/assert.ts";
import { HostError } from "../base/errors.ts";
import { once } from "../base/event.ts";
import { oneLine } from "../base/text.ts";
import { chooseRunner } from "../servers/otherHost/remarks.ts";
import type { Session, SessionDirectory, SessionState } from "../servers/session.ts";

/** How long to wait for a server, in milliseconds. */
export interface Patience {
	/** For a handshake that is under way. */
	readonly startingMs: number;
	/**
	 * Until when, by `Date.now()`, a server that does not start yet may still come: a window that opens reads its configuration
	 * first.
	 */
	readonly settledAt: number;
}

/**
 * The session of a server once it runs, for a request that may come before the server does, such as an editor that is
 * restored with its window.
 * @throws HostError `not-approved`, or `not-connected` with what to do, when the server will not run by itself.
 */
export async function runningSession(directory: SessionDirectory, id: string, patience: Patience): Promise<Session> {
	const startingUntil = Date.now() + patience.startingMs;
	for (;;) {
		const session = directory.get(id);
		const verdict = verdictOf(session);
		if (typeof verdict === "object") return verdict;
		const deadline = session?.state.kind === "starting" ? startingUntil : patience.settledAt;
		const isFinal = session !== undefined && final.has(session.state.kind);
		const left = deadline - Date.now();
		if (isFinal || left <= 0) {
			throw new HostError(session?.state.kind === "needs-approval" ? "not-approved" : "not-connected", verdict);
		}
		// The timeout only ends the wait; the next round looks at what is.
		await once(directory.onDidChange, AbortSignal.timeout(left)).catch(() => undefined);
	}
}

/** States that only a person changes. */
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
