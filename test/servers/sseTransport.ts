import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "../../src/base/json.ts";

/** The server's side of the HTTP+SSE transport (specification 2024-11-05), which the SDK's server no longer has. */
export class SseServerTransport implements Transport {
	onclose?: () => void;
	onmessage?: (message: JSONRPCMessage) => void;
	private readonly stream: ServerResponse;
	private readonly endpoint: string;

	/** `stream` answers the client's GET; `endpoint` is where the client shall post its messages. */
	constructor(stream: ServerResponse, endpoint: string) {
		this.stream = stream;
		this.endpoint = endpoint;
	}

	async start(): Promise<void> {
		this.stream.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
		this.stream.write(`event: endpoint\ndata: ${this.endpoint}\n\n`);
		this.stream.once("close", () => this.onclose?.());
	}

	async send(message: JSONRPCMessage): Promise<void> {
		this.stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
	}

	async close(): Promise<void> {
		this.stream.end();
	}

	/** Takes a message that the client posted; the answer goes over the stream. */
	async handlePost(_request: IncomingMessage, response: ServerResponse, body: Json | undefined): Promise<void> {
		response.writeHead(202).end("Accepted");
		this.onmessage?.(body as JSONRPCMessage);
	}
}
