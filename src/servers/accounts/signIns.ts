import type { Disposable } from "../../base/lifecycle.ts";
import type { Secrets } from "../../base/storage.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import { Accounts } from "./accounts.ts";
import type { CredentialStore, SignInBrowser } from "../../protocol/authorization.ts";
import { Credentials } from "./credentialStore.ts";

/** Revokes the grants if their issuer supports that, and deletes them; see `signOut.ts`. */
type Revoke = (definition: ServerDefinition, credentials: CredentialStore) => Promise<void>;

/** The sign-ins of all servers: their secrets, whom they are for, and the user's browser. */
export class SignIns implements Disposable {
	readonly accounts = new Accounts();
	readonly credentials: Credentials;
	private readonly revoke: Revoke;
	/** The browser of the user; see `authorizationOf`. */
	readonly browser: SignInBrowser | undefined;

	/** Without a browser, a caller that would have to ask a user fails with `needs-sign-in`. */
	constructor(secrets: Secrets, browser: SignInBrowser | undefined, revoke: Revoke) {
		this.credentials = new Credentials(secrets);
		this.browser = browser;
		this.revoke = revoke;
	}

	/**
	 * Reports who is signed in at a server by the data of an earlier window. Reports nothing if the key store cannot be
	 * read.
	 */
	async restore(definition: ServerDefinition): Promise<void> {
		if (definition.config.kind === "stdio") return;
		const stored = import("../../protocol/authorization/signedIn.ts").then(({ signedIn }) =>
			signedIn(this.credentials.of(definition)),
		);
		await this.accounts.restore(
			definition.id,
			stored.catch(() => undefined),
		);
	}

	/** Signs out at a server whose connection has ended: it held tokens of its own. */
	async signOut(definition: ServerDefinition): Promise<void> {
		try {
			await this.revoke(definition, this.credentials.of(definition));
		} finally {
			await this.forget(definition.id);
		}
	}

	/** Deletes the data that is stored for a server, without using the network. */
	async forget(id: ServerId): Promise<void> {
		await this.credentials.forget(id);
		this.accounts.set(id, undefined);
	}

	dispose(): void {
		this.accounts.dispose();
	}
}
