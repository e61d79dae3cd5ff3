import { isJsonObject } from "../../base/json.ts";
import type { KeyValue, Secrets } from "../../base/storage.ts";
import type { SignedIn } from "../../protocol/authorization.ts";
import { signedIn } from "../../protocol/authorization/signedIn.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import { serverOfSecret } from "./credentialEntry.ts";
import { Credentials } from "./credentialStore.ts";

/** The accounts that windows chose, by server; absent for the first account. */
const stateName = "mcpHost.accounts";

/** Between the id of a server and that of a further account, in the keys of secrets. */
const separator = "#account:";

/** One of several accounts at a server. */
export interface KnownAccount {
	/** The id of the account; undefined for the first one. */
	readonly id: string | undefined;
	readonly signedIn: SignedIn;
	/** Whether this window uses it. */
	readonly isChosen: boolean;
}

/**
 * Which account of a server this window uses. Each account is a sign-in of its own, with its own secret, so that a refresh
 * or a sign-out of one never touches another.
 */
export class AccountChoice {
	private readonly secrets: Secrets;
	private readonly state: KeyValue | undefined;

	/** Without a state, only the first account is used. */
	constructor(secrets: Secrets, state: KeyValue | undefined) {
		this.secrets = secrets;
		this.state = state;
	}

	/** The definition under whose id the chosen account of a server is kept. */
	at(definition: ServerDefinition): ServerDefinition {
		const chosen = this.chosen(definition.id);
		return chosen === undefined ? definition : { ...definition, id: `${definition.id}${separator}${chosen}` };
	}

	/** The id of the chosen account; undefined for the first one. */
	chosen(server: ServerId): string | undefined {
		const all = this.state?.get<unknown>(stateName);
		const chosen = isJsonObject(all) && Object.hasOwn(all, server) ? all[server] : undefined;
		return typeof chosen === "string" ? chosen : undefined;
	}

	/** Chooses an account for this window, or the first one. */
	async choose(server: ServerId, account: string | undefined): Promise<void> {
		if (this.state === undefined) return;
		const all = this.state.get<unknown>(stateName);
		const others = Object.entries(isJsonObject(all) ? all : {}).filter(([id]) => id !== server);
		const own = account === undefined ? [] : [[server, account] as const];
		await this.state.update(stateName, Object.fromEntries([...others, ...own]));
	}

	/** The accounts that are signed in at a server, the first one first. */
	async list(definition: ServerDefinition): Promise<readonly KnownAccount[]> {
		const { id } = definition;
		const found: KnownAccount[] = [];
		for (const key of await this.keys(id)) {
			const account = key === id ? undefined : key.slice(id.length + separator.length);
			const kept = await signedIn(new Credentials(this.secrets).of({ ...definition, id: key }));
			if (kept !== undefined) found.push({ id: account, signedIn: kept, isChosen: account === this.chosen(id) });
		}
		return found;
	}

	/** Who is signed in with the chosen account; undefined for nobody. */
	async signedIn(definition: ServerDefinition, credentials: Credentials): Promise<SignedIn | undefined> {
		const kept = await signedIn(credentials.of(this.at(definition)));
		return kept && this.marked(definition.id, kept);
	}

	/** Says of an account whether the user chose it among several. */
	marked(server: ServerId, account: SignedIn): SignedIn {
		return this.chosen(server) === undefined ? account : { ...account, isChosen: true };
	}

	/** The ids under which the accounts of a server are kept. */
	async keys(server: ServerId): Promise<readonly ServerId[]> {
		const kept = (await this.secrets.keys()).flatMap((key) => serverOfSecret(key) ?? []);
		return [server, ...kept.filter((key) => key.startsWith(`${server}${separator}`))];
	}
}
