import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { GrantError, Grants, type AccessToken, type AuthClient, type TokenAnswer } from "./authGrants.ts";

/** The behaviour of the authorization server. By default everything follows the specification. */
export interface AuthServerOptions {
	/**
	 * The reaction of the authorization endpoint: consent without a user (the default), a page with buttons, or a
	 * refusal.
	 */
	readonly approve?: "auto" | "page" | "deny";
	/** How long access tokens live; an hour by default. Can be changed later. */
	readonly tokenSeconds?: number;
	/** The user's address in the ID token; `null` for answers without one. */
	readonly account?: string | null;
	/** Dynamic registration: open (the default), refused with an error, or not offered at all. */
	readonly registration?: "open" | "refused" | "absent";
	/** Clients that were registered beforehand. */
	readonly clients?: readonly AuthClient[];
	/** Client-id metadata documents by their https address, in place of fetching them. Offered only where given. */
	readonly clientDocuments?: Readonly<Record<string, { readonly redirectUris: readonly string[] }>>;
	/** The scopes named as `scopes_supported`. */
	readonly scopes?: readonly string[];
	/** The scopes granted to a request without any. */
	readonly defaultScopes?: readonly string[];
	/** A path of the issuer, such as `/tenant`; none by default. */
	readonly issuerPath?: string;
	readonly port?: number;
	/** Changes the sent data, for faulty servers: the metadata, the query of the callback, the answer with tokens. */
	readonly alter?: {
		readonly metadata?: (metadata: JsonObject) => Json;
		readonly callback?: (query: URLSearchParams) => void;
		readonly token?: (answer: TokenAnswer) => Json;
		readonly registration?: (answer: JsonObject) => Json;
	};
	/** The only paths with the metadata; by default all that clients may request. */
	readonly metadataAt?: readonly string[];
	/** The answer for other paths; 404 by default. */
	readonly page?: string;
	/** Takes the assertion of an identity provider for its user; absent where none is accepted. */
	readonly trust?: { readonly check: (assertion: string) => Promise<JsonObject>; readonly isSilent?: boolean };
	/** Awaited before each answer of the token endpoint. */
	readonly beforeToken?: () => Promise<void>;
}

/** One request that the authorization server received. */
export interface AuthRequest {
	readonly endpoint: "metadata" | "register" | "authorize" | "token" | "revoke" | "other";
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The fields of its query and its form. */
	readonly fields: Readonly<Record<string, string>>;
	/** The document of a registration. */
	readonly document?: JsonObject;
}

/** A small, real authorization server on loopback, in this process. */
export interface AuthServer extends AsyncDisposable {
	readonly issuer: string;
	/** Every request so far, oldest first. */
	readonly received: readonly AuthRequest[];
	/** Whether dynamic registration made clients, and which. */
	readonly registered: readonly AuthClient[];
	readonly grants: Grants;
	/** The requests to one endpoint. */
	requests(endpoint: AuthRequest["endpoint"]): readonly AuthRequest[];
	/** The grant behind an access token; undefined when it is not valid (any more). */
	find(token: string): AccessToken | undefined;
	[Symbol.asyncDispose](): Promise<void>;
}

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Starts an authorization server with metadata, registration, authorization, tokens and revocation. */
export async function startAuthServer(options: AuthServerOptions = {}): Promise<AuthServer> {
	const { issuerPath = "", account = "ann@example.com" } = options;
	const received: AuthRequest[] = [];
	const registered: AuthClient[] = [];
	let issuer = "";
	const grants = new Grants(() => issuer, account ?? undefined, options.tokenSeconds ?? 3600);
	const server = createServer((request, response) => {
		respond(request, response).catch((error: unknown) => {
			const code = error instanceof GrantError ? error.code : "server_error";
			if (!response.headersSent) sendJson(response, error instanceof GrantError ? 400 : 500, { error: code });
			else response.end();
		});
	});

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const entry = await read(request, issuerPath);
		received.push(entry);
		switch (entry.endpoint) {
			case "metadata":
				if (options.metadataAt?.includes(entry.path) === false) {
					sendOther(response);
					break;
				}
				sendJson(response, 200, options.alter?.metadata?.(metadata()) ?? metadata());
				break;
			case "register":
				register(entry, response);
				break;
			case "authorize":
				authorize(entry, response);
				break;
			case "token": {
				await options.beforeToken?.();
				const isAssertion = entry.fields["grant_type"] === jwtBearer;
				const answer = isAssertion ? await tokenForAssertion(entry) : token(entry);
				sendJson(response, 200, options.alter?.token?.(answer) ?? { ...answer });
				break;
			}
			case "revoke":
				identify(entry);
				grants.revoke(entry.fields["token"] ?? "");
				response.writeHead(200).end();
				break;
			case "other":
				sendOther(response);
		}
	}

	function sendOther(response: ServerResponse): void {
		if (options.page === undefined) response.writeHead(404).end();
		else sendPage(response, 200, options.page);
	}

	function metadata(): JsonObject {
		const { registration = "open", clientDocuments, scopes = [] } = options;
		return {
			issuer,
			authorization_endpoint: `${issuer}/authorize`,
			token_endpoint: `${issuer}/token`,
			revocation_endpoint: `${issuer}/revoke`,
			...(registration === "absent" ? {} : { registration_endpoint: `${issuer}/register` }),
			...(clientDocuments === undefined ? {} : { client_id_metadata_document_supported: true }),
			...(scopes.length === 0 ? {} : { scopes_supported: [...scopes] }),
			...(options.trust === undefined || options.trust.isSilent === true
				? {}
				: { authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"] }),
			response_types_supported: ["code"],
			grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
			code_challenge_methods_supported: ["S256"],
			token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
			authorization_response_iss_parameter_supported: true,
		};
	}

	function register({ document = {} }: AuthRequest, response: ServerResponse): void {
		const redirectUris = (document["redirect_uris"] as readonly string[] | undefined) ?? [];
		if (options.registration !== undefined && options.registration !== "open") {
			sendJson(response, 400, { error: "invalid_client_metadata", error_description: "Clients are not welcome here." });
			return;
		}
		const isPublic = document["token_endpoint_auth_method"] === "none";
		const client: AuthClient = {
			clientId: `client-${randomUUID()}`,
			redirectUris,
			...(isPublic ? {} : { clientSecret: `secret-${randomUUID()}` }),
		};
		registered.push(client);
		const answer = {
			...document,
			client_id: client.clientId,
			...(client.clientSecret === undefined ? {} : { client_secret: client.clientSecret, client_secret_expires_at: 0 }),
		};
		sendJson(response, 201, options.alter?.registration?.(answer) ?? answer);
	}

	function clientOf(id: string): AuthClient | undefined {
		const document = options.clientDocuments?.[id];
		if (document !== undefined) return { clientId: id, redirectUris: document.redirectUris };
		return [...(options.clients ?? []), ...registered].find(({ clientId }) => clientId === id);
	}

	function authorize({ method, fields }: AuthRequest, response: ServerResponse): void {
		const { client_id = "", redirect_uri = "", state, scope, resource, code_challenge: challenge } = fields;
		const client = clientOf(client_id);
		// Without a client and its redirect there is no place to send an error to.
		if (client === undefined || !client.redirectUris.some((known) => isSameRedirect(known, redirect_uri))) {
			sendPage(response, 400, "<h1>This client or its redirect is not known.</h1>");
			return;
		}
		const scopes = scope?.split(" ") ?? options.defaultScopes ?? options.scopes ?? [];
		const back = (result: Readonly<Record<string, string>>): void => {
			const url = new URL(redirect_uri);
			const query = new URLSearchParams({ ...result, ...(state === undefined ? {} : { state }), iss: issuer });
			options.alter?.callback?.(query);
			for (const [name, value] of query) url.searchParams.append(name, value);
			response.writeHead(302, { location: url.href }).end();
		};
		if (fields["response_type"] !== "code") return back({ error: "unsupported_response_type" });
		if (challenge === undefined || fields["code_challenge_method"] !== "S256")
			return back({ error: "invalid_request" });
		if (options.approve === "deny" || fields["decision"] === "deny") return back({ error: "access_denied" });
		if (options.approve === "page" && method === "GET") return sendPage(response, 200, consentPage(client_id, scopes));
		back({
			code: grants.issueCode({ clientId: client_id, scopes, resource, redirectUri: redirect_uri, challenge }),
		});
	}

	function token(entry: AuthRequest): TokenAnswer {
		const client = identify(entry);
		const { grant_type, code = "", redirect_uri = "", code_verifier, refresh_token = "", resource } = entry.fields;
		switch (grant_type) {
			case "authorization_code":
				return grants.exchangeCode(code, client.clientId, redirect_uri, code_verifier, resource);
			case "refresh_token":
				return grants.exchangeRefresh(refresh_token, client.clientId);
			case "client_credentials":
				if (client.clientSecret === undefined) throw new GrantError("unauthorized_client");
				return grants.grantToClient({
					clientId: client.clientId,
					scopes: entry.fields["scope"]?.split(" ") ?? options.defaultScopes ?? options.scopes ?? [],
					resource,
				});
			case undefined:
			default:
				throw new GrantError("unsupported_grant_type");
		}
	}

	/** Tokens for the user whom an identity provider vouches for (RFC 7523), if the assertion is meant for this. */
	async function tokenForAssertion(entry: AuthRequest): Promise<TokenAnswer> {
		const client = identify(entry);
		if (options.trust === undefined) throw new GrantError("unsupported_grant_type");
		const claims = await options.trust.check(entry.fields["assertion"] ?? "").catch(() => undefined);
		if (claims?.["aud"] !== issuer || claims["client_id"] !== client.clientId) throw new GrantError("invalid_grant");
		const { scope, resource } = claims;
		const scopes = typeof scope === "string" ? scope.split(" ") : (options.defaultScopes ?? []);
		return grants.grantToClient({ clientId: client.clientId, scopes, resource: String(resource) });
	}

	/** The client that sends a request, identified by its secret where it has one. */
	function identify({ headers, fields }: AuthRequest): AuthClient {
		const basic = /^Basic (.+)$/.exec(headers["authorization"] ?? "")?.[1];
		const [id = "", secret] =
			basic === undefined
				? [fields["client_id"], fields["client_secret"]]
				: Buffer.from(basic, "base64").toString("utf8").split(":").map(decodeURIComponent);
		const client = clientOf(id);
		if (client === undefined || client.clientSecret !== secret) throw new GrantError("invalid_client");
		return client;
	}

	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
	});
	issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${issuerPath}`;
	return {
		issuer,
		received,
		registered,
		grants,
		requests: (endpoint) => received.filter((entry) => entry.endpoint === endpoint),
		find: (value) => grants.find(value),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The paths of RFC 8414 and OpenID Connect Discovery, with the issuer's path inserted or appended. */
function endpointOf(path: string, issuerPath: string): AuthRequest["endpoint"] {
	const wellKnown = [
		`/.well-known/oauth-authorization-server${issuerPath}`,
		`/.well-known/openid-configuration${issuerPath}`,
		`${issuerPath}/.well-known/openid-configuration`,
	];
	if (wellKnown.includes(path)) return "metadata";
	const endpoint = (["register", "authorize", "token", "revoke"] as const).find(
		(name) => path === `${issuerPath}/${name}`,
	);
	return endpoint ?? "other";
}

async function read(request: IncomingMessage, issuerPath: string): Promise<AuthRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const body = Buffer.concat(chunks).toString("utf8");
	const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
	const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
	const document: unknown = isJson && body !== "" ? JSON.parse(body) : undefined;
	return {
		endpoint: endpointOf(pathname, issuerPath),
		method: request.method ?? "",
		path: request.url ?? "",
		headers: request.headers as Record<string, string>,
		fields: { ...Object.fromEntries(searchParams), ...(isJson ? {} : Object.fromEntries(new URLSearchParams(body))) },
		...(isJsonObject(document) ? { document } : {}),
	};
}

/** The port of a loopback redirect may vary (RFC 8252, section 7.3). */
function isSameRedirect(known: string, used: string): boolean {
	if (known === used) return true;
	if (!URL.canParse(known) || !URL.canParse(used)) return false;
	const [a, b] = [new URL(known), new URL(used)];
	return a.protocol === "http:" && a.hostname === "127.0.0.1" && b.hostname === a.hostname && b.pathname === a.pathname;
}

function consentPage(clientId: string, scopes: readonly string[]): string {
	const items = scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join("");
	return `<h1>Allow access?</h1><p>${escapeHtml(clientId)} asks for:</p><ul>${items}</ul>
		<form method="post"><button name="decision" value="approve">Approve</button>
		<button name="decision" value="deny">Deny</button></form>`;
}

function sendPage(response: ServerResponse, status: number, body: string): void {
	response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
	response.end(`<!doctype html><title>Test Sign-In</title>${body}`);
}

function sendJson(response: ServerResponse, status: number, value: Json): void {
	response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
	response.end(JSON.stringify(value));
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
