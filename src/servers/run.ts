import type { Log } from "../base/log.ts";
import type { Connection } from "../connection/connection.ts";
import type { SessionState } from "./session.ts";
import { StderrTail } from "../stdio/stderrTail.ts";

/** Who wants a start: a person who looks, the window that opens, or the server's own restart. */
export type Cause = "person" | "window" | "restart";

/** A server's life from one start to its end. */
export interface Run {
	readonly cause: Cause;
	/**
	 * Whether a person waits for it, so that they may be asked: they wanted the start, and its lists are not read yet. Later
	 * on a question that no call leads to would come out of nowhere.
	 */
	isAwaited: boolean;
	readonly controller: AbortController;
	readonly stderr: StderrTail;
	connection: Connection | undefined;
	/** When the handshake was finished, in milliseconds of the monotonic clock. */
	connectedAt: number | undefined;
	/** Resolves when the start has succeeded, failed or been given up, with nothing left behind; never rejects. */
	started: Promise<SessionState>;
}

/** A run before anything of it has happened; `state` is what the server's was until now. */
export function newRun(cause: Cause, log: Log, state: SessionState): Run {
	return {
		cause,
		isAwaited: cause === "person",
		controller: new AbortController(),
		stderr: new StderrTail((line) => log.info(`[stderr] ${line}`)),
		connection: undefined,
		connectedAt: undefined,
		started: Promise.resolve(state),
	};
}
