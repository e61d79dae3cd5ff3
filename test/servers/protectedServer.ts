import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { startAuthServer, type AuthServer, type AuthServerOptions } from "./authServer.ts";
import { startHttpServer, type CannedAnswer, type HttpServer, type HttpServerOptions } from "./httpServer.ts";
import type { Received } from "./received.ts";

type HttpRequest = Extract<Received, { kind: "http" }>;

/** Options of the protected server; those of its authorization server apply when none is given. */
export interface ProtectedServerOptions extends Pick<HttpServerOptions, "speaks" | "port"> {
	/** An authorization server that is shared with others; the caller stops it. */
	readonly auth?: AuthServer;
	readonly authOptions?: AuthServerOptions;
	/** The scope that every request needs. */
	readonly baseScope?: string;
	/** The scopes that calls of some tools need beyond it. */
	readonly toolScopes?: Readonly<Record<string, string>>;
	/** Changes the metadata of the resource, for faulty servers; tokens are for the resource named there. */
	readonly alterResource?: (metadata: JsonObject) => JsonObject;
}

/** The small server over HTTP, behind an authorization server. */
export interface ProtectedServer extends AsyncDisposable {
	/** Where clients connect: the resource that tokens must be for. */
	readonly url: string;
	readonly auth: AuthServer;
	readonly server: HttpServer;
	/** The bearer tokens of requests, `undefined` for none, oldest first. */
	readonly tokens: readonly (string | undefined)[];
	[Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server that requires a bearer token on every request: 401 with its metadata's address without a good one,
 * 403 with `insufficient_scope` for a tool that needs more than was granted.
 */
export async function startProtectedServer(options: ProtectedServerOptions = {}): Promise<ProtectedServer> {
	const { baseScope = "small:use", toolScopes = { change: "small:change" }, speaks = "both", port } = options;
	const scopes = [...new Set([baseScope, ...Object.values(toolScopes)])];
	const auth = options.auth ?? (await startAuthServer({ scopes, defaultScopes: [baseScope], ...options.authOptions }));
	const tokens: (string | undefined)[] = [];
	const server = await startHttpServer({
		speaks,
		...(port === undefined ? {} : { port }),
		intercept: (request) => (isMetadata(request) ? json(resourceMetadata()) : refuse(request)),
	});

	function resourceMetadata(): JsonObject {
		const metadata = {
			resource: server.url,
			authorization_servers: [auth.issuer],
			scopes_supported: [baseScope],
			bearer_methods_supported: ["header"],
		};
		return options.alterResource?.(metadata) ?? metadata;
	}

	function refuse(request: HttpRequest): CannedAnswer | undefined {
		const token = /^Bearer (.+)$/.exec(request.headers["authorization"] ?? "")?.[1];
		tokens.push(token);
		const found = token === undefined ? undefined : auth.find(token);
		if (token === undefined) return challenge(401, { scope: baseScope });
		if (found === undefined || found.resource !== resourceMetadata()["resource"]) {
			return challenge(401, { error: "invalid_token", scope: baseScope });
		}
		const needed = [baseScope, ...scopesOfCalls(request)];
		const missing = needed.filter((scope) => !found.scopes.includes(scope));
		return missing.length === 0 ? undefined : challenge(403, { error: "insufficient_scope", scope: missing.join(" ") });
	}

	function scopesOfCalls({ body }: HttpRequest): readonly string[] {
		if (!isJsonObject(body) || body["method"] !== "tools/call" || !isJsonObject(body["params"])) return [];
		const { name } = body["params"];
		const scope = typeof name === "string" ? toolScopes[name] : undefined;
		return scope === undefined ? [] : [scope];
	}

	function challenge(status: number, parameters: Readonly<Record<string, string>>): CannedAnswer {
		const { origin, pathname } = new URL(server.url);
		const all = { ...parameters, resource_metadata: `${origin}/.well-known/oauth-protected-resource${pathname}` };
		const header = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
		return { status, headers: { "www-authenticate": `Bearer ${header.join(", ")}` }, body: "" };
	}

	return {
		url: server.url,
		auth,
		server,
		tokens,
		async [Symbol.asyncDispose]() {
			await server[Symbol.asyncDispose]();
			if (options.auth === undefined) await auth[Symbol.asyncDispose]();
		},
	};
}

function isMetadata({ path }: HttpRequest): boolean {
	return path.startsWith("/.well-known/oauth-protected-resource");
}

function json(value: JsonObject): CannedAnswer {
	return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
