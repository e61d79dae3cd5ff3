import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { isJsonObject, parseJson } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import type { CredentialStore } from "../authorization.ts";

/** Stored tokens: bound to their issuer, with the few claims that outlive the ID token. */
export interface KeptTokens extends Omit<StoredOAuthTokens, "id_token"> {
	readonly issuer: string;
	/** The address of the server that they are for. */
	readonly server: string;
	/** The user's name or address by the ID token. Untrusted text. */
	readonly account?: string;
	/** The issuer of the identity provider that vouched for the user. */
	readonly provider?: string;
	/** The sign-in there; the tokens end with it. */
	readonly providerSession?: string;
	/** Where the issuer takes tokens back (RFC 7009). */
	readonly revocationEndpoint?: string;
	/** How clients may identify themselves there; empty for the default. */
	readonly revocationMethods?: readonly string[];
}

/** A registered client, bound to its issuer. */
export type KeptClient = StoredOAuthClientInformation & { readonly redirect_uris?: readonly string[] };

/** A key for sender-constrained tokens (RFC 9449), as JSON Web Keys. */
export interface KeptDpopKey {
	readonly alg: string;
	readonly privateJwk: Readonly<Record<string, unknown>>;
	readonly publicJwk: Readonly<Record<string, unknown>>;
	readonly thumbprint: string;
}

function isTokens(value: unknown): value is KeptTokens {
	return typeof jsonObjectOf(value)["access_token"] === "string";
}

function isClient(value: unknown): value is KeptClient {
	return typeof jsonObjectOf(value)["client_id"] === "string";
}

function isDpopKey(value: unknown): value is KeptDpopKey {
	const { privateJwk, publicJwk } = jsonObjectOf(value);
	return isJsonObject(privateJwk) && isJsonObject(publicJwk);
}

/** All issuers that something is kept of; the last one is in use. */
const issuersKey = "issuers";
/** The issuer that configured credentials were first used with. */
const boundKey = "bound-issuer";
const keysOf = (issuer: string) =>
	({ tokens: `tokens ${issuer}`, client: `client ${issuer}`, dpop: `dpop ${issuer}` }) as const;

/**
 * The authorization data that is stored for one server, by issuer (specification, "Authorization Server Binding";
 * AUT-10, AUT-14). A damaged value counts as absent.
 */
export class StoredCredentials {
	private readonly store: CredentialStore;

	constructor(store: CredentialStore) {
		this.store = store;
	}

	/** The tokens of the issuer in use. */
	async currentTokens(): Promise<KeptTokens | undefined> {
		const issuer = (await this.issuers()).at(-1);
		return issuer === undefined ? undefined : this.tokens(issuer);
	}

	async tokens(issuer: string): Promise<KeptTokens | undefined> {
		const value = await this.read(keysOf(issuer).tokens);
		return isTokens(value) && value.issuer === issuer ? value : undefined;
	}

	/** See `CredentialStore`. */
	signOuts(): Promise<string> {
		return this.store.signOuts();
	}

	/**
	 * Keeps new tokens and makes their issuer the one in use. Those of other issuers are of no use any more. False where
	 * anybody signed out after `since`, so that they are not kept.
	 */
	async saveTokens(tokens: KeptTokens, since?: string): Promise<boolean> {
		const isKept =
			(await this.use(tokens.issuer, since)) && (await this.write(keysOf(tokens.issuer).tokens, tokens, since));
		if (!isKept) return false;
		for (const issuer of await this.issuers()) {
			if (issuer !== tokens.issuer) await this.store.delete(keysOf(issuer).tokens);
		}
		return true;
	}

	async deleteTokens(issuer: string): Promise<void> {
		await this.store.delete(keysOf(issuer).tokens);
	}

	async client(issuer: string): Promise<KeptClient | undefined> {
		const value = await this.read(keysOf(issuer).client);
		return isClient(value) && value.issuer === issuer ? value : undefined;
	}

	async saveClient(issuer: string, client: KeptClient, since?: string): Promise<void> {
		await this.use(issuer, since);
		await this.write(keysOf(issuer).client, { ...client, issuer }, since);
	}

	async deleteClient(issuer: string): Promise<void> {
		await this.store.delete(keysOf(issuer).client);
	}

	async dpopKey(issuer: string): Promise<KeptDpopKey | undefined> {
		const value = await this.read(keysOf(issuer).dpop);
		return isDpopKey(value) ? value : undefined;
	}

	async saveDpopKey(issuer: string, key: KeptDpopKey): Promise<void> {
		await this.use(issuer);
		await this.write(keysOf(issuer).dpop, key);
	}

	/** The issuer that configured credentials belong to, as it was when they were first used. */
	async boundIssuer(): Promise<string | undefined> {
		const value = await this.read(boundKey);
		return typeof value === "string" ? value : undefined;
	}

	async bindIssuer(issuer: string): Promise<void> {
		await this.write(boundKey, issuer);
	}

	/** Deletes everything that is kept of the server. */
	async clear(): Promise<void> {
		const keys = (await this.issuers()).flatMap((issuer) => Object.values(keysOf(issuer)));
		// The list last: a clearing that was cut short can be done again.
		for (const key of [...keys, boundKey, issuersKey]) await this.store.delete(key);
	}

	private async issuers(): Promise<readonly string[]> {
		const value = await this.read(issuersKey);
		return Array.isArray(value) ? value.filter((issuer) => typeof issuer === "string") : [];
	}

	private async use(issuer: string, since?: string): Promise<boolean> {
		const issuers = await this.issuers();
		if (issuers.at(-1) === issuer) return true;
		return this.write(issuersKey, [...issuers.filter((other) => other !== issuer), issuer], since);
	}

	private async read(key: string): Promise<unknown> {
		return parseJson((await this.store.get(key)) ?? "null");
	}

	private write(key: string, value: unknown, since?: string): Promise<boolean> {
		return this.store.set(key, JSON.stringify(value), since);
	}
}
