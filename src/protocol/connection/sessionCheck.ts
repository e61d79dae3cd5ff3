import { orAborted } from "../../base/abort.ts";
import type { ClientRenewal } from "./clientRenewal.ts";
import type { ConnectedClient } from "./connectedClient.ts";
import { LostSession } from "./watchedTransport.ts";

/** A server that sent something this recently still knows the session, in milliseconds. */
const quietMs = 1000;
/** How long a ping may take; a server that is busy for longer gets the call all the same, in milliseconds. */
const answerMs = 5000;

/**
 * Notices a lost session before a call is sent, if that has no cost: a server that was quiet for a while is pinged
 * first, and a forgotten session is reopened (specification, "Session Management"; TRN-57).
 */
export class SessionCheck {
	private readonly clients: ClientRenewal;
	private checking: Promise<void> | undefined;
	private isDoubtful = false;
	/** A server that refuses pings on a session that it just opened says nothing by that. */
	private refusesPings = false;

	constructor(clients: ClientRenewal) {
		this.clients = clients;
	}

	/** Notes a sign that the session may be gone. */
	doubt(): void {
		this.isDoubtful = true;
	}

	/**
	 * Resolves when the session is known, as far as that can be checked. Rejects with the signal's reason, or as a
	 * renewal does.
	 */
	async ensure(signal: AbortSignal): Promise<void> {
		const { transport } = this.clients.current;
		if (transport.sessionId === undefined || this.refusesPings || this.clients.renewing !== undefined) return;
		const isQuiet = performance.now() - transport.lastHeard > quietMs;
		if (this.checking === undefined && (isQuiet || this.isDoubtful)) {
			this.isDoubtful = false;
			this.checking = this.check().finally(() => {
				this.checking = undefined;
			});
		}
		if (this.checking !== undefined) await orAborted(this.checking, signal);
	}

	private async check(): Promise<void> {
		const lost = this.clients.current;
		if (await this.isKnown(lost)) return;
		await this.clients.renew(lost);
		this.refusesPings = !(await this.isKnown(this.clients.current));
	}

	/** Never rejects: the call itself reports any other failure. */
	private async isKnown(client: ConnectedClient): Promise<boolean> {
		client.enter();
		try {
			await client.sdk.ping({ timeout: answerMs });
			return true;
		} catch (error) {
			return !(error instanceof LostSession);
		} finally {
			client.leave(false);
		}
	}
}
