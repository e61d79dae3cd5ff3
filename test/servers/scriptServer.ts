import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";

/** One request as a scripted server sees it. */
export interface ScriptRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The JSON-RPC message; empty where there is none. */
	readonly message: JsonObject;
	readonly response: ServerResponse;
	/** Answers with a JSON-RPC result to the message. */
	reply(result: Json): void;
}

/**
 * A server over HTTP whose every answer a test writes; `initialize`, `ping` and notifications are answered
 * automatically.
 */
export interface ScriptServer extends AsyncDisposable {
	readonly url: string;
	readonly received: readonly ScriptRequest[];
	/** Answers the following requests. */
	onRequest(answer: (request: ScriptRequest) => void): void;
	/** Answers everything that follows, the handshake included. */
	onEvery(answer: (request: ScriptRequest) => void): void;
}

/** The answer of a legacy server to `initialize`. */
export const initialized: JsonObject = {
	protocolVersion: "2025-11-25",
	capabilities: { tools: {}, resources: {} },
	serverInfo: { name: "script", version: "1" },
};

/** Starts a scripted server on loopback. */
export async function startScriptServer(): Promise<ScriptServer> {
	const received: ScriptRequest[] = [];
	let answer: ((request: ScriptRequest) => void) | undefined;
	let every: ((request: ScriptRequest) => void) | undefined;
	const server = createServer((request, response) => {
		void (async () => {
			const one = await read(request, response);
			received.push(one);
			if (every !== undefined) every(one);
			else if (one.message["method"] === "initialize") one.reply(initialized);
			else if (one.message["method"] === "ping") one.reply({});
			else if (one.method === "POST" && !Object.hasOwn(one.message, "id")) response.writeHead(202).end();
			else if (answer === undefined || one.message["method"] === "server/discover") response.writeHead(405).end();
			else answer(one);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		received,
		onRequest: (next) => void (answer = next),
		onEvery: (next) => void (every = next),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function read(request: IncomingMessage, response: ServerResponse): Promise<ScriptRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString("utf8");
	const body: Json = text === "" ? {} : (JSON.parse(text) as Json);
	const message = isJsonObject(body) ? body : {};
	return {
		method: request.method ?? "",
		path: request.url ?? "",
		headers: request.headers as Record<string, string>,
		message,
		response,
		reply(result) {
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"] ?? null, result }));
		},
	};
}
