import { OAuthError, refreshAuthorization, type FetchLike, type OAuthTokens } from "@modelcontextprotocol/client";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { isProtected } from "../../base/addresses.ts";
import { HostError } from "../../base/errors.ts";
import type { Authorization, CredentialStore, IdentityProvider, OAuthConfig } from "../authorization.ts";
import { readingAnswers } from "./answers.ts";
import { describeAuthorizationFailure, hostOf } from "./authorizationFailure.ts";
import { clientAuthentication } from "./clientAuthentication.ts";
import { type Discovery, findKeys, findServer, revocationOf } from "./discovery.ts";
import type { LenientNote } from "./documents.ts";
import { EndpointGuard } from "./endpointGuard.ts";
import { checkIdToken } from "./idToken.ts";
import { dropIdentity, type Identity, keepIdentity, keptIdentity } from "./identity.ts";
import { isSameAddress, shownAddress } from "./sameAddress.ts";
import { signIn } from "./signIn.ts";
import { configuredClient } from "./signInProvider.ts";
import { StoredCredentials } from "./storedCredentials.ts";
import { otherWindowMs, SharedTask } from "./tokenKeeper.ts";

/** The scopes of a sign-in: who the user is, and a refresh token, so that they need not sign in each hour. */
const scopes = ["openid", "profile", "email", "offline_access"];
/** How long an ID token must still live to be used, in milliseconds. */
const leastLifeMs = 30_000;

/** The renewals that all servers of a window share, by the store of the identity. */
const sharedByStore = new WeakMap<CredentialStore, { readonly refresh: SharedTask; readonly signIn: SharedTask }>();

/** The identity provider of a window, and how its user is asked. */
export interface IdentitySessionOptions {
	readonly provider: IdentityProvider;
	/** Of the server that needs the sign-in first. */
	readonly authorization: Authorization;
	readonly plainFetch: FetchLike;
	readonly note: LenientNote;
}

/**
 * The sign-in of a user at the identity provider of their organization (OpenID Connect Core 1.0, section 3.1): one for all
 * servers. It is refreshed without the user for as long as the provider allows.
 */
export class IdentitySession {
	private readonly options: IdentitySessionOptions;
	private readonly issuer: string;
	private readonly shared: { readonly refresh: SharedTask; readonly signIn: SharedTask };
	private readonly guard: EndpointGuard;
	/** Whether the user signed in for this session, so that another sign-in would change nothing. */
	hasSignedIn = false;

	constructor(options: IdentitySessionOptions) {
		const { config, credentials } = options.provider;
		this.options = options;
		this.issuer = config.issuer;
		const shared = sharedByStore.get(credentials) ?? { refresh: new SharedTask(), signIn: new SharedTask() };
		sharedByStore.set(credentials, shared);
		this.shared = shared;
		this.guard = new EndpointGuard(new URL(config.issuer), undefined, "The identity provider leads to");
	}

	/** How requests are sent there: only to where the provider itself may be, and given up in time. */
	fetch(signal?: AbortSignal): FetchLike {
		return readingAnswers(this.guard.guarding(this.options.plainFetch, signal), this.options.note);
	}

	/** The client of this host there. */
	get client(): { readonly client_id: string; readonly client_secret?: string; readonly issuer: string } {
		const { clientId, clientSecret } = this.options.provider.config;
		return {
			client_id: clientId,
			issuer: this.issuer,
			...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
		};
	}

	/**
	 * The identity of the user: as it is kept, refreshed, or after a sign-in. `refused` are ID tokens that the provider did
	 * not accept any more; after two of them only a sign-in helps.
	 * @throws HostError `needs-sign-in` when nobody may be asked or the user declines; others that describe the problem.
	 */
	async identity(signal: AbortSignal, refused: readonly string[]): Promise<Identity> {
		const { provider, authorization } = this.options;
		const usable = async (): Promise<Identity | undefined> => {
			const kept = await keptIdentity(provider);
			return kept !== undefined && isFresh(kept) && !refused.includes(kept.id_token) ? kept : undefined;
		};
		const now = await usable();
		if (now !== undefined) return now;
		if (refused.length < 2 && (await keptIdentity(provider))?.refresh_token !== undefined) {
			await this.shared.refresh.join(async (ending) => {
				if ((await usable()) === undefined) await this.refresh(ending);
			}, signal);
			const refreshed = await usable();
			if (refreshed !== undefined) return refreshed;
		}
		if (!authorization.isInteractive())
			throw new HostError(
				"needs-sign-in",
				`The server is reached through your identity provider ${hostOf(this.issuer)}. Start it yourself to sign in there.`,
			);
		await this.shared.signIn.join(async (ending) => {
			// Another server's question may have been answered meanwhile.
			if ((await usable()) === undefined) await this.signIn(ending);
		}, signal);
		this.hasSignedIn = true;
		const signedIn = await usable();
		if (signedIn !== undefined) return signedIn;
		throw new HostError("needs-sign-in", `You are not signed in at ${hostOf(this.issuer)}. Start the server again.`);
	}

	/** The metadata of the provider, in the form of a discovery. @throws HostError */
	async discover(signal?: AbortSignal): Promise<Discovery & { readonly metadata: NonNullable<Discovery["metadata"]> }> {
		const { options, issuer, guard } = this;
		if (!isProtected(new URL(issuer)))
			throw new HostError("denied", `The identity provider ${shownAddress(issuer)} is not encrypted (https).`);
		const fetch = guard.guarding(options.plainFetch, signal);
		const metadata = await findServer(issuer, fetch, true, options.note);
		if (metadata === undefined)
			throw new HostError(
				"protocol",
				`${shownAddress(issuer)} has no metadata of OpenID Connect. Check "issuer" in ${options.provider.source}.`,
			);
		if (!isSameAddress(metadata.issuer, issuer))
			throw new HostError(
				"denied",
				`The metadata of ${shownAddress(issuer)} is meant for another issuer, ${shownAddress(metadata.issuer)}, so the sign-in was not started. Check "issuer" in ${options.provider.source}.`,
			);
		return {
			issuer: metadata.issuer,
			authorizationServerUrl: issuer,
			metadata,
			resourceMetadata: undefined,
			resourceMetadataUrl: undefined,
			resource: undefined,
			usesDpop: false,
		};
	}

	private async signIn(signal: AbortSignal): Promise<void> {
		const { provider, authorization, plainFetch } = this.options;
		const { clientId, clientSecret, redirectPort } = provider.config;
		const since = await provider.credentials.signOuts();
		const discovery = await this.discover(signal);
		const nonce = randomBytes(32).toString("base64url");
		const config: OAuthConfig = {
			clientId,
			...(clientSecret === undefined ? {} : { clientSecret }),
			...(redirectPort === undefined ? {} : { redirectPort }),
		};
		const tokens = await signIn({
			authorization: { ...authorization, config },
			serverUrl: new URL(this.issuer),
			discovery,
			credentials: new StoredCredentials(provider.credentials),
			confirmed: async () => undefined,
			scope: scopes.filter((scope) => scope !== "offline_access" || offers(discovery, scope)).join(" "),
			reason: "identity-provider",
			nonce,
			dpop: undefined,
			guard: this.guard,
			fetch: readingAnswers(this.guard.guarding(plainFetch, signal), this.options.note),
			tokenFetch: this.fetch(),
			signal,
		});
		await this.keep(tokens, discovery, since, { nonce }, randomUUID());
	}

	/** Gets a new ID token without the user; where that is not possible, the sign-in is kept or dropped as it deserves. */
	private async refresh(signal: AbortSignal): Promise<void> {
		const { provider, note } = this.options;
		const since = await provider.credentials.signOuts();
		const former = await keptIdentity(provider);
		if (former?.refresh_token === undefined) return;
		const discovery = await this.discover(signal);
		const client = configuredClient(this.options.provider.config, discovery.issuer);
		if (client === undefined) return;
		let tokens: OAuthTokens;
		try {
			tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
				metadata: discovery.metadata,
				clientInformation: client,
				addClientAuthentication: clientAuthentication(client),
				refreshToken: former.refresh_token,
				fetchFn: this.fetch(),
			});
		} catch (error) {
			const failure = describeAuthorizationFailure(error, this.issuer);
			if (failure.code === "unreachable") throw failure;
			note(`The sign-in at the identity provider could not be renewed. ${failure.message}`);
			if (error instanceof OAuthError && error.code === "invalid_grant") await this.dropUnlessReplaced(former);
			return;
		}
		// Not every provider sends a new ID token; then the user signs in again.
		if (tokens.id_token === undefined) return;
		await this.keep(tokens, discovery, since, { subject: former.subject }, former.session);
	}

	/** Another window may have used the refresh token first, and keep what it got in the next moment. */
	private async dropUnlessReplaced(former: Identity): Promise<void> {
		const { provider } = this.options;
		const isReplaced = async (): Promise<boolean> => (await keptIdentity(provider))?.id_token !== former.id_token;
		if (await isReplaced()) return;
		await setTimeout(otherWindowMs);
		if (!(await isReplaced())) await dropIdentity(provider);
	}

	/** Checks the ID token and keeps the identity. @throws HostError `denied` for a wrong token, `needs-sign-in` after a sign-out */
	private async keep(
		tokens: OAuthTokens,
		discovery: Discovery & { readonly metadata: NonNullable<Discovery["metadata"]> },
		since: string,
		expected: { readonly nonce: string } | { readonly subject: string },
		session: string,
	): Promise<void> {
		const { provider, plainFetch } = this.options;
		const { clientId } = provider.config;
		const address = discovery.metadata["jwks_uri"];
		if (typeof address !== "string")
			throw new HostError(
				"protocol",
				`The metadata of ${hostOf(this.issuer)} does not name its signing keys (jwks_uri), as OpenID Connect requires.`,
			);
		const keys = await findKeys(this.issuer, address, this.guard.guarding(plainFetch));
		const checked = await checkIdToken(tokens.id_token, { issuer: discovery.issuer, clientId, keys, ...expected });
		const identity: Identity = {
			...revocationOf(discovery),
			issuer: this.issuer,
			clientId,
			session,
			...checked,
			id_token: tokens.id_token ?? "",
			...(tokens.refresh_token === undefined ? {} : { refresh_token: tokens.refresh_token }),
		};
		if (await keepIdentity(provider, identity, since)) return;
		throw new HostError(
			"needs-sign-in",
			`You have signed out of ${hostOf(this.issuer)}. Sign in again to use the server.`,
		);
	}
}

function isFresh({ expiresAt }: Identity): boolean {
	return expiresAt * 1000 - Date.now() > leastLifeMs;
}

/** Whether a provider grants a scope as far as it says; some refuse requests with others. */
function offers({ metadata }: Discovery, scope: string): boolean {
	return metadata?.scopes_supported?.includes(scope) ?? true;
}
