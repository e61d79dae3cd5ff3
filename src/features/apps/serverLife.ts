import type { Disposable } from "../../base/lifecycle.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { AppRefusal, rpcCodes } from "./bridgeMessages.ts";

/** The current run of an app's server: requests and additions of the app end with it. */
export class ServerLife implements Disposable {
	private readonly session: Session;
	private run = new AbortController();
	private readonly following: Disposable;

	/** `ended`: a run of the server is over, for any reason. */
	constructor(session: Session, ended: () => void) {
		this.session = session;
		this.following = session.onDidChangeState(({ kind }) => {
			if (kind === "running" || this.run.signal.aborted) return;
			this.run.abort();
			ended();
		});
	}

	/**
	 * Aborted when the current run ends.
	 * @throws AppRefusal when there is none.
	 */
	get signal(): AbortSignal {
		if (this.session.state.kind !== "running")
			throw new AppRefusal(rpcCodes.refused, "The server of this app is not running.");
		if (this.run.signal.aborted) this.run = new AbortController();
		return this.run.signal;
	}

	dispose(): void {
		this.following.dispose();
	}
}
