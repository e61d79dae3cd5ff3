import {
	ProtocolError,
	UrlElicitationRequiredError,
	type Client,
	type RequestOptions,
} from "@modelcontextprotocol/client";
import { orAborted } from "../../base/abort.ts";
import { HostError } from "../../base/errors.ts";
import type { ConnectedClient } from "./connectedClient.ts";
import type { RequestControl } from "../connection.ts";
import { isInterrupted, isUncertain, requestFailure } from "./requestFailure.ts";
import type { ClientRenewal } from "./clientRenewal.ts";
import { SessionCheck } from "./sessionCheck.ts";
import { LostSession } from "./watchedTransport.ts";

/**
 * The SDK's timers end a request at this age at the latest. The session's own timers, which pause for users, end it
 * earlier.
 */
export const wireTimeoutMs = 24 * 60 * 60 * 1000;

/** How often a server may want pages visited before it answers one request; each time the user has to go on. */
const mostVisits = 5;

/** The facts about a request before it is sent. */
export interface RequestNature {
	/** It may change something at the server, so it is never sent twice by the host, unless its tool claims that this is safe. */
	readonly mayHaveEffect?: boolean;
	/** Its tool claims to be read-only or idempotent: it may be sent once more where what became of it is not known. */
	readonly isRepeatable?: boolean;
	/** The request prepares or checks the session, and is not a use of it. */
	readonly isPreparation?: boolean;
}

/** The part of a connection that its requests use. */
export interface RequestContext {
	/** How the server's process ended, once it has ended. */
	readonly exit: () => string | undefined;
	/** The connection broke under a request: the server may be gone. */
	readonly onInterrupted: () => void;
	/**
	 * Puts the pages that a server wants visited first to the user; rejects when they decline. `opened` are
	 * the URLs of those that they opened before, to which it adds.
	 */
	readonly visitPages: (error: UrlElicitationRequiredError, opened: Set<string>, signal: AbortSignal) => Promise<void>;
}

/** Carries requests on the session of the moment, and turns what the SDK throws into the host's errors. */
export class Requests {
	private readonly clients: ClientRenewal;
	private readonly context: RequestContext;
	private readonly sessions: SessionCheck;

	constructor(clients: ClientRenewal, context: RequestContext) {
		this.clients = clients;
		this.context = context;
		this.sessions = new SessionCheck(clients);
	}

	/** The stream of the server's own messages ended: the session may be gone, so that the next call asks first. */
	noteStreamEnd(): void {
		this.sessions.doubt();
	}

	/** Whether the connection still works: a request that failed now may succeed later. */
	get isOpen(): boolean {
		return !this.clients.signal.aborted && this.clients.current.sdk.transport !== undefined;
	}

	/**
	 * Sends a request by `send`, and at most once more each when the server had forgotten the session and when the
	 * connection broke, if that is safe; and a few times when the server wants a page visited first and the
	 * user, or the server, says that this is done.
	 * @throws HostError as `Connection` promises; the signal's reason when aborted.
	 */
	async run<T>(
		control: RequestControl,
		send: (client: Client) => Promise<T>,
		{ mayHaveEffect = false, isRepeatable = !mayHaveEffect, isPreparation = false }: RequestNature = {},
	): Promise<T> {
		const { signal } = control;
		// A session that is found lost before a call costs nothing; one that is lost under it leaves its outcome open.
		if (mayHaveEffect) await this.sessions.ensure(signal);
		let isRenewed = false;
		let visits = 0;
		let opened: Set<string> | undefined;
		let isRepeated = false;
		for (;;) {
			signal.throwIfAborted();
			const { renewing } = this.clients;
			if (renewing !== undefined) await orAborted(renewing, signal);
			const client = this.clients.usable();
			client.enter();
			try {
				const result = await send(client.sdk);
				client.leave(!isPreparation);
				return result;
			} catch (error) {
				// An error is an answer too.
				client.leave(!isPreparation && error instanceof ProtocolError);
				// The SDK reports an abort as its own timeout error; the reason is what the caller gave.
				if (signal.aborted) throw signal.reason;
				if (error instanceof LostSession) {
					// How a server refuses proves nothing about what it did before (TRN-57).
					if (!isRepeatable) throw this.lostUnder(error, client);
					if (isRenewed) throw this.stillLost(error);
					isRenewed = true;
					await orAborted(this.clients.renew(client), signal);
				} else if (error instanceof UrlElicitationRequiredError && visits < mostVisits) {
					visits++;
					await this.context.visitPages(error, (opened ??= new Set()), signal);
				} else if (this.isSafe(error, mayHaveEffect, isRepeatable) && !isRepeated && this.isOpen) {
					isRepeated = true;
				} else {
					if (isInterrupted(error)) this.context.onInterrupted();
					throw requestFailure(error, { mayHaveEffect, exit: this.context.exit() });
				}
			}
		}
	}

	/** Whether a failed request may be sent again unchanged. */
	private isSafe(error: unknown, mayHaveEffect: boolean, isRepeatable: boolean): boolean {
		return isRepeatable && (mayHaveEffect ? isUncertain(error) : isInterrupted(error));
	}

	/** Opens another session for later requests, and adds the words of its answer to a request's failure. */
	private lostUnder({ cause }: LostSession, client: ConnectedClient): HostError {
		// The sender of the next request sees the failure.
		this.clients.renew(client).catch(() => undefined);
		return requestFailure(cause, { mayHaveEffect: true, exit: undefined });
	}

	private stillLost(error: LostSession): HostError {
		const refusal = requestFailure(error.cause, { mayHaveEffect: false, exit: undefined });
		return new HostError(
			"not-connected",
			`The server rejects the session that it has just opened. ${refusal.message}`,
			{
				cause: error,
			},
		);
	}
}

/** The progress that the SDK itself reports when it answers an `input_required` result; not a message of the server. */
const ownProgress = /^Fulfilling input required by '[a-z/]+' \(round \d+\)$/;

/** A request's options for the SDK: time and cancellation are the caller's. */
export function requestOptions({ signal, onProgress }: RequestControl): RequestOptions {
	return {
		signal,
		timeout: wireTimeoutMs,
		...(onProgress === undefined
			? {}
			: {
					onprogress(progress) {
						if (!ownProgress.test(progress.message ?? "")) onProgress(progress);
					},
				}),
	};
}
