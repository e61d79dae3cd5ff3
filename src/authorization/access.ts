import {
	computeScopeUnion,
	isStrictScopeSuperset,
	OAuthError,
	refreshAuthorization,
	type DpopSession,
	type FetchLike,
	type OAuthTokens,
} from "@modelcontextprotocol/client";
import { HostError } from "../base/errors.ts";
import { canonicalJson } from "../base/json.ts";
import { literalRange } from "./addresses.ts";
import type { Authorization, CredentialStore } from "./authorization.ts";
import { describeAuthorizationFailure, hostOf, isTransient } from "./authorizationFailure.ts";
import type { Challenge } from "./challenge.ts";
import { clientAuthentication } from "./clientAuthentication.ts";
import { discover, isSameIssuer, requirePkce, revocationOf, type Discovery } from "./discovery.ts";
import { dpopSession } from "./dpopKeys.ts";
import { EndpointGuard, limited } from "./endpointGuard.ts";
import { accountOf } from "./idToken.ts";
import { requestMachineTokens, type MachineGrant } from "./machineGrants.ts";
import { SharedTask } from "./sharedTask.ts";
import { describeTokens } from "./signedIn.ts";
import { signIn } from "./signIn.ts";
import { configuredClient } from "./signInProvider.ts";
import { StoredCredentials, type KeptTokens } from "./storedCredentials.ts";

/** What all connections to one server share while this host runs. */
interface Shared {
	/** The tokens in use; `unread` until the key store was asked. */
	tokens: KeptTokens | undefined | "unread";
	/** The access token that was obtained last, by this process. */
	obtained: string | undefined;
	readonly renewal: SharedTask;
	/** Keys for bound tokens, by issuer; they hold the nonces too. */
	readonly sessions: Map<string, Promise<DpopSession>>;
}

const sharedByStore = new WeakMap<CredentialStore, Shared>();

/** What it takes to get tokens for one server. */
export interface AccessOptions {
	readonly serverUrl: URL;
	/** To authorization servers and metadata: the person's proxy and certificates, nothing that is meant for the server. */
	readonly plainFetch: FetchLike;
	readonly authorization: Authorization;
}

/** The tokens for one server: kept, refreshed, or asked of a person. One renewal at a time, whoever needs it. */
export class Access {
	private readonly serverUrl: URL;
	private readonly plainFetch: FetchLike;
	private readonly authorization: Authorization;
	private readonly credentials: StoredCredentials;
	private readonly guard: EndpointGuard;
	private readonly shared: Shared;

	constructor({ serverUrl, plainFetch, authorization }: AccessOptions) {
		this.serverUrl = serverUrl;
		this.plainFetch = plainFetch;
		this.authorization = authorization;
		this.credentials = new StoredCredentials(authorization.credentials);
		this.guard = new EndpointGuard(serverUrl);
		this.shared = sharedOf(authorization.credentials);
	}

	/** The tokens to send now; undefined when nobody is signed in. */
	async tokens(): Promise<KeptTokens | undefined> {
		const { shared } = this;
		if (shared.tokens !== "unread") return shared.tokens;
		const read = await this.credentials.currentTokens();
		// Something newer may have come in the meantime.
		if (shared.tokens === "unread") shared.tokens = read;
		return shared.tokens;
	}

	/** The key that tokens are bound to; undefined for bearer tokens. */
	async sessionFor(tokens: KeptTokens): Promise<DpopSession | undefined> {
		return tokens.token_type.toLowerCase() === "dpop" ? this.session(tokens.issuer) : undefined;
	}

	/**
	 * Gets better tokens after the server refused a request with the ones that were `used`. Returns at once when there are
	 * other ones by now.
	 * @throws HostError `needs-sign-in` when nobody may be asked, `cancelled` when they decline, or what else went wrong.
	 */
	async renew(
		challenge: Challenge,
		used: KeptTokens | undefined,
		isRepeated: boolean,
		waiter: AbortSignal,
	): Promise<void> {
		const now = await this.tokens();
		if (now !== undefined && now.access_token !== used?.access_token) return;
		await this.shared.renewal.join((signal) => this.obtain(challenge, used, isRepeated, signal), waiter);
	}

	private async obtain(
		challenge: Challenge,
		used: KeptTokens | undefined,
		isRepeated: boolean,
		signal: AbortSignal,
	): Promise<void> {
		const { serverUrl, credentials, shared, authorization } = this;
		if (serverUrl.protocol === "http:" && literalRange(serverUrl) !== "loopback") {
			throw new HostError(
				"denied",
				"The server asks for sign-in, but its address is not encrypted (http), so anybody on the way could take the token. Use its https address.",
			);
		}
		const kept = await credentials.currentTokens();
		shared.tokens = kept;
		// Another window was faster.
		if (kept !== undefined && kept.access_token !== used?.access_token) return;
		const { config } = authorization;
		const { grant = { kind: "authorization_code" } } = config;
		const needsPerson = grant.kind === "authorization_code";
		if (needsPerson && kept?.refresh_token === undefined) this.requirePerson(challenge);

		const fetch = this.guard.guarding(this.plainFetch, signal);
		// Tokens that are on their way are taken even when nobody waits for them: the former ones may be used up by them.
		const tokenFetch = this.guard.guarding(this.plainFetch);
		const discovery = await discover(serverUrl, challenge, config.issuer, fetch);
		await this.bind(discovery.issuer);
		const former = await credentials.tokens(discovery.issuer);
		const isBound = discovery.usesDpop || former?.token_type.toLowerCase() === "dpop";
		const dpop = isBound ? await this.session(discovery.issuer) : undefined;
		const scope = this.scopeFor(challenge, former, discovery);
		const isRefused = isRepeated && used !== undefined && used.access_token === shared.obtained;
		if (grant.kind !== "authorization_code") {
			await this.obtainWithoutPerson(grant, challenge, discovery, scope, dpop, fetch, isRefused, signal);
			return;
		}
		if (config.allowMissingPkce !== true) requirePkce(discovery);
		const needsMore = challenge.kind === "step-up" && isStrictScopeSuperset(scope, former?.scope);
		if (former !== undefined && !needsMore && !isRefused) {
			if (await this.refresh(former, discovery, dpop, tokenFetch)) return;
		}
		this.requirePerson(challenge);
		const reason = challenge.kind === "step-up" && former !== undefined ? "step-up" : "sign-in";
		const { guard } = this;
		const tokens = await signIn({
			authorization,
			serverUrl,
			discovery,
			credentials,
			scope,
			reason,
			dpop,
			guard,
			fetch,
			tokenFetch,
			signal,
		});
		await this.keep(tokens, discovery);
	}

	private async obtainWithoutPerson(
		grant: MachineGrant,
		challenge: Challenge,
		discovery: Discovery,
		scope: string | undefined,
		dpop: DpopSession | undefined,
		fetch: FetchLike,
		isRefused: boolean,
		signal: AbortSignal,
	): Promise<void> {
		if (isRefused && challenge.kind === "sign-in") throw stillRefused(challenge);
		const { config } = this.authorization;
		const trustedFetch = limited(this.plainFetch, signal);
		const tokens = await requestMachineTokens(grant, { config, discovery, scope, dpop, fetch, trustedFetch });
		const asked = scope === undefined ? {} : { scope };
		await this.keep({ ...asked, ...tokens }, discovery);
	}

	/**
	 * Refreshes tokens; false when they are of no use any more and a person has to sign in.
	 * @throws HostError `unreachable` when the authorization server cannot be reached: nobody is signed out for that.
	 */
	private async refresh(
		former: KeptTokens,
		discovery: Discovery,
		dpop: DpopSession | undefined,
		fetch: FetchLike,
	): Promise<boolean> {
		const { refresh_token: refreshToken } = former;
		const { issuer, authorizationServerUrl, metadata, resource } = discovery;
		const client = configuredClient(this.authorization.config, issuer) ?? (await this.credentials.client(issuer));
		if (refreshToken === undefined || client === undefined) return false;
		let tokens: OAuthTokens;
		try {
			tokens = await refreshAuthorization(authorizationServerUrl, {
				...(metadata === undefined ? {} : { metadata }),
				clientInformation: client,
				addClientAuthentication: clientAuthentication(client),
				refreshToken,
				...(resource === undefined ? {} : { resource }),
				...(dpop === undefined ? {} : { dpop }),
				fetchFn: fetch,
			});
		} catch (error) {
			if (isTransient(error)) throw describeAuthorizationFailure(error, issuer);
			return this.isReplaced(error, former);
		}
		await this.keep(tokens, discovery, former);
		return true;
	}

	/** After a refused refresh: whether another window has refreshed meanwhile. If not, what is refused is forgotten. */
	private async isReplaced(error: unknown, former: KeptTokens): Promise<boolean> {
		const { credentials, shared } = this;
		const now = await credentials.tokens(former.issuer);
		if (now !== undefined && now.access_token !== former.access_token) {
			shared.tokens = now;
			return true;
		}
		if (!(error instanceof OAuthError)) return false;
		if (error.code === "invalid_client" || error.code === "unauthorized_client") {
			await credentials.deleteClient(former.issuer);
		} else if (error.code !== "invalid_grant" && error.code !== "invalid_dpop_proof") return false;
		await credentials.deleteTokens(former.issuer);
		shared.tokens = undefined;
		this.authorization.onDidChangeSignedIn(undefined);
		return false;
	}

	/** Takes new tokens into use. What a refresh leaves out is as it was; a sign-in may be somebody else's. */
	private async keep(tokens: OAuthTokens, discovery: Discovery, refreshed?: KeptTokens): Promise<void> {
		const { issuer } = discovery;
		const { id_token: idToken, ...rest } = tokens;
		const account = accountOf(idToken) ?? refreshed?.account;
		const scope = tokens.scope ?? refreshed?.scope;
		const kept: KeptTokens = {
			...rest,
			...revocationOf(discovery),
			issuer,
			...(scope === undefined ? {} : { scope }),
			...(account === undefined ? {} : { account }),
		};
		const { credentials, shared, authorization } = this;
		// First, so that they are of use even where the key store is not.
		shared.tokens = kept;
		shared.obtained = kept.access_token;
		await credentials.saveTokens(kept);
		// With the tokens, so that signing out needs no configuration.
		const client = configuredClient(authorization.config, issuer);
		if (client !== undefined) await credentials.saveClient(issuer, client);
		const description = describeTokens(kept);
		const isSame = refreshed !== undefined && canonicalJson(description) === canonicalJson(describeTokens(refreshed));
		if (!isSame) authorization.onDidChangeSignedIn(description);
	}

	/** Configured credentials go to one authorization server: the configured one, or else the first that they were used with. */
	private async bind(issuer: string): Promise<void> {
		const { config } = this.authorization;
		if (config.clientId === undefined || config.issuer !== undefined) return;
		const bound = await this.credentials.boundIssuer();
		if (bound === undefined) await this.credentials.bindIssuer(issuer);
		else if (!isSameIssuer(bound, issuer)) {
			throw new HostError(
				"denied",
				`The server now wants a sign-in at ${hostOf(issuer)}, but its client was used at ${hostOf(bound)} before, so nothing was sent. If that is right, sign out first, or give the new "issuer" in its "oauth".`,
			);
		}
	}

	private scopeFor(challenge: Challenge, former: KeptTokens | undefined, discovery: Discovery): string | undefined {
		const configured = this.authorization.config.scopes?.join(" ");
		if (challenge.kind === "sign-in") return configured ?? challenge.scope;
		const wanted = challenge.scope ?? discovery.resourceMetadata?.scopes_supported?.join(" ");
		return computeScopeUnion(former?.scope, configured, wanted);
	}

	private requirePerson({ kind }: Challenge): void {
		if (this.authorization.isInteractive()) return;
		throw new HostError(
			"needs-sign-in",
			kind === "step-up"
				? "The server wants more rights than were granted. Start it by hand to sign in again."
				: "The server wants you to sign in. Start it by hand to do so.",
		);
	}

	private session(issuer: string): Promise<DpopSession> {
		const { sessions } = this.shared;
		const existing = sessions.get(issuer);
		if (existing !== undefined) return existing;
		const made = dpopSession(this.credentials, issuer);
		sessions.set(issuer, made);
		return made;
	}
}

/** A server that refuses what it asked for: trying on would go on for ever (security.md TRN-37). */
export function stillRefused({ kind }: Challenge): HostError {
	return new HostError(
		"needs-sign-in",
		kind === "step-up"
			? "The server still refuses access (403), although the rights that it asked for were granted."
			: "The server still asks for sign-in (401), although that was just done.",
	);
}

function sharedOf(store: CredentialStore): Shared {
	const existing = sharedByStore.get(store);
	if (existing !== undefined) return existing;
	const made: Shared = { tokens: "unread", obtained: undefined, renewal: new SharedTask(), sessions: new Map() };
	sharedByStore.set(store, made);
	return made;
}
