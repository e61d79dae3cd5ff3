import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { legacyMethods, type Reply } from "./lineServer.ts";

/** The fault of a request in place of the correct answer. */
export type Mishap =
	| { readonly status: number; readonly body?: Json }
	/** The connection is destroyed. */
	| "reset"
	/** An event stream opens and ends without the answer. */
	| "cut"
	/** No answer arrives. */
	| "silence";

/** Options of a hand-written legacy server over Streamable HTTP. */
export interface SessionServerOptions {
	/** In place of, or beside, those of `legacyMethods`. A promise delays the answer. */
	readonly methods?: Readonly<Record<string, (params: JsonObject) => Reply | Promise<Reply>>>;
	/** The fault of a request, if any. */
	readonly mishap?: (message: JsonObject, session: string | undefined) => Mishap | undefined;
	/** The answer for an unknown session; 404 with an error without a request id by default. */
	readonly unknownSession?: Mishap;
}

/** A server in this process that records how a client handles sessions and broken connections. */
export interface SessionServer extends AsyncDisposable {
	readonly url: string;
	/** The methods of the received messages, in their order, and `DELETE`. */
	readonly received: readonly string[];
	/** The parameters of the received messages of one method. */
	paramsOf(method: string): readonly JsonObject[];
	/** The open event streams of the server's own messages. */
	readonly streams: ReadonlySet<ServerResponse>;
	/** Forgets all sessions. */
	loseSessions(): void;
	/** Writes a message to the open event streams. */
	push(message: JsonObject): void;
	/** Breaks open connections and stops listening. */
	stop(): Promise<void>;
}

/** Starts a server on a loopback port. */
export async function startSessionServer(options: SessionServerOptions = {}): Promise<SessionServer> {
	const { mishap, unknownSession = { status: 404, body: noSession } } = options;
	const methods = { ...legacyMethods, ...options.methods };
	const sessions = new Set<string>();
	const streams = new Set<ServerResponse>();
	const messages: JsonObject[] = [];
	const received: string[] = [];
	const server = createServer((request, response) => void respond(request, response));

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const id = request.headers["mcp-session-id"] as string | undefined;
		if (request.method === "DELETE") {
			received.push("DELETE");
			sessions.delete(id ?? "");
			response.writeHead(200).end();
			return;
		}
		if (request.method === "GET") {
			if (!sessions.has(id ?? "")) return meet(unknownSession, response);
			response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
			streams.add(response);
			response.once("close", () => streams.delete(response));
			return;
		}
		const message = await readMessage(request);
		const method = typeof message["method"] === "string" ? message["method"] : "answer";
		received.push(method);
		messages.push(message);
		if (method !== "initialize" && !sessions.has(id ?? "")) return meet(unknownSession, response);
		const wrong = mishap?.(message, id);
		if (wrong !== undefined) return meet(wrong, response);
		if (message["id"] === undefined || message["method"] === undefined) {
			response.writeHead(202).end();
			return;
		}
		const reply = await (methods[method]?.(message["params"] as JsonObject) ?? unknownMethod);
		if (reply === "silence") return;
		const headers: Record<string, string> = { "content-type": "application/json" };
		if (method === "initialize") {
			const session = randomUUID();
			sessions.add(session);
			headers["mcp-session-id"] = session;
		}
		response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...reply }));
	}

	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const stop = async (): Promise<void> => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		received,
		streams,
		paramsOf: (method) =>
			messages.filter((message) => message["method"] === method).map(({ params }) => (params ?? {}) as JsonObject),
		loseSessions: () => sessions.clear(),
		push(message) {
			for (const stream of streams) stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
		},
		stop,
		[Symbol.asyncDispose]: stop,
	};
}

/** The answer of the SDK's servers for an unknown session. */
export const noSession: JsonObject = {
	jsonrpc: "2.0",
	id: null,
	error: { code: -32_001, message: "Session not found" },
};
const unknownMethod: Reply = { error: { code: -32601, message: "Method not found" } };

function meet(wrong: Mishap, response: ServerResponse): void {
	if (wrong === "reset") response.destroy();
	else if (wrong === "cut") response.writeHead(200, { "content-type": "text/event-stream" }).end(": no answer\n\n");
	else if (wrong !== "silence") {
		const body = wrong.body === undefined ? "" : JSON.stringify(wrong.body);
		response.writeHead(wrong.status, { "content-type": "application/json" }).end(body);
	}
}

async function readMessage(request: IncomingMessage): Promise<JsonObject> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString("utf8")) as JsonObject;
}

/** The answer to `initialize` of a server with these capabilities. */
export function initialized(capabilities: JsonObject, protocolVersion = "2025-11-25"): Reply {
	return { result: { protocolVersion, capabilities, serverInfo: { name: "sessions", version: "1.0.0" } } };
}
