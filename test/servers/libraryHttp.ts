import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import {
	NodeStreamableHTTPServerTransport,
	toNodeHandler,
	toWebRequest,
	type NodeIncomingMessageLike,
} from "@modelcontextprotocol/node";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../src/base/json.ts";
import { libraryServer, type LibraryServer } from "./libraryServer.ts";
import { LibraryWorld, type LibraryNews, type LibraryOptions } from "./libraryWorld.ts";
import type { Received } from "./received.ts";
import { noSession } from "./sessionServer.ts";

type HttpReceived = Extract<Received, { kind: "http" }>;

/** Options of a library over HTTP. */
export interface LibraryHttpOptions extends Partial<LibraryOptions> {
	readonly speaks?: "both" | "legacy" | "modern";
	/** Any free one by default. */
	readonly port?: number;
	/** Receives every HTTP request as it arrives. */
	readonly onReceived?: (entry: HttpReceived) => void;
}

/** A library over Streamable HTTP, in this process. */
export interface LibraryHttpServer extends AsyncDisposable {
	readonly url: string;
	readonly world: LibraryWorld;
	/** Every HTTP request so far, oldest first. */
	readonly received: readonly Received[];
	/** Forgets all legacy sessions, so that their ids are answered 404 from now on. */
	loseSessions(): void;
	/** Breaks the open streams, such as those that carry notifications. */
	dropConnections(): void;
}

/** Starts a library on a loopback port. */
export async function startLibraryServer(options: LibraryHttpOptions = {}): Promise<LibraryHttpServer> {
	const { speaks = "both", onReceived } = options;
	const world = new LibraryWorld(options);
	const received: Received[] = [];
	const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
	const libraries = new Map<string, LibraryServer>();
	const modern = createMcpHandler(() => libraryServer(world).server, { legacy: "reject" });
	const handleModern = toNodeHandler(modern);
	world.onNews((news) => {
		tellModern(modern.notify, news);
		for (const library of libraries.values()) void library.announce(news);
	});

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await readBody(request);
		const { method = "", url: path = "" } = request;
		const headers = request.headers as Record<string, string>;
		const entry: HttpReceived = { pid: process.pid, kind: "http", method, path, headers, ...(body && { body }) };
		received.push(entry);
		onReceived?.(entry);
		// The package's own type of a request, which differs from Node's in optional members only.
		const like = request as NodeIncomingMessageLike;
		const isLegacy =
			speaks === "legacy" || (speaks === "both" && (await isLegacyRequest(await toWebRequest(like, body))));
		if (!isLegacy) return handleModern(like, response, body);
		const id = request.headers["mcp-session-id"];
		const session = typeof id === "string" ? sessions.get(id) : await openSession();
		if (session === undefined) {
			response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(noSession));
		} else await session.handleRequest(request, response, body);
	}

	async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
		const library = libraryServer(world);
		const transport = new NodeStreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized(id) {
				sessions.set(id, transport);
				libraries.set(id, library);
			},
			onsessionclosed: forget,
		});
		await library.server.connect(transport);
		return transport;
	}

	function forget(id: string): void {
		sessions.delete(id);
		libraries.delete(id);
	}

	const server = createServer((request, response) => {
		void respond(request, response).catch((error: unknown) => {
			if (!response.headersSent) response.writeHead(500);
			response.end(String(error));
		});
	}).listen(options.port ?? 0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		world,
		received,
		loseSessions() {
			sessions.clear();
			libraries.clear();
		},
		dropConnections: () => server.closeAllConnections(),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

type Notify = ReturnType<typeof createMcpHandler>["notify"];

function tellModern(notify: Notify, news: LibraryNews): void {
	switch (news.kind) {
		case "tools":
			return notify.toolsChanged();
		case "prompts":
			return notify.promptsChanged();
		case "resources":
			return notify.resourcesChanged();
		case "resource":
			return notify.resourceUpdated(news.uri);
		case "elicitation":
			// Revision 2026-07-28 has no such notification.
			return;
	}
}

async function readBody(request: IncomingMessage): Promise<Json | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json);
}
