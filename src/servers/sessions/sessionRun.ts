import { HostError, messageOf } from "../../base/errors.ts";
import type { Connection, ListKind, ServerFacts } from "../../protocol/connection.ts";
import type { RunOutput } from "./runOutput.ts";
import type { Session, SessionState } from "./session.ts";
import type { SessionCalls } from "./sessionCalls.ts";
import type { SessionServices } from "./sessionServices.ts";
import type { ServerTap } from "../../protocol/wireTap.ts";

/** Who wants a start: a user who looks, or wants another process, the window that opens, or the server's own restart. */
export type Cause = "user" | "anew" | "window" | "restart";

/** The part of its session that a run uses; the session receives nothing once the run has ended. */
export interface RunOwner {
	readonly session: Session;
	readonly services: SessionServices;
	onListChanged(kind: ListKind): void;
	onRenewed(facts: ServerFacts): void;
	onResourceUpdated(uri: string): void;
	onResourceSubscribed(uri: string): void;
	/** The condition for its connection that it waits for, in words for its row. */
	onWaiting(note: string): void;
	/** The server ended unexpectedly. */
	onGone(reason: string): void;
}

/**
 * A session's server from one start to its end: its connection, and its notifications and requests. Private to
 * sessions.
 */
export class SessionRun {
	readonly cause: Cause;
	readonly owner: RunOwner;
	/**
	 * Whether a user waits for it, so that they may be asked: they requested the start, and its lists are not read yet.
	 * Later, a question without a call would surprise the user.
	 */
	isAwaited: boolean;
	/** The output of its process beside messages; undefined before it is connected. */
	output: RunOutput | undefined;
	/** Who follows the messages; undefined if nobody does. */
	tap: ServerTap | undefined;
	/** Undefined before it is connected to. */
	calls: SessionCalls | undefined;
	/** Undefined until the handshake is finished. */
	connection: Connection | undefined;
	/** Reads the lists that the server offers now; resolves when that is done. Undefined before it is connected to. */
	readLists: (() => Promise<void>) | undefined;
	/** When the handshake was finished, in milliseconds of the monotonic clock. */
	connectedAt: number | undefined;
	/** Resolves when the start has succeeded, failed or been abandoned, with nothing left behind; never rejects. */
	started: Promise<SessionState>;
	private readonly ending = new AbortController();

	/** Nothing of it has happened yet. */
	constructor(cause: Cause, owner: RunOwner) {
		this.cause = cause;
		this.isAwaited = cause === "user" || cause === "anew";
		this.owner = owner;
		this.started = Promise.resolve(owner.session.state);
	}

	/** Aborted when the run ends. */
	get signal(): AbortSignal {
		return this.ending.signal;
	}

	/** Ends its requests and questions; its connection must still be closed. */
	end(reason: HostError): void {
		this.ending.abort(reason);
		this.calls?.endAll(reason);
	}

	/** How long it has been connected, in milliseconds; 0 before the handshake is finished. */
	get connectedMs(): number {
		return this.connectedAt === undefined ? 0 : performance.now() - this.connectedAt;
	}

	/** The text about its failure. */
	failure(error: unknown): Extract<SessionState, { kind: "failed" }> {
		const isStart = this.connectedAt === undefined;
		const exchange = isStart ? this.tap?.lastAsked : undefined;
		return {
			...(this.output?.failure(error, !isStart) ?? { kind: "failed", message: messageOf(error), stderr: [] }),
			...(exchange === undefined ? {} : { exchange }),
		};
	}

	/** Whether the server is to be restarted automatically after the run ended with this error. */
	isWorthRepeating(error: unknown, isRemote: boolean): boolean {
		// A remote server that refuses, such as for a wrong header, will refuse again; a process's failure may be
		// temporary.
		if (isRemote && HostError.is(error, "start-failed")) return false;
		if (this.cause === "restart" || this.connectedAt !== undefined) return true;
		const isPassing = HostError.is(error, "unreachable") || HostError.is(error, "not-connected");
		return this.cause === "window" && isPassing;
	}
}
