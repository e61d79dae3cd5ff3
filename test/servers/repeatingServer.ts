import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/base/json.ts";

/** A remote legacy server that repeats its request. */
export interface RepeatingServer extends AsyncDisposable {
	readonly url: string;
	/** How often it has sent its one request. */
	readonly sent: number;
	/** The answers of the client. */
	readonly answers: readonly JsonObject[];
}

/**
 * Starts a server over Streamable HTTP that asks for a completion as soon as the client listens, breaks the stream right
 * behind the request, and sends the same request, with the same id, each time the client listens again; until it is answered.
 */
export async function startRepeatingServer(): Promise<RepeatingServer> {
	let sent = 0;
	const answers: JsonObject[] = [];

	function listen(response: ServerResponse): void {
		response.writeHead(200, { "content-type": "text/event-stream" });
		// The client returns soon, with the id of the last event that it received.
		response.write(`retry: 50\nid: ${sent}\ndata: \n\n`);
		if (answers.length > 0) return;
		sent++;
		const params = { messages: [{ role: "user", content: { type: "text", text: "Are you there?" } }], maxTokens: 10 };
		const request = { jsonrpc: "2.0", id: "once", method: "sampling/createMessage", params };
		response.end(`id: ${sent}\ndata: ${JSON.stringify(request)}\n\n`);
	}

	async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const message = JSON.parse(Buffer.concat(chunks).toString("utf8")) as JsonObject;
		if (!("method" in message)) answers.push(message);
		if (message["id"] === undefined || !("method" in message)) return void response.writeHead(202).end();
		const isFirst = message["method"] === "initialize";
		const result = {
			protocolVersion: "2025-11-25",
			capabilities: {},
			serverInfo: { name: "repeating", version: "1.0.0" },
		};
		const error = { code: -32601, message: "Method not found" };
		response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "one" });
		response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...(isFirst ? { result } : { error }) }));
	}

	const server = createServer((request, response) => {
		if (request.method === "GET") listen(response);
		else if (request.method === "POST") void receive(request, response);
		else response.writeHead(200).end();
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		get sent() {
			return sent;
		},
		answers,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
