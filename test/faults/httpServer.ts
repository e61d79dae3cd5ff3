import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import type { Carrier, Phase, ServerSide } from "./fault.ts";
import { Peer, type Channel } from "./peer.ts";

/** One received request. */
export interface Arrived {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly message: JsonObject | undefined;
	/** When, in milliseconds of the monotonic clock. */
	readonly at: number;
}

/** A fault server over HTTP, in the process of the trial. */
export interface HttpFaultServer extends AsyncDisposable {
	readonly url: string;
	readonly arrived: readonly Arrived[];
	/** The nonces that its tool `count` counted. */
	readonly counted: readonly string[];
	/** How often the fault struck. */
	readonly strikes: number;
	/** Switches the fault off for good. */
	heal(): void;
	/** Breaks all connections and listens no more. */
	goAway(): Promise<void>;
	/** Listens again where it did. */
	comeBack(): Promise<void>;
}

/** Starts a server on a loopback port: Streamable HTTP with sessions, or HTTP+SSE. */
export async function startHttpFaultServer(
	fault: ServerSide,
	phase: Phase,
	carrier: Exclude<Carrier, "stdio">,
): Promise<HttpFaultServer> {
	const arrived: Arrived[] = [];
	const counted: string[] = [];
	let strikes = 0;
	let isOn = true;
	/** The event stream for messages without a request. */
	let stream: ServerResponse | undefined;
	const push: Channel = {
		send: (message) => void stream?.write(eventOf(message)),
		raw: (bytes) => void stream?.write(bytes),
		end() {},
		stream: () => stream,
	};
	const peer = new Peer(fault, phase, carrier, {
		isOn: () => isOn,
		counted: (nonce) => void counted.push(nonce),
		struck: () => void strikes++,
		push,
	});

	function openStream(response: ServerResponse): void {
		stream = response;
		response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
		response.flushHeaders();
		if (carrier === "sse") response.write(`event: endpoint\ndata: /messages\n\n`);
		response.once("close", () => {
			if (stream === response) stream = undefined;
		});
	}

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		// A host that is cut off in the middle of a request is not a fault of this server.
		request.on("error", () => undefined);
		response.on("error", () => undefined);
		const body = await bodyOf(request);
		const message = isJsonObject(body) ? body : undefined;
		const { method = "", url: path = "", headers } = request;
		arrived.push({ method, path, headers, message, at: performance.now() });
		const http = { request, response };
		if (!["/mcp", "/sse", "/messages"].includes(path)) response.writeHead(404).end();
		else if (method === "GET") {
			if (peer.receiveGet({ ...push, http })) return;
			// Streamable HTTP has a stream of its own for a session only.
			if (carrier === "http" && headers["mcp-session-id"] === undefined) response.writeHead(405).end();
			else openStream(response);
		} else if (method !== "POST" || message === undefined) response.writeHead(method === "DELETE" ? 200 : 405).end();
		else if (carrier === "sse") {
			if (path === "/messages") peer.receive(message, { ...acceptedOver(http, () => stream), http });
			else response.writeHead(405).end();
		} else peer.receive(message, { ...streamedOver(http, message), http });
	}

	const server = createServer((request, response) => {
		void respond(request, response).catch((error: unknown) => {
			if (!response.headersSent) response.writeHead(500);
			response.end(String(error));
		});
	});
	const listen = (port: number): Promise<void> =>
		new Promise((resolve, reject) => {
			server.once("error", reject).listen(port, "127.0.0.1", resolve);
		});
	const goAway = async (): Promise<void> => {
		if (!server.listening) return;
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	};
	await listen(0);
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/${carrier === "sse" ? "sse" : "mcp"}`,
		arrived,
		counted,
		get strikes() {
			return strikes;
		},
		heal() {
			isOn = false;
		},
		goAway,
		comeBack: () => listen(port),
		[Symbol.asyncDispose]: goAway,
	};
}

/** One event of a stream. */
export function eventOf(message: string): string {
	return `event: message\n${message.replace(/^/gm, "data: ")}\n\n`;
}

/** HTTP+SSE: the request is accepted at once, the answer comes over the stream. */
function acceptedOver(
	{ response }: { readonly response: ServerResponse },
	stream: () => ServerResponse | undefined,
): Channel {
	const accept = (): void => {
		if (!response.headersSent) response.writeHead(202).end("Accepted");
	};
	const raw = (bytes: string | Uint8Array): void => {
		accept();
		stream()?.write(bytes);
	};
	return { send: (message) => raw(eventOf(message)), raw, end: accept, stream };
}

/** Streamable HTTP: the answer is a stream of events, which ends with the request; 202 for what needs no answer. */
function streamedOver({ response }: { readonly response: ServerResponse }, message: JsonObject): Channel {
	const session = message["method"] === "initialize" ? { "mcp-session-id": randomUUID() } : {};
	const raw = (bytes: string | Uint8Array): void => {
		if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream", ...session });
		response.write(bytes);
	};
	return {
		send: (text) => raw(eventOf(text)),
		raw,
		stream: () => response,
		end() {
			if (!response.headersSent) response.writeHead(202);
			response.end();
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<Json | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	try {
		return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json;
	} catch {
		return undefined;
	}
}
