import {
	ClientCredentialsProvider,
	CrossAppAccessProvider,
	fetchToken,
	PrivateKeyJwtProvider,
	requestJwtAuthorizationGrant,
	type DpopSession,
	type FetchLike,
	type OAuthClientProvider,
	type OAuthTokens,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import type { OAuthConfig, OAuthGrant, RegisteredClient } from "../authorization.ts";
import { describeAuthorizationFailure } from "./authorizationFailure.ts";
import { clientAuthentication } from "./clientAuthentication.ts";
import type { Discovery } from "./discovery.ts";

/** The grants without a user. */
export type MachineGrant = Exclude<OAuthGrant, { readonly kind: "authorization_code" }>;

/** The inputs of a token request beside the grant itself. */
export interface MachineRequest {
	readonly config: OAuthConfig;
	readonly discovery: Discovery;
	readonly scope: string | undefined;
	readonly dpop: DpopSession | undefined;
	/** Guarded, because the server may name its addresses. */
	readonly fetch: FetchLike;
	/** For the user's own identity provider, which their configuration names, not a server. */
	readonly trustedFetch: FetchLike;
}

/**
 * Gets tokens without a user: client credentials, a workload's assertion, or an identity provider's assertion
 * (extensions "OAuth Client Credentials", "Workload Identity Federation", "Enterprise-Managed Authorization"). Asked
 * once: a refusal here is not retried.
 * @throws HostError
 */
export async function requestMachineTokens(grant: MachineGrant, request: MachineRequest): Promise<OAuthTokens> {
	try {
		return await fetchTokens(providerFor(grant, request), request);
	} catch (error) {
		throw describeAuthorizationFailure(error, request.discovery.issuer);
	}
}

/** Gets tokens for an assertion that exists already (RFC 7523). @throws the error as it is, to be described */
export function requestForAssertion(
	assertion: string,
	client: RegisteredClient,
	request: Omit<MachineRequest, "config" | "trustedFetch">,
): Promise<OAuthTokens> {
	const { issuer } = request.discovery;
	return fetchTokens(assertionProvider(assertion, client.clientId, client.clientSecret, issuer), request);
}

async function fetchTokens(
	base: OAuthClientProvider,
	{ discovery, scope, dpop, fetch }: Omit<MachineRequest, "config" | "trustedFetch">,
): Promise<OAuthTokens> {
	const { authorizationServerUrl, metadata, resource, issuer } = discovery;
	await base.saveAuthorizationServerUrl?.(issuer);
	if (resource !== undefined) await base.saveResourceUrl?.(resource);
	const client = await base.clientInformation();
	// Its methods keep their own `this`.
	const bare: OAuthClientProvider = Object.create(base);
	const provider = Object.assign(bare, {
		...(dpop === undefined ? {} : { dpop: () => dpop }),
		...(client === undefined || base.addClientAuthentication !== undefined
			? {}
			: { addClientAuthentication: clientAuthentication(client) }),
	});
	return fetchToken(provider, authorizationServerUrl, {
		...(metadata === undefined ? {} : { metadata }),
		...(resource === undefined ? {} : { resource }),
		...(scope === undefined ? {} : { scope }),
		fetchFn: fetch,
	});
}

function providerFor(grant: MachineGrant, request: MachineRequest): OAuthClientProvider {
	const { config, discovery, trustedFetch } = request;
	const { issuer: expectedIssuer } = discovery;
	const clientId = config.clientId ?? missing("clientId");
	switch (grant.kind) {
		case "client_credentials": {
			const { privateKey, algorithm = "RS256" } = grant;
			if (privateKey !== undefined)
				return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm, expectedIssuer });
			const clientSecret = config.clientSecret ?? missing("clientSecret");
			return new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
		}
		case "jwt_bearer":
			return assertionProvider(grant.assertion, clientId, config.clientSecret, expectedIssuer);
		case "cross_app_access": {
			const clientSecret = config.clientSecret ?? missing("clientSecret");
			return new CrossAppAccessProvider({
				clientId,
				clientSecret,
				expectedIssuer,
				assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
					try {
						const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
							tokenEndpoint: grant.idpTokenEndpoint,
							audience: authorizationServerUrl,
							resource: resourceUrl,
							idToken: grant.idpIdToken,
							clientId: grant.idpClientId,
							...(scope === undefined ? {} : { scope }),
							fetchFn: trustedFetch,
						});
						return jwtAuthGrant;
					} catch (error) {
						throw describeAuthorizationFailure(error, grant.idpIssuer);
					}
				},
			});
		}
	}
}

/** The JWT bearer grant with an assertion that exists already (RFC 7523, section 2.1). */
function assertionProvider(
	assertion: string,
	client_id: string,
	client_secret: string | undefined,
	issuer: string,
): OAuthClientProvider {
	const notUsed = (): never => {
		throw new HostError("protocol", "The assertion grant does not open a sign-in page.");
	};
	return {
		redirectUrl: undefined,
		clientMetadata: { redirect_uris: [], grant_types: ["urn:ietf:params:oauth:grant-type:jwt-bearer"] },
		clientInformation: () => ({ client_id, issuer, ...(client_secret === undefined ? {} : { client_secret }) }),
		tokens: () => undefined,
		saveTokens() {},
		redirectToAuthorization: notUsed,
		saveCodeVerifier() {},
		codeVerifier: notUsed,
		prepareTokenRequest: (scope) =>
			new URLSearchParams({
				grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
				assertion,
				...(scope === undefined ? {} : { scope }),
			}),
	};
}

function missing(key: string): never {
	throw new HostError("invalid", `The sign-in needs "${key}" in the server's "oauth".`);
}
