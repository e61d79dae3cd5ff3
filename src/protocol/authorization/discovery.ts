import {
	buildDiscoveryUrls,
	LATEST_PROTOCOL_VERSION,
	type FetchLike,
	type OAuthMetadata,
	type OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { type JsonObject, parseJsonObject } from "../../base/json.ts";
import { discard } from "../http/bodies.ts";
import { responseWords } from "../http/responseWords.ts";
import type { Challenge } from "../http/challenge.ts";
import { describeAuthorizationFailure, hostOf } from "./authorizationFailure.ts";
import { idJagProfile, type LenientNote, readResourceMetadata, readServerMetadata } from "./documents.ts";
import { isPartOf, isSameAddress, isSameHost, shownAddress } from "./sameAddress.ts";
import type { KeptTokens } from "./storedCredentials.ts";

/** The metadata of a server and its authorization server. */
export interface Discovery {
	/** The issuer of the tokens; all stored data is bound to it. */
	readonly issuer: string;
	readonly authorizationServerUrl: string;
	/** Undefined for a server of revision 2025-03-26 that relies on default endpoints. */
	readonly metadata: OAuthMetadata | undefined;
	readonly resourceMetadata: OAuthProtectedResourceMetadata | undefined;
	readonly resourceMetadataUrl: URL | undefined;
	/**
	 * The resource that tokens are requested for (RFC 8707), verbatim; undefined when there is no metadata that names it.
	 */
	readonly resource: string | undefined;
	/** Whether tokens are to be bound to a key of the host (RFC 9449). */
	readonly usesDpop: boolean;
}

/** The inputs of a discovery beside the server and its challenge. */
export interface DiscoveryOptions {
	/** Chooses among several authorization servers. */
	readonly wantedIssuer?: string | undefined;
	/** Whether a user must sign in on a page; otherwise tokens are requested without one. See `readServerMetadata`. */
	readonly hasPage?: boolean | "unless-vouched";
	readonly note?: LenientNote;
}

/**
 * Finds the authorization server of a server: by the metadata that the challenge names, otherwise by that at its
 * well-known address, otherwise by the rules of revision 2025-03-26. Repeated at each challenge, so that a server may
 * move (AUT-14).
 * @throws HostError that describes the problem.
 */
export async function discover(
	serverUrl: URL,
	challenge: Challenge,
	fetch: FetchLike,
	{ wantedIssuer, hasPage = true, note = () => undefined }: DiscoveryOptions = {},
): Promise<Discovery> {
	const { resourceMetadata: named } = challenge;
	const resourceMetadata = await findResource(serverUrl, named, fetch, note);
	if (resourceMetadata !== undefined) checkResource(serverUrl, resourceMetadata.resource);
	const authorizationServerUrl = chooseServer(serverUrl, resourceMetadata, wantedIssuer);
	const metadata = await findServer(authorizationServerUrl, fetch, hasPage, note);
	if (metadata !== undefined) checkIssuer(serverUrl, authorizationServerUrl, metadata.issuer);
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
		`${hostOf(issuer)} does not declare that it protects sign-ins against theft (PKCE with S256), so the sign-in was not started. If you know that it does, set "allowMissingPkce" in the server's "oauth".`,
	);
}

/** Whether an authorization server says that it accepts the assertions of identity providers. */
export function acceptsAssertions({ metadata }: Discovery): boolean {
	const profiles: unknown = metadata?.["authorization_grant_profiles_supported"];
	return Array.isArray(profiles) && profiles.includes(idJagProfile);
}

/** Where and how tokens are given back (RFC 7009), to be kept with them. */
export function revocationOf({ metadata }: Discovery): Pick<KeptTokens, "revocationEndpoint" | "revocationMethods"> {
	const endpoint = metadata?.revocation_endpoint;
	const methods = metadata?.revocation_endpoint_auth_methods_supported;
	return {
		...(endpoint === undefined ? {} : { revocationEndpoint: endpoint }),
		...(methods === undefined ? {} : { revocationMethods: methods }),
	};
}

/** Where the metadata of a server's resource may be (RFC 9728, section 3.1), in the order in which it is asked for. */
function resourceAddresses({ origin, pathname, search }: URL): readonly URL[] {
	const root = new URL("/.well-known/oauth-protected-resource", origin);
	if (pathname === "/") return [new URL(search, root)];
	return [new URL(`${root.pathname}${pathname.replace(/\/$/, "")}${search}`, origin), root];
}

async function findResource(
	serverUrl: URL,
	named: URL | undefined,
	fetch: FetchLike,
	note: LenientNote,
): Promise<OAuthProtectedResourceMetadata | undefined> {
	for (const address of named === undefined ? resourceAddresses(serverUrl) : [named]) {
		const body = await bodyAt(address, fetch);
		const metadata = body === undefined ? undefined : readResourceMetadata(body, serverUrl.host, note);
		if (metadata !== undefined) return metadata;
	}
	// Missing metadata means that the server is an old one.
	return undefined;
}

/** The metadata of the authorization server at an address; undefined if there is none. @throws HostError */
export async function findServer(
	authorizationServerUrl: string,
	fetch: FetchLike,
	hasPage: boolean | "unless-vouched",
	note: LenientNote,
): Promise<OAuthMetadata | undefined> {
	for (const { url } of buildDiscoveryUrls(authorizationServerUrl)) {
		const body = await bodyAt(url, fetch);
		const metadata = body === undefined ? undefined : readServerMetadata(body, url.host, hasPage, note);
		if (metadata !== undefined) return metadata;
	}
	return undefined;
}

/** The keys with which an issuer signs, as its metadata names them. @throws HostError */
export async function findKeys(issuer: string, address: string, fetch: FetchLike): Promise<JsonObject> {
	const keys = parseJsonObject((await bodyAt(new URL(address), fetch)) ?? "");
	if (keys !== undefined) return keys;
	throw new HostError("protocol", `The signing keys of ${hostOf(issuer)} (jwks_uri) cannot be read. Ask its operator.`);
}

/** Statuses that mean that there is no such address; others of 5xx, and 429, are not conclusive. */
const notThere: ReadonlySet<number> = new Set([501, 502, 505]);
/** How many redirects within an origin are followed. */
const maxRedirects = 5;

/**
 * The body of a document at an address; undefined if there is none.
 * @throws HostError `unreachable` for an outage: otherwise the server would pass for an old one without metadata, and a
 * user whose tokens only need a refresh would be sent to sign in at the wrong place. Errors of the fetch, in words.
 */
async function bodyAt(address: URL, fetch: FetchLike): Promise<string | undefined> {
	try {
		const response = await fetchWithinOrigin(address, fetch);
		const { status } = response;
		if (response.ok) return await response.text();
		if (status !== 429 && (status < 500 || notThere.has(status))) {
			await discard(response);
			return undefined;
		}
		const words = await responseWords(response);
		throw new HostError(
			"unreachable",
			`${address.host} answered ${status} when asked how to sign in. Try again later.${words}`,
		);
	} catch (error) {
		throw describeAuthorizationFailure(error, address.href);
	}
}

/** Follows redirects that stay at the scheme, host and port of the request. */
async function fetchWithinOrigin(address: URL, fetch: FetchLike): Promise<Response> {
	const headers = { "mcp-protocol-version": LATEST_PROTOCOL_VERSION, accept: "application/json" };
	let current = address;
	for (let followed = 0; ; followed++) {
		const response = await fetch(current, { headers, redirect: "manual" });
		const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
		const next = location === null ? null : URL.parse(location, current.href);
		if (next === null || next.origin !== current.origin || followed === maxRedirects) return response;
		await discard(response);
		current = next;
	}
}

/** A server may only name itself, or a resource that it is a part of, as the resource of tokens (AUT-04). */
function checkResource(serverUrl: URL, resource: string): void {
	if (isPartOf(serverUrl.href, resource)) return;
	const [ours, theirs] = shownPair(serverUrl.href, resource);
	const doubt = isSameHost(serverUrl.href, resource)
		? ""
		: " The server may be trying to get tokens that are meant for the other address.";
	throw new HostError(
		"denied",
		`The server asks for a sign-in that is meant for another address: it is configured as ${ours}, but its metadata ` +
			`names ${theirs}. Nothing was sent there.${doubt} If that is the server you want, set ${theirs.startsWith("the same") ? "that" : theirs} as the URL in its configuration.`,
	);
}

/** Two addresses that differ, as they are shown. */
function shownPair(one: string, other: string): readonly [string, string] {
	const [ours, theirs] = [shownAddress(one), shownAddress(other)];
	return [ours, ours === theirs ? "the same with a user name, a query or a fragment" : theirs];
}

/** Metadata counts only where it is of the very address that was asked (RFC 8414, section 3.3; AUT-05). */
function checkIssuer(serverUrl: URL, asked: string, named: string): void {
	if (isSameAddress(asked, named)) return;
	const [ours, theirs] = shownPair(asked, named);
	const doubt = isSameHost(asked, named) ? "" : " Somebody may be trying to intercept the sign-in.";
	// Where nothing named the authorization server, its address was made of the configured one.
	const advice =
		new URL(asked).origin === serverUrl.origin && isSameHost(asked, named)
			? `If ${theirs} is right, use its scheme, host and port in the URL in the server's configuration.`
			: "Ask the operator of the server to use the same address in both places.";
	throw new HostError(
		"denied",
		`The metadata of ${ours} is meant for another address, ${theirs}, so the sign-in was not started.${doubt} ${advice}`,
	);
}

function chooseServer(
	serverUrl: URL,
	metadata: OAuthProtectedResourceMetadata | undefined,
	wantedIssuer: string | undefined,
): string {
	const offered = [...(metadata?.authorization_servers ?? [])];
	if (offered.length === 0) offered.push(new URL("/", serverUrl).href);
	if (wantedIssuer === undefined) return offered[0] ?? "";
	const chosen = offered.find((url) => isSameAddress(url, wantedIssuer));
	if (chosen !== undefined) return chosen;
	const named = offered.slice(0, 3).map(shownAddress).join(", ");
	throw new HostError(
		"denied",
		`The server asks for a sign-in at ${named}, but its "oauth" names ${shownAddress(wantedIssuer)}. The sign-in was not started. ` +
			'If the new address is right, change "issuer" there.',
	);
}

/**
 * Keys are used where the server takes bound tokens and the authorization server makes them; a mere offer of the latter
 * would give tokens that the server cannot read.
 */
function usesDpop(
	{ wantsDpop }: Challenge,
	resource: OAuthProtectedResourceMetadata | undefined,
	metadata: OAuthMetadata | undefined,
): boolean {
	const isOffered = metadata?.dpop_signing_alg_values_supported?.includes("ES256") === true;
	const isRequired = resource?.dpop_bound_access_tokens_required === true;
	const isTaken = resource?.dpop_signing_alg_values_supported?.includes("ES256") === true;
	return isRequired || (isOffered && (wantsDpop || isTaken));
}
