import { HostError } from "../../base/errors.ts";
import type { ConnectedClient } from "./connectedClient.ts";
import { causesOf } from "../http/networkFault.ts";
import { hostErrorIn } from "./requestFailure.ts";
import { LostSession } from "./watchedTransport.ts";

/** How often a session in place of a forgotten one is opened that is forgotten in its turn. */
const mostAttempts = 3;

/** The callbacks about a connection's sessions, which follow one another. */
export interface RenewalEvents {
	/** A new session was opened in place of one that the server forgot. */
	onRenewed(client: ConnectedClient): void;
	/** The connection ended, and no other is opened. `reason` as in `ConnectionHandlers.onClosed`, if it is known. */
	onGone(reason: string | undefined): void;
}

/**
 * Holds the client that requests go to, and connects a new one when the server forgot its session: exactly one, however many
 * requests find out at once (specification, "Session Management"; TRN-35, TRN-36).
 */
export class ClientRenewal {
	private held: ConnectedClient;
	private readonly open: (signal: AbortSignal) => Promise<ConnectedClient>;
	private readonly events: RenewalEvents;
	private readonly closing = new AbortController();
	private renewal: Promise<void> | undefined;
	private isFirst = true;

	/** `open` makes another session with the same server; it lets go of what it made when its signal is aborted. */
	constructor(first: ConnectedClient, open: (signal: AbortSignal) => Promise<ConnectedClient>, events: RenewalEvents) {
		this.held = first;
		this.open = open;
		this.events = events;
		this.adopt(first);
	}

	/** The current session, which the server may have forgotten. */
	get current(): ConnectedClient {
		return this.held;
	}

	/** Aborted when the connection is closed from here. */
	get signal(): AbortSignal {
		return this.closing.signal;
	}

	/** Settles as `renew` while another session is being opened, which has to be waited for. */
	get renewing(): Promise<void> | undefined {
		return this.renewal;
	}

	/**
	 * The session to send on.
	 * @throws HostError `not-connected` when the connection is closed.
	 */
	usable(): ConnectedClient {
		if (this.closing.signal.aborted || this.held.sdk.transport === undefined) {
			throw new HostError("not-connected", "The connection is closed.");
		}
		return this.held;
	}

	/** Resolves when another session is open in place of `lost`. Rejects with a HostError when none can be opened. */
	renew(lost: ConnectedClient): Promise<void> {
		if (this.renewal === undefined && lost === this.held) {
			this.renewal = this.replace(lost).finally(() => {
				this.renewal = undefined;
			});
		}
		return this.renewal ?? Promise.resolve();
	}

	/** Takes no further requests, and reports no further end. The session must still be closed. */
	end(): ConnectedClient {
		this.closing.abort(new HostError("not-connected", "The connection was closed."));
		return this.held;
	}

	private async replace(lost: ConnectedClient): Promise<void> {
		// A server that forgets each session before its first answer would be asked for new ones for ever.
		if (!this.isFirst && !lost.hasServed) return this.giveUp("does not keep its sessions", undefined);
		this.isFirst = false;
		const client = await this.openPatiently();
		if (this.closing.signal.aborted) {
			// The connection was closed while this session was being opened: nobody else has a reference to it.
			client.retire();
			throw this.closing.signal.reason;
		}
		this.held = client;
		this.adopt(client);
		lost.retire();
		this.events.onRenewed(client);
	}

	/** A server that is just being restarted may forget even the session that it is opening. */
	private async openPatiently(): Promise<ConnectedClient> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await this.open(this.closing.signal);
			} catch (error) {
				const isLost = causesOf(error).some((cause) => cause instanceof LostSession);
				if (!isLost || attempt === mostAttempts || this.closing.signal.aborted) {
					return this.giveUp("no longer knows the session and did not open a new one", error);
				}
			}
		}
	}

	private giveUp(reason: string, cause: unknown): never {
		this.closing.abort(new HostError("not-connected", `The server ${reason}.`));
		// After the requests that wait for the session: they were refused, so their outcome is known.
		setImmediate(() => this.events.onGone(reason));
		const why = hostErrorIn(cause);
		// There the user can do something about it.
		if (why?.code === "needs-sign-in") throw why;
		const words = why === undefined ? "" : ` ${why.message}`;
		throw new HostError("not-connected", `The server ${reason}.${words}`, { cause });
	}

	private adopt(client: ConnectedClient): void {
		client.sdk.onclose = () => {
			if (client === this.held && !this.closing.signal.aborted) this.events.onGone(undefined);
		};
	}
}
