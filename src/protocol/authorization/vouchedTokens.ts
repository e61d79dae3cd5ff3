import {
	OAuthError,
	registerClient,
	type DpopSession,
	type FetchLike,
	type OAuthClientInformationMixed,
	type OAuthTokens,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import type { OAuthConfig } from "../authorization.ts";
import { describeAuthorizationFailure, hostOf, refusal } from "./authorizationFailure.ts";
import { identifyClient } from "./clientAuthentication.ts";
import type { Discovery } from "./discovery.ts";
import type { Identity } from "./identity.ts";
import { IdentitySession, type IdentitySessionOptions } from "./identitySession.ts";
import { requestForAssertion } from "./machineGrants.ts";
import { isSameAddress } from "./sameAddress.ts";
import { configuredClient } from "./signInProvider.ts";
import type { KeptClient, KeptTokens, StoredCredentials } from "./storedCredentials.ts";

/** The inputs of tokens that an identity provider vouches for. */
export interface Vouching extends IdentitySessionOptions {
	readonly config: OAuthConfig;
	readonly discovery: Discovery;
	readonly credentials: StoredCredentials;
	readonly scope: string | undefined;
	readonly dpop: DpopSession | undefined;
	/** To the authorization server, guarded. */
	readonly fetch: FetchLike;
	readonly signal: AbortSignal;
}

/** Tokens of a server's authorization server, and the sign-in that they end with. */
export interface VouchedTokens {
	readonly tokens: OAuthTokens;
	readonly by: Required<Pick<KeptTokens, "provider" | "providerSession">>;
}

const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const idJag = "urn:ietf:params:oauth:token-type:id-jag";

/**
 * Gets tokens for a server by the user's sign-in at their organization's identity provider: an assertion by token
 * exchange (RFC 8693), then tokens for it by the JWT bearer grant (RFC 7523; extension "Enterprise-Managed
 * Authorization"). The user is asked only to sign in at the provider.
 * @throws HostError that says who refused, and why.
 */
export async function vouchedTokens(vouching: Vouching): Promise<VouchedTokens> {
	const { provider, discovery, credentials } = vouching;
	const { issuer } = discovery;
	if (discovery.resource === undefined)
		throw new HostError(
			"protocol",
			"The server does not name itself in its metadata (RFC 9728), which an identity provider needs. Ask its operator to add that.",
		);
	const client = await clientAt(vouching);
	const session = new IdentitySession(vouching);
	const { identity, assertion } = await vouch(session, vouching);
	const { client_id: clientId, client_secret: clientSecret } = client;
	try {
		const registered = { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) };
		const tokens = await requestForAssertion(assertion, registered, vouching);
		const { refresh_token: _unused, ...rest } = tokens;
		return {
			// The user whom the provider named, for display.
			tokens: { ...rest, id_token: identity.id_token },
			by: { provider: provider.config.issuer, providerSession: identity.session },
		};
	} catch (error) {
		if (!(error instanceof OAuthError)) throw describeAuthorizationFailure(error, issuer);
		// A client that was forgotten there is registered again the next time.
		if (error.code === "invalid_client" || error.code === "unauthorized_client") await credentials.deleteClient(issuer);
		const what = `did not accept the assertion of ${hostOf(provider.config.issuer)}`;
		throw refusal(issuer, error.code, wordsOf(error), what, meaningsOfGrant);
	}
}

/**
 * An assertion, and the identity that it was issued for. The provider may have ended the sign-in before the ID token's own
 * end: then it is asked once more with a refreshed one, and once with that of a new sign-in.
 */
async function vouch(
	session: IdentitySession,
	vouching: Vouching,
): Promise<{ readonly identity: Identity; readonly assertion: string }> {
	const refused: string[] = [];
	for (;;) {
		const identity = await session.identity(vouching.signal, refused);
		try {
			return { identity, assertion: await exchange(session, identity, vouching) };
		} catch (error) {
			const isOver = error instanceof OAuthError && error.code === "invalid_grant" && !session.hasSignedIn;
			if (!isOver) throw exchangeRefusal(error, vouching);
			refused.push(identity.id_token);
		}
	}
}

/** Token exchange of the ID token for an assertion (ID-JAG) for one server. @throws OAuthError, HostError */
async function exchange(session: IdentitySession, identity: Identity, vouching: Vouching): Promise<string> {
	const { discovery, scope, signal } = vouching;
	const { metadata } = await session.discover(signal);
	const body = new URLSearchParams({
		grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
		requested_token_type: idJag,
		audience: discovery.issuer,
		resource: discovery.resource ?? "",
		...(scope === undefined ? {} : { scope }),
		subject_token: identity.id_token,
		subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
	});
	const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", accept: "application/json" });
	identifyClient(session.client, metadata.token_endpoint_auth_methods_supported ?? [], headers, body);
	const response = await session.fetch(signal)(metadata.token_endpoint, {
		method: "POST",
		headers,
		body: body.toString(),
		redirect: "error",
	});
	const answer: unknown = await response.json();
	const read = isJsonObject(answer) ? answer : {};
	const { error, access_token: assertion, issued_token_type: type } = read;
	const words = read["error_description"];
	if (typeof error === "string") throw new OAuthError(error, typeof words === "string" ? words : error);
	if (typeof assertion === "string" && type === idJag) return assertion;
	throw new HostError(
		"protocol",
		`${hostOf(identity.issuer)} sent another token than the assertion that was requested (id-jag). Ask your administrator.`,
	);
}

/** The meaning of codes for a token exchange, where they differ from a sign-in. */
const meaningsOfExchange: Readonly<Record<string, string>> = {
	access_denied: "your organization does not let you use this server",
	invalid_grant: "your sign-in there has ended",
	invalid_scope: "your organization does not allow the requested scopes",
	invalid_target: "it does not know this server",
	unauthorized_client: "MCP Host may not request assertions there",
	unsupported_grant_type: "it does not support token exchange (RFC 8693)",
	unsupported_token_type: "it does not issue such assertions (id-jag)",
};

/** The same for the JWT bearer grant. */
const meaningsOfGrant: Readonly<Record<string, string>> = {
	access_denied: "you may not use this server",
	invalid_grant: "it does not trust it, or not for this user, client or server",
	unsupported_grant_type: "it does not support assertions (RFC 7523)",
};

function exchangeRefusal(error: unknown, { provider, discovery }: Vouching): HostError {
	const { issuer } = provider.config;
	if (!(error instanceof OAuthError)) return describeAuthorizationFailure(error, issuer);
	const what = `did not issue an assertion for ${hostOf(discovery.issuer)}`;
	return refusal(issuer, error.code, wordsOf(error), what, meaningsOfExchange);
}

function wordsOf({ code, message }: OAuthError): string | undefined {
	return message === code ? undefined : message;
}

/** The client of this host at the authorization server of a server: configured, known, or registered now. */
async function clientAt(vouching: Vouching): Promise<OAuthClientInformationMixed> {
	const { config, provider, discovery, credentials, fetch } = vouching;
	const { issuer, metadata, authorizationServerUrl } = discovery;
	const own = configuredClient(config, issuer);
	if (own !== undefined) return own;
	for (const [at, known] of provider.config.clients)
		if (isSameAddress(at, issuer)) return configuredClient(known, issuer) ?? { client_id: known.clientId };
	const { clientMetadataUrl } = config;
	if (clientMetadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true)
		return { client_id: clientMetadataUrl };
	const kept = await credentials.client(issuer);
	if (kept !== undefined && isUsable(kept)) return kept;
	if (metadata?.registration_endpoint === undefined)
		throw new HostError(
			"invalid",
			`${hostOf(issuer)} accepts only registered clients. Add its client to "clients" in ${provider.source}, or set "clientId" in the server's "oauth".`,
		);
	try {
		const registered = await registerClient(authorizationServerUrl, {
			metadata,
			clientMetadata: { client_name: "MCP Host", redirect_uris: [], grant_types: [grantType], response_types: [] },
			fetchFn: fetch,
		});
		const client: KeptClient = { ...registered, issuer, redirect_uris: [] };
		// Where the key store does not work, the client lasts as long as this request.
		await credentials.saveClient(issuer, client).catch(() => undefined);
		return client;
	} catch (error) {
		throw describeAuthorizationFailure(error, issuer);
	}
}

/** A client of this grant has no way back; one of a sign-in in the browser may not use assertions. */
function isUsable(client: KeptClient): boolean {
	const endsAt = "client_secret_expires_at" in client ? Number(client.client_secret_expires_at) : 0;
	return client.redirect_uris?.length === 0 && (endsAt === 0 || endsAt * 1000 > Date.now());
}
