import type { OAuthMetadata, OAuthProtectedResourceMetadata } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** The profile of authorization servers that accept the assertion of an identity provider ("ID-JAG"). */
export const idJagProfile = "urn:ietf:params:oauth:grant-profile:id-jag";

/** Called for lenient readings: a document, and members of it that count as absent. */
export type LenientNote = (text: string) => void;

/**
 * One received document of OAuth. Members that a step needs must have their form. Every other member counts as absent
 * if it is null or has a wrong form. Values are never reported: they may be secrets.
 */
class Document {
	/** The document and its owner, as the subject of a sentence. */
	private readonly name: string;
	private readonly members: JsonObject;
	private readonly ignored: string[] = [];

	constructor(name: string, members: JsonObject) {
		this.name = name;
		this.members = members;
	}

	text(member: string): string | undefined {
		return this.read(member, (value) => (typeof value === "string" && value !== "" ? value : undefined));
	}

	/** A number, which some write as a text. */
	number(member: string): number | undefined {
		return this.read(member, (value) => {
			const number = typeof value === "string" && /^\d{1,15}(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
			return typeof number === "number" && Number.isFinite(number) ? number : undefined;
		});
	}

	flag(member: string): boolean | undefined {
		return this.read(member, (value) => (typeof value === "boolean" ? value : undefined));
	}

	url(member: string): string | undefined {
		return this.read(member, (value) => (isWebAddress(value) ? value : undefined));
	}

	/** The texts of a list; others in it are left out. */
	texts(member: string): string[] | undefined {
		return this.read(member, (value) => {
			if (!Array.isArray(value)) return undefined;
			const texts = value.filter((item) => typeof item === "string");
			if (texts.length < value.length) this.ignored.push(`${member}[]`);
			return texts;
		});
	}

	/** The addresses of a list; other values in it are left out. @throws HostError if it is not a list, or names none. */
	urls(member: string): string[] | undefined {
		if (!this.has(member)) return undefined;
		const value = this.members[member];
		if (!Array.isArray(value)) return this.refuse(member, "is not a list");
		const urls = value.filter(isWebAddress);
		if (urls.length === 0 && value.length > 0) this.refuse(member, "contains no address");
		if (urls.length < value.length) this.ignored.push(`${member}[]`);
		return urls;
	}

	/** @throws HostError that names the document and the member. */
	needed<T>(member: string, value: T | undefined): T {
		return value ?? this.refuse(member, this.has(member) ? "has the wrong format" : "is missing");
	}

	refuse(member: string, what: string): never {
		throw new HostError(
			"protocol",
			`${this.name} cannot be used: "${member}" ${what}. Ask its operator to correct that.`,
		);
	}

	/** Reports the ignored members. Called once, when everything is read. */
	tell(note: LenientNote): void {
		if (this.ignored.length === 0) return;
		const names = this.ignored.map((member) => `"${member}"`).join(", ");
		note(`${this.name} is read without ${names}: null, or in the wrong format.`);
	}

	/** Whether a member is there and not null. */
	private has(member: string): boolean {
		return Object.hasOwn(this.members, member) && this.members[member] !== null;
	}

	private read<T>(member: string, reading: (value: Json) => T | undefined): T | undefined {
		const value = Object.hasOwn(this.members, member) ? this.members[member] : undefined;
		if (value === undefined) return undefined;
		const read = value === null ? undefined : reading(value);
		if (read === undefined) this.ignored.push(member);
		return read;
	}
}

function isWebAddress(value: unknown): value is string {
	const url = typeof value === "string" ? URL.parse(value) : null;
	return url?.protocol === "https:" || url?.protocol === "http:";
}

/** A body as a document that holds one of these members; undefined for a page and for any other body. */
function documentIn(body: string, name: string, oneOf: readonly string[]): Document | undefined {
	let members: unknown;
	try {
		members = JSON.parse(body);
	} catch {
		return undefined;
	}
	return isJsonObject(members) && oneOf.some((member) => Object.hasOwn(members, member))
		? new Document(name, members)
		: undefined;
}

/**
 * Reads the metadata of a protected resource (RFC 9728, section 2). Undefined if the body is not such a document.
 * @throws HostError `protocol` if the resource, or each address of an authorization server, is unusable.
 */
export function readResourceMetadata(
	body: string,
	host: string,
	note: LenientNote,
): OAuthProtectedResourceMetadata | undefined {
	const name = `The metadata of the server at ${host} (protected resource)`;
	const document = documentIn(body, name, ["resource", "authorization_servers"]);
	if (document === undefined) return undefined;
	const resource = document.needed("resource", document.url("resource"));
	const metadata: OAuthProtectedResourceMetadata = {
		resource,
		...defined({
			authorization_servers: document.urls("authorization_servers"),
			scopes_supported: document.texts("scopes_supported"),
			dpop_signing_alg_values_supported: document.texts("dpop_signing_alg_values_supported"),
			dpop_bound_access_tokens_required: document.flag("dpop_bound_access_tokens_required"),
		}),
	};
	document.tell(note);
	return metadata;
}

/**
 * Reads the metadata of an authorization server in both of its forms (RFC 8414, section 2; OpenID Connect Discovery
 * 1.0, section 3). Undefined if the body is not such a document. `hasPage`: whether a user signs in on a page of it;
 * grants of machines need no address for that, nor does one that accepts an identity provider's word, with `unless-vouched`.
 * @throws HostError `protocol` if a required address is unusable, or codes are not supported.
 */
export function readServerMetadata(
	body: string,
	host: string,
	wantsPage: boolean | "unless-vouched",
	note: LenientNote,
): OAuthMetadata | undefined {
	const name = `The metadata of the authorization server ${host}`;
	const document = documentIn(body, name, ["issuer", "authorization_endpoint", "token_endpoint"]);
	if (document === undefined) return undefined;
	const issuer = document.needed("issuer", document.text("issuer"));
	const tokenEndpoint = document.needed("token_endpoint", document.url("token_endpoint"));
	const page = document.url("authorization_endpoint");
	const profiles = document.texts("authorization_grant_profiles_supported");
	const types = document.texts("response_types_supported") ?? ["code"];
	const hasPage = wantsPage === "unless-vouched" ? profiles?.includes(idJagProfile) !== true : wantsPage;
	if (hasPage && !types.includes("code")) document.refuse("response_types_supported", 'does not name "code"');
	const metadata: OAuthMetadata = {
		issuer,
		// Without a visit to the page, nothing needs its address.
		authorization_endpoint: hasPage ? document.needed("authorization_endpoint", page) : (page ?? tokenEndpoint),
		token_endpoint: tokenEndpoint,
		response_types_supported: types,
		...defined({
			authorization_grant_profiles_supported: profiles,
			registration_endpoint: document.url("registration_endpoint"),
			revocation_endpoint: document.url("revocation_endpoint"),
			revocation_endpoint_auth_methods_supported: document.texts("revocation_endpoint_auth_methods_supported"),
			scopes_supported: document.texts("scopes_supported"),
			token_endpoint_auth_methods_supported: document.texts("token_endpoint_auth_methods_supported"),
			code_challenge_methods_supported: document.texts("code_challenge_methods_supported"),
			client_id_metadata_document_supported: document.flag("client_id_metadata_document_supported"),
			authorization_response_iss_parameter_supported: document.flag("authorization_response_iss_parameter_supported"),
			dpop_signing_alg_values_supported: document.texts("dpop_signing_alg_values_supported"),
		}),
	};
	document.tell(note);
	// Only identity providers need it, and say so themselves.
	return { ...metadata, ...defined({ jwks_uri: document.url("jwks_uri") }) };
}

/**
 * Reads an answer with tokens (RFC 6749, section 5.1; RFC 8693, section 2.2.1, with `isExchange`). The result has the
 * form that the SDK expects.
 * @throws HostError `protocol` if the token or its type is unusable.
 */
export function readTokens(body: string, host: string, isExchange: boolean, note: LenientNote): JsonObject {
	const name = `The token response of ${host}`;
	const document = documentIn(body, name, ["access_token", "token_type"]) ?? new Document(name, {});
	const accessToken = document.needed("access_token", document.text("access_token"));
	const type = document.text("token_type");
	const tokens = {
		access_token: accessToken,
		// For a token that is not an access token it has no meaning.
		...defined({ token_type: isExchange ? type : document.needed("token_type", type) }),
		...(isExchange
			? { issued_token_type: document.needed("issued_token_type", document.text("issued_token_type")) }
			: defined({ refresh_token: document.text("refresh_token"), id_token: document.text("id_token") })),
		...defined({ expires_in: document.number("expires_in"), scope: document.text("scope") }),
	};
	document.tell(note);
	return tokens;
}

/**
 * Reads the answer to a registration (RFC 7591, section 3.2.1). The result has the form that the SDK expects.
 * `redirectUris` are those that were registered.
 * @throws HostError `protocol` if the client's id is unusable.
 */
export function readRegistration(
	body: string,
	host: string,
	redirectUris: readonly string[],
	note: LenientNote,
): JsonObject {
	const name = `The registration response of ${host}`;
	const document = documentIn(body, name, ["client_id"]) ?? new Document(name, {});
	const client = {
		client_id: document.needed("client_id", document.text("client_id")),
		redirect_uris: redirectUris,
		...defined({
			client_secret: document.text("client_secret"),
			client_secret_expires_at: document.number("client_secret_expires_at"),
			token_endpoint_auth_method: document.text("token_endpoint_auth_method"),
		}),
	};
	document.tell(note);
	return client;
}

/** The members that are there. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function defined(members: object): object {
	return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
