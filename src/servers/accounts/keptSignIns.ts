import type { KeyValue, Secrets } from "../../base/storage.ts";
import type { CredentialStore } from "../../protocol/authorization.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import { AccountChoice } from "./accountChoice.ts";
import type { Accounts } from "./accounts.ts";
import { Credentials } from "./credentialStore.ts";

/** Revokes the grants if their issuer supports that, and deletes them; see `signOut.ts`. */
export type Revoke = (definition: ServerDefinition, credentials: CredentialStore) => Promise<void>;

/** A server whose account changes: its connection holds tokens of the former one. */
interface ConnectedServer {
	readonly definition: ServerDefinition;
	requireSignIn(reason: string): Promise<unknown>;
}

/** The stored data of the sign-ins of all servers, and the choice of accounts in this window. */
export class KeptSignIns {
	readonly credentials: Credentials;
	readonly choice: AccountChoice;
	private readonly accounts: Accounts;
	private readonly revoke: Revoke;

	constructor(secrets: Secrets, accounts: Accounts, revoke: Revoke, state: KeyValue | undefined) {
		this.credentials = new Credentials(secrets);
		this.choice = new AccountChoice(secrets, state);
		this.accounts = accounts;
		this.revoke = revoke;
	}

	/**
	 * Reports who is signed in at a server by the data of an earlier window. Reports nothing if the key store cannot be
	 * read.
	 */
	async restore(definition: ServerDefinition): Promise<void> {
		const stored = this.choice.signedIn(definition, this.credentials);
		await this.accounts.restore(
			definition.id,
			stored.catch(() => undefined),
		);
	}

	/** Signs out at a server whose connection has ended: it held tokens of its own. Other accounts stay signed in. */
	async signOut(definition: ServerDefinition): Promise<void> {
		try {
			await this.revoke(definition, this.credentials.of(this.choice.at(definition)));
		} finally {
			await this.forgetAccount(definition);
		}
	}

	/** Uses another account at a server in this window, from its next start; undefined for the first one. */
	async use(server: ConnectedServer, account: string | undefined): Promise<void> {
		const { definition } = server;
		await server.requireSignIn("You chose another account.");
		await this.choice.choose(definition.id, account);
		this.accounts.set(definition.id, undefined);
		await this.restore(definition);
	}

	/** Deletes the data of the account at a server that this window uses. */
	async forgetAccount(definition: ServerDefinition): Promise<void> {
		await this.credentials.forget(this.choice.at(definition).id);
		this.accounts.set(definition.id, undefined);
	}

	/** Deletes the data that is stored for a server, of all accounts, without using the network. */
	async forget(id: ServerId): Promise<void> {
		for (const key of await this.choice.keys(id)) await this.credentials.forget(key);
		await this.choice.choose(id, undefined);
		this.accounts.set(id, undefined);
	}
}
