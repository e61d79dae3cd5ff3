import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import {
	NodeStreamableHTTPServerTransport,
	toNodeHandler,
	toWebRequest,
	type NodeIncomingMessageLike,
} from "@modelcontextprotocol/node";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../src/base/json.ts";
import type { Received } from "./received.ts";
import { noSession } from "./sessionServer.ts";
import { smallServer, SmallWorld, type Change, type SmallServer } from "./smallServer.ts";
import { SseServerTransport } from "./sseTransport.ts";

/** An answer that is given to every request instead of the protocol. */
export interface CannedAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** Faults on the web. */
export const cannedAnswers = {
	unauthorized: { status: 401, headers: { "www-authenticate": "Bearer" }, body: "" },
	serverError: { status: 500, headers: { "content-type": "text/plain" }, body: "The database is on fire" },
	/** The page of a captive portal. */
	html: { status: 200, headers: { "content-type": "text/html" }, body: "<html><h1>Sign in to the Wi-Fi</h1></html>" },
} satisfies Record<string, CannedAnswer>;

/** Options of a server over HTTP. */
export interface HttpServerOptions {
	/** `both`, `legacy` or `modern` of Streamable HTTP, or the HTTP+SSE of 2024-11-05, which answers 405 to a POST. */
	readonly speaks?: "both" | "legacy" | "modern" | "sse";
	/** A header that every request must have; others are answered 403. */
	readonly requiredHeader?: { readonly name: string; readonly value: string };
	readonly canned?: CannedAnswer;
	/** Answers a request in place of the server, if it returns an answer. */
	readonly intercept?: (request: Extract<Received, { kind: "http" }>) => CannedAnswer | undefined;
	/** The port, such as one that a stopped server had; any free one by default. */
	readonly port?: number;
}

/** The small server over HTTP, in this process. */
export interface HttpServer extends AsyncDisposable {
	/** Where clients connect. */
	readonly url: string;
	readonly port: number;
	/** Every HTTP request so far, oldest first. */
	readonly received: readonly Received[];
	readonly world: SmallWorld;
	/** Forgets all sessions, so that their ids are answered 404 from then on (specification, "Session Management"). */
	loseSessions(): void;
	/** Stops listening and breaks open connections. */
	[Symbol.asyncDispose](): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: Json | undefined) => Promise<void>;

/** Starts a server on a loopback port. */
export async function startHttpServer(options: HttpServerOptions = {}): Promise<HttpServer> {
	const { speaks = "both", requiredHeader, canned, intercept } = options;
	const received: Received[] = [];
	const world = new SmallWorld();
	const connections = new Map<string, Connection>();
	const handle = speaks === "sse" ? sseHandler(world, connections) : streamableHandler(world, connections, speaks);

	const server = createServer((request, response) => {
		void respond(request, response).catch((error: unknown) => {
			if (!response.headersSent) response.writeHead(500);
			response.end(String(error));
		});
	});
	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await readBody(request);
		const { method = "", url: path = "" } = request;
		const headers = request.headers as Record<string, string>;
		const entry = {
			pid: process.pid,
			kind: "http" as const,
			method,
			path,
			headers,
			...(body === undefined ? {} : { body }),
		};
		received.push(entry);
		const answer = canned ?? intercept?.(entry);
		if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body);
		else if (
			requiredHeader !== undefined &&
			request.headers[requiredHeader.name.toLowerCase()] !== requiredHeader.value
		) {
			response.writeHead(403, { "content-type": "text/plain" }).end(`The header ${requiredHeader.name} is missing`);
		} else await handle(request, response, body);
	}

	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	world.onDidChange((change) => {
		for (const { small } of connections.values()) void small.announce(change);
	});
	return {
		url: `http://127.0.0.1:${port}/${speaks === "sse" ? "sse" : "mcp"}`,
		port,
		received,
		world,
		loseSessions: () => connections.clear(),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A legacy session: revision 2026-07-28 has none. */
interface Connection {
	readonly small: SmallServer;
	readonly handle: Handler;
}

function streamableHandler(
	world: SmallWorld,
	connections: Map<string, Connection>,
	speaks: "both" | "legacy" | "modern",
): Handler {
	const modern = createMcpHandler(() => smallServer(world).server, { legacy: "reject" });
	const handleModern = toNodeHandler(modern);
	const announce: Readonly<Record<Change, () => void>> = {
		tools: () => modern.notify.toolsChanged(),
		prompts: () => modern.notify.promptsChanged(),
		resources: () => modern.notify.resourcesChanged(),
		resource: () => modern.notify.resourceUpdated("small://counter"),
	};
	world.onDidChange((change) => announce[change]());
	return async (request, response, body) => {
		// The package's own type of a request, which differs from Node's in optional members only.
		const like = request as NodeIncomingMessageLike;
		const isLegacy =
			speaks === "legacy" || (speaks === "both" && (await isLegacyRequest(await toWebRequest(like, body))));
		if (!isLegacy) return handleModern(like, response, body);
		const id = request.headers["mcp-session-id"];
		if (typeof id !== "string") return openSession(world, connections, request, response, body);
		const connection = connections.get(id);
		if (connection === undefined) refuseSession(response);
		else await connection.handle(request, response, body);
	};
}

function refuseSession(response: ServerResponse): void {
	response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(noSession));
}

async function openSession(
	world: SmallWorld,
	connections: Map<string, Connection>,
	request: IncomingMessage,
	response: ServerResponse,
	body: Json | undefined,
): Promise<void> {
	const small = smallServer(world);
	const transport = new NodeStreamableHTTPServerTransport({
		sessionIdGenerator: randomUUID,
		onsessioninitialized(id) {
			connections.set(id, { small, handle: (...args) => transport.handleRequest(...args) });
		},
		onsessionclosed: (id) => void connections.delete(id),
	});
	await small.server.connect(transport);
	await transport.handleRequest(request, response, body);
}

function sseHandler(world: SmallWorld, connections: Map<string, Connection>): Handler {
	return async (request, response, body) => {
		const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
		if (pathname === "/sse" && request.method === "GET") {
			const id = randomUUID();
			const transport = new SseServerTransport(response, `/messages?session=${id}`);
			const small = smallServer(world);
			connections.set(id, { small, handle: (...args) => transport.handlePost(...args) });
			response.once("close", () => connections.delete(id));
			await small.server.connect(transport);
			return;
		}
		const connection = connections.get(searchParams.get("session") ?? "");
		if (pathname === "/messages" && connection !== undefined) await connection.handle(request, response, body);
		else response.writeHead(pathname === "/sse" ? 405 : 404).end();
	};
}

async function readBody(request: IncomingMessage): Promise<Json | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json);
}
