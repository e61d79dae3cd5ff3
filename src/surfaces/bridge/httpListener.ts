import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpHttpHandler, type Server as OfferedServer } from "@modelcontextprotocol/server";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { jsonObjectOf } from "../../base/guards.ts";
import { type JsonObject, parseJsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { ListKind } from "../../protocol/connection.ts";
import { makeRoom } from "../../protocol/http/makeRoom.ts";
import type { ClientCalls, ClientConnectionState } from "./clientCalls.ts";
import type { ClientKey, ClientKeys } from "./clientKeys.ts";
import { mostFollowed } from "./clientSubscriptions.ts";
import { HttpSessions } from "./httpSessions.ts";
import { httpPath } from "./httpRows.ts";
import { type ClaimedClient, linkLimits } from "./link.ts";
import { claimedClient, makeOfferedServer, type Relayed } from "./offeredServer.ts";
import type { Peer } from "./program.ts";

/** The dependencies of serving over HTTP. */
export interface HttpServices {
	readonly port: number;
	readonly version: string;
	readonly keys: Pick<ClientKeys, "find" | "has" | "onDidChange">;
	readonly calls: Pick<ClientCalls, "handle" | "leave">;
}

/** A `subscriptions/listen`, for as long as its answer is read. */
interface Listen {
	readonly key: ClientKey;
	readonly client: ClaimedClient;
	readonly connection: ClientConnectionState;
	/** The resources that are not followed yet: no server lists them, or a server is still starting. */
	readonly missing: Set<string>;
}

/** How long a client may take to send a request, in milliseconds. */
const sendingMs = 30_000;
const bodyLimit = { maxRequestBodySize: linkLimits.requestBytes };

/**
 * Serves clients that have a key, over Streamable HTTP, at a port of the loopback interface. A web page cannot reach
 * it: neither its host nor its origin is right, and it has no key (GST-15).
 */
export class HttpListener implements Disposable {
	private readonly services: HttpServices;
	private readonly server: Server;
	/** One for each key, so that a client receives the news that it asked for, and no others. */
	private readonly handlers = new Map<string, McpHttpHandler>();
	/** The changed resources that are published together, once each. */
	private readonly updates = new Map<McpHttpHandler, Set<string>>();
	private readonly listens = new Set<Listen>();
	private readonly sessions: HttpSessions;
	private readonly heard: Disposable;

	private constructor(services: HttpServices) {
		this.services = services;
		this.sessions = new HttpSessions((key, connection) => this.makeServer(key, connection, false), services.calls);
		this.server = createServer({ headersTimeout: sendingMs, requestTimeout: sendingMs }, (request, response) => {
			void this.take(request, response).catch(() => refuse(response, 500, "The request failed."));
		});
		makeRoom(this.server);
		this.heard = services.keys.onDidChange(() => this.dropRevoked());
	}

	/**
	 * Opens the port.
	 * @throws Error in a sentence if it cannot be used.
	 */
	static async open(services: HttpServices): Promise<HttpListener> {
		const listener = new HttpListener(services);
		const { server } = listener;
		server.listen(services.port, "127.0.0.1");
		try {
			await once(server, "listening");
		} catch (error) {
			const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
			const why = isTaken ? "is in use, by another window or another program" : "cannot be opened";
			throw new Error(`Port ${services.port} ${why}.`, { cause: error });
		}
		server.on("error", () => undefined);
		return listener;
	}

	/** Notifies the clients that a list changed. */
	notifyChanged(list: ListKind): void {
		if (list === "resources") for (const listen of this.listens) void this.follow(listen);
		this.sessions.notifyChanged(list);
		for (const { notify } of this.handlers.values()) {
			if (list === "tools") notify.toolsChanged();
			else if (list === "prompts") notify.promptsChanged();
			else notify.resourcesChanged();
		}
	}

	dispose(): void {
		this.heard.dispose();
		this.sessions.dispose();
		this.server.close();
		this.server.closeAllConnections();
		for (const handler of this.handlers.values()) void handler.close();
		this.handlers.clear();
	}

	/** Ends what clients of revoked keys listen to. */
	private dropRevoked(): void {
		const { keys } = this.services;
		this.sessions.retain((id) => keys.has(id));
		for (const [id, handler] of this.handlers) {
			if (keys.has(id)) continue;
			this.handlers.delete(id);
			void handler.close();
		}
	}

	private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { headers, method = "GET", url = "/" } = request;
		const own = [`127.0.0.1:${this.services.port}`, `localhost:${this.services.port}`];
		if (!own.includes(headers.host ?? "")) return refuse(response, 403, "The Host header is not this address.");
		if (headers.origin !== undefined && !own.some((host) => headers.origin === `http://${host}`))
			return refuse(response, 403, "Web pages of other origins cannot use this address.");
		if (url.split("?", 1)[0] !== httpPath) return refuse(response, 404, `The server is at ${httpPath}.`);
		const sent = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? "")?.[1];
		const key = sent === undefined ? undefined : await this.services.keys.find(sent);
		if (key === undefined) {
			response.setHeader("WWW-Authenticate", "Bearer");
			return refuse(response, 401, "A key is needed, and this one is missing, wrong or revoked.");
		}
		const handler = this.handlers.get(key.id) ?? this.makeHandler(key);
		this.handlers.set(key.id, handler);
		await toNodeHandler(
			{ fetch: (one, options) => this.answer(key, handler, one, response, () => handler.fetch(one, options)) },
			bodyLimit,
		)(Object.assign(request, { method, url }), response);
	}

	private makeHandler(key: ClientKey): McpHttpHandler {
		return createMcpHandler(({ era }) => {
			const connection = { logged: new Set<object>(), updated: () => undefined };
			return this.makeServer(key, connection, era === "legacy");
		}, bodyLimit);
	}

	private makeServer(key: ClientKey, connection: ClientConnectionState, isOneRequest: boolean): OfferedServer {
		const { version } = this.services;
		return makeOfferedServer({ version, isOneRequest, relay: (relayed) => this.relay(key, connection, relayed) });
	}

	private relay(key: ClientKey, connection: ClientConnectionState, relayed: Relayed): Promise<JsonObject> {
		const { method, params, client, signal = new AbortController().signal, onProgress, onLog } = relayed;
		return this.services.calls.handle(method, params, {
			peer: peerOf(key),
			client: { ...client, name: client.name === "" ? key.name : client.name },
			signal,
			connection,
			...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress(jsonObjectOf(progress)) }),
			...(onLog === undefined ? {} : { onLog }),
		});
	}

	/**
	 * Answers a request. Subscribes to the resources that a `subscriptions/listen` names, for as long as its answer is
	 * read.
	 */
	private async answer(
		key: ClientKey,
		handler: McpHttpHandler,
		request: Request,
		response: ServerResponse,
		alone: () => Promise<Response>,
	): Promise<Response> {
		const body = request.method === "POST" ? parseJsonObject(await request.clone().text()) : undefined;
		const ofSession = await this.sessions.answer(key, request, body);
		if (ofSession !== undefined) return ofSession;
		const params = jsonObjectOf(body?.["params"]);
		const uris = jsonObjectOf(params["notifications"])["resourceSubscriptions"];
		if (body?.["method"] !== "subscriptions/listen" || !Array.isArray(uris)) return alone();
		const listen: Listen = {
			key,
			client: claimedClient(jsonObjectOf(params["_meta"])) ?? { name: "", version: "" },
			connection: { logged: new Set<object>(), updated: (uri: string) => this.publish(handler, uri) },
			missing: new Set(uris.filter((uri) => typeof uri === "string").slice(0, mostFollowed)),
		};
		this.listens.add(listen);
		const end = (): void => {
			this.listens.delete(listen);
			this.services.calls.leave(listen.connection);
		};
		response.once("close", end);
		if (response.closed) end();
		await this.follow(listen);
		return alone();
	}

	/** Subscribes to what a client wants to follow, as far as servers list it. */
	private async follow(listen: Listen): Promise<void> {
		const { key, client, connection, missing } = listen;
		const follow = async (uri: string): Promise<void> => {
			await this.relay(key, connection, { method: "resources/subscribe", params: { uri }, client });
			missing.delete(uri);
		};
		await Promise.allSettled([...missing].map(follow));
		if (!this.listens.has(listen)) this.services.calls.leave(connection);
	}

	/** Publishes a change to the streams of a key, once however many of them follow the resource. */
	private publish(handler: McpHttpHandler, uri: string): void {
		const waiting = this.updates.get(handler);
		if (waiting !== undefined) return void waiting.add(uri);
		const changed = new Set([uri]);
		this.updates.set(handler, changed);
		queueMicrotask(() => {
			this.updates.delete(handler);
			for (const one of changed) handler.notify.resourceUpdated(one);
		});
	}
}

function peerOf({ id, name }: ClientKey): Peer {
	return { pid: 0, chain: [], isProven: true, clientKey: { id, name } };
}

function refuse(response: ServerResponse, status: number, why: string): void {
	if (response.headersSent) return void response.destroy();
	response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" }).end(`${why}\n`);
}
