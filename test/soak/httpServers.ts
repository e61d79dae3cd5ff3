import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { noSession } from "../servers/sessionServer.ts";
import { SoakPeer, type Message } from "./peer.ts";

/** Writes an event of a stream; a stream that was cut accepts no more. */
function writeEvent(stream: ServerResponse, message: object): void {
	if (!stream.destroyed) stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
}

function openStream(stream: ServerResponse): void {
	stream.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	stream.flushHeaders();
}

/** Streamable HTTP with sessions: quick answers as JSON, slow ones on a stream that can be cut. */
export class StreamableHttp {
	private readonly log: string;
	private readonly sessions = new Map<string, { readonly peer: SoakPeer; listening: ServerResponse | undefined }>();
	private readonly streams = new Set<ServerResponse>();

	constructor(log: string) {
		this.log = log;
	}

	handle(request: IncomingMessage, response: ServerResponse, body: string): void {
		const message = body === "" ? undefined : (JSON.parse(body) as Message);
		if (message?.method === "initialize") return this.initialize(message, response);
		const id = String(request.headers["mcp-session-id"]);
		const session = this.sessions.get(id);
		if (message?.method === "server/discover") answerJson(response, SoakPeer.unknownMethod(message));
		else if (session === undefined)
			response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(noSession));
		else if (request.method === "DELETE") {
			this.end(id);
			response.writeHead(200).end();
		} else if (request.method === "GET") {
			session.listening = this.track(response);
			openStream(response);
		} else if (message !== undefined) this.accept(session.peer, message, response);
	}

	/** Forgets every session; calls that are being answered still are. */
	forget(): void {
		for (const id of this.sessions.keys()) this.end(id);
	}

	/** Breaks every open stream. */
	cut(): void {
		for (const stream of this.streams) stream.destroy();
	}

	private initialize(message: Message, response: ServerResponse): void {
		const id = randomUUID();
		const session = {
			peer: new SoakPeer(this.log, (notification) => {
				if (session.listening !== undefined) writeEvent(session.listening, notification);
			}),
			listening: undefined as ServerResponse | undefined,
		};
		this.sessions.set(id, session);
		session.peer.accept(message, (answer) => answerJson(response.setHeader("mcp-session-id", id), answer));
	}

	private accept(peer: SoakPeer, message: Message, response: ServerResponse): void {
		if (message.id === undefined) {
			peer.accept(message, () => undefined);
			response.writeHead(202).end();
			return;
		}
		if (!peer.isSlow(message)) return peer.accept(message, (answer) => answerJson(response, answer));
		this.track(response);
		openStream(response);
		peer.accept(message, (answer) => {
			writeEvent(response, answer);
			if (!("method" in answer)) response.end();
		});
	}

	private track(stream: ServerResponse): ServerResponse {
		this.streams.add(stream);
		return stream.once("close", () => this.streams.delete(stream));
	}

	private end(id: string): void {
		const session = this.sessions.get(id);
		session?.peer.dispose();
		session?.listening?.end();
		this.sessions.delete(id);
	}
}

/** The HTTP+SSE of 2024-11-05: one stream for everything, which is the session. */
export class Sse {
	private readonly log: string;
	private readonly sessions = new Map<string, { readonly peer: SoakPeer; readonly stream: ServerResponse }>();

	constructor(log: string) {
		this.log = log;
	}

	open(stream: ServerResponse): void {
		const id = randomUUID();
		const peer = new SoakPeer(this.log, (notification) => writeEvent(stream, notification));
		this.sessions.set(id, { peer, stream });
		openStream(stream);
		stream.write(`event: endpoint\ndata: /messages?session=${id}\n\n`);
		stream.once("close", () => {
			this.sessions.delete(id);
			peer.dispose();
		});
	}

	post(id: string, response: ServerResponse, body: string): void {
		const session = this.sessions.get(id);
		if (session === undefined) {
			response.writeHead(404).end();
			return;
		}
		response.writeHead(202).end("Accepted");
		session.peer.accept(JSON.parse(body) as Message, (answer) => writeEvent(session.stream, answer));
	}

	cut(): void {
		for (const { stream } of this.sessions.values()) stream.destroy();
	}
}

function answerJson(response: ServerResponse, message: object): void {
	response.writeHead(200, { "content-type": "application/json" });
	response.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
}
