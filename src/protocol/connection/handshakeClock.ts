import type { Authorization } from "../authorization.ts";
import { HostError } from "../../base/errors.ts";
import type { ConnectRequest } from "../connection.ts";
import { RequestTimer } from "../../base/requestTimer.ts";

/** The time that a handshake may take. While a person signs in, it stands still. */
export class HandshakeClock implements Disposable {
	private readonly timer: RequestTimer;
	private readonly controller = new AbortController();

	constructor(timeoutMs: number) {
		this.timer = new RequestTimer("The handshake", timeoutMs, timeoutMs, () => {
			const seconds = Math.round(timeoutMs / 1000);
			const message = `The server did not answer the handshake within ${seconds} s. Its log may say why.`;
			this.controller.abort(new HostError("timeout", message));
		});
	}

	/** Aborted with a HostError `timeout` when the time is up. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** The same request, whose questions to a person stop the clock. */
	pacing(request: ConnectRequest): ConnectRequest {
		const { authorization } = request;
		if (authorization === undefined) return request;
		const { server, config, credentials, browser } = authorization;
		const whileAsking: Authorization["whileAsking"] = async (ask, signal) => {
			this.timer.pause();
			try {
				return await authorization.whileAsking(ask, signal);
			} finally {
				this.timer.resume();
			}
		};
		const paced: Authorization = {
			server,
			config,
			credentials,
			browser,
			isInteractive: () => authorization.isInteractive(),
			onDidChangeSignedIn: (signedIn) => authorization.onDidChangeSignedIn(signedIn),
			whileAsking,
		};
		return { ...request, authorization: paced };
	}

	[Symbol.dispose](): void {
		this.timer.dispose();
	}
}
