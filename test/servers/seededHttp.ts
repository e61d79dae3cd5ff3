/**
 * The seeded server over Streamable HTTP, in this process: with sessions and all checks of the transport that the
 * specification asks for (2025-11-25), or without sessions as 2026-07-28 says; with one fault of the transport, or none.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonObjectOf } from "../../src/base/guards.ts";
import { type Json, type JsonObject, parseJsonObject } from "../../src/base/json.ts";
import { seededAnswer, type SeededFault } from "./seededServer.ts";

/** The faults of the transport, each by its name. */
export const httpFaults = [
	"unknown-session-400",
	"ended-session-lives",
	"session-not-needed",
	"one-session-only",
	"delete-fails",
	"version-header-ignored",
	"origin-ignored",
	"notification-with-200",
	"accept-ignored",
	"page-for-get",
	"parse-error-500",
	"no-challenge",
	"no-resource-metadata",
	"no-authorization-server",
	"other-resource",
	"scopes-as-text",
] as const;
/** The faults of a server without sessions. */
export const statelessFaults = [
	"method-header-ignored",
	"version-mismatch-ignored",
	"revision-ignored",
	"meta-not-needed",
	"origin-ignored",
] as const;

/** The name of a fault of the transport. */
export type HttpFault = (typeof httpFaults)[number] | (typeof statelessFaults)[number];

/** Options of the server. */
export interface SeededHttpOptions {
	readonly fault?: HttpFault;
	/** A fault of the messages. */
	readonly seeded?: SeededFault;
	readonly isModern?: boolean;
	/** Whether each request needs a token. */
	readonly isProtected?: boolean;
}

/** A running server. */
export interface SeededHttp extends AsyncDisposable {
	readonly url: string;
	/** The sessions that are open. */
	readonly sessions: ReadonlySet<string>;
	/** The methods of the received messages. */
	readonly received: readonly string[];
}

const revisions = new Set(["2025-03-26", "2025-06-18", "2025-11-25"]);
const modern = "2026-07-28";

/** Starts a server on a loopback port. */
export async function startSeededHttp({
	fault,
	seeded,
	isModern,
	isProtected,
}: SeededHttpOptions = {}): Promise<SeededHttp> {
	const sessions = new Set<string>();
	const ended = new Set<string>();
	const received: string[] = [];
	let origin = "";

	const server = createServer((request, response) => void respond(request, response));
	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = request.url ?? "/";
		const send = (status: number, body?: Json, headers: Readonly<Record<string, string>> = {}): void => {
			response.writeHead(status, { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers });
			response.end(body === undefined ? undefined : JSON.stringify(body));
		};
		const refuse = (status: number, code: number, message: string, id: Json = null): void =>
			send(status, { jsonrpc: "2.0", id, error: { code, message } });
		if (url.startsWith("/.well-known/")) return metadata(url, send);
		const text = await bodyOf(request);
		const from = request.headers.origin;
		if (from !== undefined && from !== origin && fault !== "origin-ignored") return refuse(403, -32000, "Forbidden");
		if (isProtected === true && request.headers.authorization !== "Bearer good") {
			const address = `${origin}/.well-known/oauth-protected-resource/mcp`;
			const challenge = { "www-authenticate": `Bearer resource_metadata="${address}"` };
			return send(401, undefined, fault === "no-challenge" ? {} : challenge);
		}
		if (isModern === true) return stateless(request, text, send, refuse);
		const version = request.headers["mcp-protocol-version"];
		if (typeof version === "string" && !revisions.has(version) && fault !== "version-header-ignored")
			return refuse(400, -32000, "Unsupported protocol version");
		const session = request.headers["mcp-session-id"]?.toString();
		const isKnown = session !== undefined && sessions.has(session);
		if (request.method === "GET" && fault === "page-for-get")
			return void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Orders</h1>");
		if (request.method === "GET") return send(405);
		if (request.method === "DELETE") {
			if (fault === "delete-fails") return send(500);
			if (!isKnown) return send(404);
			ended.add(session);
			if (fault !== "ended-session-lives") sessions.delete(session);
			return send(200);
		}
		const accept = request.headers.accept ?? "";
		if (!accept.includes("application/json") && fault !== "accept-ignored") return send(406);
		const message = parseJsonObject(text);
		if (message === undefined) return fault === "parse-error-500" ? send(500) : refuse(400, -32700, "Parse error");
		const { method } = message;
		received.push(typeof method === "string" ? method : "answer");
		if (method === "initialize") {
			if (fault === "one-session-only" && sessions.size > 0) return refuse(400, -32000, "Already initialized");
			const id = randomUUID();
			sessions.add(id);
			return send(200, answerTo(message), { "mcp-session-id": id });
		}
		if (session === undefined && fault !== "session-not-needed") return refuse(400, -32000, "A session is needed");
		if (session !== undefined && !isKnown)
			return refuse(fault === "unknown-session-400" && !ended.has(session) ? 400 : 404, -32001, "Session not found");
		if (message["id"] === undefined) return send(fault === "notification-with-200" ? 200 : 202);
		const answer = answerTo(message);
		if (fault !== "accept-ignored" || accept.includes("text/event-stream")) return send(200, answer);
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.end(`data: ${JSON.stringify(answer)}\n\n`);
	}

	function answerTo(message: JsonObject): Json {
		return parseJsonObject(seededAnswer(seeded, message) ?? "{}") ?? {};
	}

	function stateless(
		request: IncomingMessage,
		text: string,
		send: (status: number, body?: Json) => void,
		refuse: (status: number, code: number, message: string, id?: Json) => void,
	): void {
		if (request.method !== "POST") return send(405);
		const message = parseJsonObject(text);
		if (message === undefined) return refuse(400, -32700, "Parse error");
		const { id = null, method } = message;
		const params = jsonObjectOf(message["params"]);
		const meta = jsonObjectOf(params["_meta"]);
		const named = meta["io.modelcontextprotocol/protocolVersion"];
		const header = request.headers["mcp-protocol-version"];
		received.push(typeof method === "string" ? method : "answer");
		if (message["id"] === undefined) return send(202);
		if (named === undefined && fault !== "meta-not-needed") return refuse(400, -32602, "_meta is missing", id);
		if (named !== undefined && header !== named && fault !== "version-mismatch-ignored")
			return refuse(400, -32020, "Header mismatch", id);
		if (request.headers["mcp-method"] !== method && fault !== "method-header-ignored")
			return refuse(400, -32020, "Header mismatch", id);
		if (named !== undefined && named !== modern && fault !== "revision-ignored")
			return send(400, {
				jsonrpc: "2.0",
				id,
				error: {
					code: -32022,
					message: "Unsupported protocol version",
					data: { supported: [modern], requested: named },
				},
			});
		if (method === "server/discover") {
			const result = {
				resultType: "complete",
				supportedVersions: [modern],
				capabilities: { tools: {} },
				ttlMs: 0,
				cacheScope: "private",
			};
			return send(200, { jsonrpc: "2.0", id, result });
		}
		const answer = jsonObjectOf(answerTo(message));
		const result = answer["result"];
		if (result !== undefined)
			return send(200, {
				...answer,
				result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...jsonObjectOf(result) },
			});
		send(jsonObjectOf(answer["error"])["code"] === -32601 ? 404 : 200, answer);
	}

	function metadata(url: string, send: (status: number, body?: Json) => void): void {
		if (url.startsWith("/.well-known/oauth-protected-resource")) {
			if (fault === "no-resource-metadata") return send(404);
			const resource = fault === "other-resource" ? "https://other.example/mcp" : `${origin}/mcp`;
			const servers = fault === "no-authorization-server" ? [] : [origin];
			const scopes = fault === "scopes-as-text" ? "orders" : ["orders"];
			return send(200, { resource, authorization_servers: servers, scopes_supported: scopes });
		}
		if (url !== "/.well-known/oauth-authorization-server") return send(404);
		send(200, {
			issuer: origin,
			authorization_endpoint: `${origin}/authorize`,
			token_endpoint: `${origin}/token`,
			registration_endpoint: `${origin}/register`,
			response_types_supported: ["code"],
			code_challenge_methods_supported: ["S256"],
		});
	}

	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: `${origin}/mcp`,
		sessions,
		received,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = "";
	for await (const chunk of request) text += String(chunk);
	return text;
}
