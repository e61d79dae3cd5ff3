import type { FetchLike, OAuthClientInformationMixed } from "@modelcontextprotocol/client";
import type { NetworkSettings } from "../limits.ts";
import { openNetwork } from "../http/network.ts";
import { plainFetch } from "../http/outsideRequests.ts";
import type { CredentialStore, IdentityProvider } from "../authorization.ts";
import { identifyClient } from "./clientAuthentication.ts";
import { EndpointGuard } from "./endpointGuard.ts";
import type { Identity } from "./identity.ts";
import { type KeptTokens, StoredCredentials } from "./storedCredentials.ts";

/** How long all of the revocation may take, in milliseconds. */
const revocationTimeoutMs = 5000;

/** The dependencies of signing out. The server's connection must have ended: it holds tokens of its own. */
export interface SignOutOptions {
	readonly credentials: CredentialStore;
	readonly serverUrl: URL;
	/** To authorization servers: the user's proxy and certificates, nothing that is meant for the server. */
	readonly fetch: FetchLike;
	readonly signal: AbortSignal;
}

/**
 * Revokes the tokens of a server if their issuer supports that (RFC 7009), and deletes every secret of the server
 * (AUT-17). A network failure does not prevent the deletion.
 */
export async function signOut({ credentials, serverUrl, fetch, signal }: SignOutOptions): Promise<void> {
	const kept = new StoredCredentials(credentials);
	const tokens = await kept.currentTokens();
	const client = tokens === undefined ? undefined : await kept.client(tokens.issuer);
	// First, so that nothing stays when the network takes its time.
	await kept.clear();
	if (tokens?.revocationEndpoint === undefined || client === undefined) return;
	const limit = AbortSignal.any([signal, AbortSignal.timeout(revocationTimeoutMs)]);
	const guarded = new EndpointGuard(serverUrl).guarding(fetch, limit);
	const revoke = (token: string, kind: string): Promise<void> =>
		revokeToken(guarded, tokens, client, token, kind).catch(() => undefined);
	// The refresh token ends the grant; not every server ends the access token with it.
	if (tokens.refresh_token !== undefined) await revoke(tokens.refresh_token, "refresh_token");
	await revoke(tokens.access_token, "access_token");
}

/**
 * Revokes the sign-in at an identity provider if that supports it. Its failures are ignored: nothing of the sign-in is kept
 * any more.
 */
export async function revokeIdentity(
	{ config }: IdentityProvider,
	identity: Identity,
	settings: NetworkSettings,
): Promise<void> {
	const { issuer, clientId, clientSecret } = config;
	const { refresh_token: token, revocationEndpoint } = identity;
	if (token === undefined || revocationEndpoint === undefined) return;
	const network = openNetwork(settings);
	try {
		const limit = AbortSignal.timeout(revocationTimeoutMs);
		const guarded = new EndpointGuard(new URL(issuer)).guarding(plainFetch(network), limit);
		const client = { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
		await revokeToken(guarded, identity, client, token, "refresh_token").catch(() => undefined);
	} finally {
		await network.close();
	}
}

async function revokeToken(
	fetch: FetchLike,
	{ revocationEndpoint = "", revocationMethods = [] }: Pick<KeptTokens, "revocationEndpoint" | "revocationMethods">,
	client: OAuthClientInformationMixed,
	token: string,
	kind: string,
): Promise<void> {
	const body = new URLSearchParams({ token, token_type_hint: kind });
	const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", accept: "application/json" });
	identifyClient(client, revocationMethods, headers, body);
	const response = await fetch(revocationEndpoint, {
		method: "POST",
		headers,
		body: body.toString(),
		redirect: "error",
	});
	await response.body?.cancel();
}

/**
 * Signs out at a server that has no connection any more: by the way to the network that connections take, which is closed
 * again. See `signOut`.
 */
export async function revoke(credentials: CredentialStore, serverUrl: URL, settings: NetworkSettings): Promise<void> {
	const network = openNetwork(settings);
	try {
		await signOut({ credentials, serverUrl, fetch: plainFetch(network), signal: new AbortController().signal });
	} finally {
		await network.close();
	}
}
