import { type Lazy, lazy } from "../../base/lazy.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { KeyValue, Secrets } from "../../base/storage.ts";
import type { SignInBrowser } from "../../protocol/authorization.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import { Accounts } from "./accounts.ts";
import type { KeptSignIns, Revoke } from "./keptSignIns.ts";

/** The sign-ins of all servers: their secrets, whom they are for, and the user's browser. */
export class SignIns implements Disposable {
	readonly accounts = new Accounts();
	/** The stored part; loaded when it is first needed. */
	readonly kept: Lazy<KeptSignIns>;
	/** The browser of the user; see `authorizationOf`. */
	readonly browser: SignInBrowser | undefined;

	/**
	 * Without a browser, a caller that would have to ask a user fails with `needs-sign-in`. `state` keeps which accounts the
	 * window uses.
	 */
	constructor(secrets: Secrets, browser: SignInBrowser | undefined, state: KeyValue | undefined, revoke: Revoke) {
		this.browser = browser;
		this.kept = lazy(
			async () => new (await import("./keptSignIns.ts")).KeptSignIns(secrets, this.accounts, revoke, state),
		);
	}

	/** Reports who is signed in at a server; see `KeptSignIns`. */
	async restore(definition: ServerDefinition): Promise<void> {
		if (definition.config.kind !== "stdio") await (await this.kept.get()).restore(definition);
	}

	/** Signs out at a server; see `KeptSignIns`. */
	async signOut(definition: ServerDefinition): Promise<void> {
		await (await this.kept.get()).signOut(definition);
	}

	/** Deletes the data that is stored for a server; see `KeptSignIns`. */
	async forget(id: ServerId): Promise<void> {
		await (await this.kept.get()).forget(id);
	}

	dispose(): void {
		this.accounts.dispose();
	}
}
