import {
	checkResourceAllowed,
	discoverAuthorizationServerMetadata,
	discoverOAuthProtectedResourceMetadata,
	type AuthorizationServerMetadata,
	type FetchLike,
	type OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { discard } from "../http/cappedBody.ts";
import type { Challenge } from "./challenge.ts";
import { describeAuthorizationFailure, hostOf } from "./authorizationFailure.ts";
import type { KeptTokens } from "./storedCredentials.ts";

/** What a server and its authorization server say of themselves. */
export interface Discovery {
	/** Who gives the tokens; what everything kept is bound to. */
	readonly issuer: string;
	readonly authorizationServerUrl: string;
	/** Undefined for a server of revision 2025-03-26 that relies on default endpoints. */
	readonly metadata: AuthorizationServerMetadata | undefined;
	readonly resourceMetadata: OAuthProtectedResourceMetadata | undefined;
	readonly resourceMetadataUrl: URL | undefined;
	/** What tokens are asked for (RFC 8707), verbatim; undefined where there is no metadata to say it. */
	readonly resource: string | undefined;
	/** Whether tokens are to be bound to a key of ours (RFC 9449). */
	readonly usesDpop: boolean;
}

/**
 * Finds who gives tokens for a server: the metadata that the challenge names, else that at its well-known address, else
 * the rules of revision 2025-03-26. Done anew at each challenge, so that a server may move (AUT-14).
 * `wantedIssuer` chooses among several.
 * @throws HostError that says what is wrong.
 */
export async function discover(
	serverUrl: URL,
	challenge: Challenge,
	wantedIssuer: string | undefined,
	plainFetch: FetchLike,
): Promise<Discovery> {
	const { resourceMetadata: named } = challenge;
	const fetch = withoutOutages(plainFetch);
	const resourceMetadata = await findResource(serverUrl, named, fetch);
	if (resourceMetadata !== undefined) checkResource(serverUrl, resourceMetadata.resource);
	const authorizationServerUrl = chooseServer(serverUrl, resourceMetadata, wantedIssuer);
	const metadata = await discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn: fetch }).catch(
		(error: unknown) => {
			throw describeAuthorizationFailure(error, authorizationServerUrl);
		},
	);
	return {
		issuer: metadata?.issuer ?? authorizationServerUrl,
		authorizationServerUrl,
		metadata,
		resourceMetadata,
		resourceMetadataUrl: named,
		resource: resourceMetadata?.resource,
		usesDpop: usesDpop(challenge, resourceMetadata, metadata),
	};
}

/**
 * @throws HostError `denied` unless the authorization server says that it supports PKCE with S256, as it must
 * (specification, "Authorization Code Protection"; AUT-06).
 */
export function requirePkce({ issuer, metadata, resourceMetadata }: Discovery): void {
	if (metadata?.code_challenge_methods_supported?.includes("S256") === true) return;
	// Revision 2025-03-26 did not ask for metadata; S256 is sent all the same.
	if (metadata === undefined && resourceMetadata === undefined) return;
	throw new HostError(
		"denied",
		`${hostOf(issuer)} does not say that it protects sign-ins against theft (PKCE with S256), so the sign-in was not started. If you know that it does, set "allowMissingPkce" in the server's "oauth".`,
	);
}

/** Where and how tokens are given back (RFC 7009), to be kept with them. */
export function revocationOf({ metadata }: Discovery): Pick<KeptTokens, "revocationEndpoint" | "revocationMethods"> {
	const endpoint = valueIn(metadata, "revocation_endpoint");
	const methods = textsIn(metadata, "revocation_endpoint_auth_methods_supported");
	return {
		...(typeof endpoint === "string" && URL.canParse(endpoint) ? { revocationEndpoint: endpoint } : {}),
		...(methods === undefined ? {} : { revocationMethods: methods }),
	};
}

/** Statuses of a server that has no time or is down: they say nothing of what it has. */
const outages: ReadonlySet<number> = new Set([429, 500, 503, 504]);

/**
 * A fetch for which an outage is no answer. Otherwise the server would pass for an old one without metadata, and a person
 * whose tokens only need a refresh would be sent to sign in at the wrong place.
 */
function withoutOutages(fetch: FetchLike): FetchLike {
	return async (input, init) => {
		const response = await fetch(input, init);
		if (!outages.has(response.status)) return response;
		await discard(response);
		const { host } = new URL(input);
		throw new HostError(
			"unreachable",
			`${host} answered ${response.status} when asked how to sign in. Try again later.`,
		);
	};
}

async function findResource(
	serverUrl: URL,
	named: URL | undefined,
	fetch: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
	try {
		const options = named === undefined ? {} : { resourceMetadataUrl: named };
		return await discoverOAuthProtectedResourceMetadata(serverUrl, options, fetch);
	} catch (error) {
		const failure = describeAuthorizationFailure(error, serverUrl.href);
		// What cannot be reached now, or may not be, says nothing; what is not there says that the server is an old one.
		if (HostError.is(error) || failure.code === "unreachable") throw failure;
		return undefined;
	}
}

/** A server may only name itself, or what it is a part of, as what tokens are for (AUT-04). */
function checkResource(serverUrl: URL, resource: string): void {
	if (checkResourceAllowed({ requestedResource: serverUrl, configuredResource: resource })) return;
	throw new HostError(
		"denied",
		`The server asks for a sign-in that is meant for another server (${hostOf(resource)}), so it was not started.`,
	);
}

function chooseServer(
	serverUrl: URL,
	metadata: OAuthProtectedResourceMetadata | undefined,
	wantedIssuer: string | undefined,
): string {
	const offered = metadata?.authorization_servers ?? [];
	if (offered.length === 0) offered.push(new URL("/", serverUrl).href);
	if (wantedIssuer === undefined) return offered[0] ?? "";
	const chosen = offered.find((url) => isSameIssuer(url, wantedIssuer));
	if (chosen !== undefined) return chosen;
	const named = offered.slice(0, 3).map(hostOf).join(", ");
	throw new HostError(
		"denied",
		`The server wants a sign-in at ${named}, not at ${hostOf(wantedIssuer)} as its "oauth" says, so it was not started.`,
	);
}

/** Issuers are compared as texts (RFC 8414, section 3.3), but for a slash at the end, which people leave out. */
export function isSameIssuer(a: string, b: string): boolean {
	return a.replace(/\/$/, "") === b.replace(/\/$/, "");
}

/**
 * Keys are used where the server takes bound tokens and the authorization server makes them; a mere offer of the latter
 * would give tokens that the server cannot read.
 */
function usesDpop(
	{ wantsDpop }: Challenge,
	resource: OAuthProtectedResourceMetadata | undefined,
	metadata: AuthorizationServerMetadata | undefined,
): boolean {
	const isOffered = textsIn(metadata, "dpop_signing_alg_values_supported")?.includes("ES256") === true;
	const isRequired = resource?.dpop_bound_access_tokens_required === true;
	const isTaken = resource?.dpop_signing_alg_values_supported?.includes("ES256") === true;
	return isRequired || (isOffered && (wantsDpop || isTaken));
}

/** A member of metadata that the SDK's types leave out. */
function valueIn(metadata: AuthorizationServerMetadata | undefined, name: string): unknown {
	return metadata === undefined ? undefined : (metadata as Readonly<Record<string, unknown>>)[name];
}

function textsIn(metadata: AuthorizationServerMetadata | undefined, name: string): readonly string[] | undefined {
	const value = valueIn(metadata, name);
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}
