import {
	isInitializeRequest,
	type Server,
	WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { ListKind } from "../../protocol/connection.ts";
import type { ClientCalls, ClientConnectionState } from "./clientCalls.ts";
import type { ClientKey } from "./clientKeys.ts";
import { linkLimits } from "./link.ts";
import { sendChanged } from "./offeredServer.ts";

/** Makes the server that a session speaks with. */
export type MakeServer = (key: ClientKey, connection: ClientConnectionState) => Server;

interface Session {
	readonly key: ClientKey;
	readonly transport: WebStandardStreamableHTTPServerTransport;
	readonly server: Server;
	readonly connection: ClientConnectionState;
}

/** How many sessions are kept: few clients end theirs. */
const mostSessions = 64;
/** How many ids of ended sessions are remembered. */
const mostEnded = 1000;

/**
 * The sessions of clients of revisions before 2026-07-28, which are notified of changes on the stream of a GET. A request
 * of a session that ended here is refused, so that its client begins another (MCP 2025-11-25, "Session Management"). One
 * that is not known, of another window, is answered without a session: its client goes on.
 */
export class HttpSessions implements Disposable {
	private readonly makeServer: MakeServer;
	private readonly calls: Pick<ClientCalls, "leave">;
	/** The one that was used last comes last. */
	private readonly sessions = new Map<string, Session>();
	private readonly ended = new Set<string>();

	constructor(makeServer: MakeServer, calls: Pick<ClientCalls, "leave">) {
		this.makeServer = makeServer;
		this.calls = calls;
	}

	/** Answers a request of a session, or one that begins a session; undefined for any other. */
	async answer(key: ClientKey, request: Request, body: JsonObject | undefined): Promise<Response | undefined> {
		const id = request.headers.get("mcp-session-id");
		if (id === null) return isInitializeRequest(body) ? this.begin(key, request) : undefined;
		if (this.ended.has(id)) return Response.json(sessionEnded, { status: 404 });
		const session = this.sessions.get(id);
		if (session?.key.id !== key.id) return undefined;
		this.sessions.delete(id);
		this.sessions.set(id, session);
		const response = await session.transport.handleRequest(request);
		return request.method === "GET" ? begun(response) : response;
	}

	/** Notifies the clients that a list changed. */
	notifyChanged(list: ListKind): void {
		for (const { server } of this.sessions.values()) void sendChanged(server, list).catch(() => undefined);
	}

	/** Ends the sessions of the keys that are not kept. */
	retain(isKept: (keyId: string) => boolean): void {
		for (const [id, { key }] of this.sessions) if (!isKept(key.id)) this.end(id);
	}

	dispose(): void {
		this.retain(() => false);
	}

	private async begin(key: ClientKey, request: Request): Promise<Response> {
		if (this.sessions.size >= mostSessions) this.makeRoom();
		const id = crypto.randomUUID();
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: () => id,
			maxRequestBodySize: linkLimits.requestBytes,
			onsessionclosed: () => this.end(id),
		});
		const updated = (uri: string): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
		const connection = { logged: new Set<object>(), updated };
		const server = this.makeServer(key, connection);
		const session = { key, transport, server, connection };
		this.sessions.set(id, session);
		await server.connect(transport);
		const response = await transport.handleRequest(request);
		if (!response.ok) {
			this.end(id);
			// Its client does not know it.
			this.ended.delete(id);
		}
		return response;
	}

	/** Ends the session that was not used for longest, of the key that has most of them. */
	private makeRoom(): void {
		const ofKeys = Map.groupBy(this.sessions, ([, { key }]) => key.id);
		const [most = []] = [...ofKeys.values()].toSorted((one, other) => other.length - one.length);
		const [oldest] = most;
		if (oldest !== undefined) this.end(oldest[0]);
	}

	private end(id: string): void {
		const session = this.sessions.get(id);
		if (session === undefined) return;
		this.sessions.delete(id);
		this.ended.add(id);
		const [first] = this.ended;
		if (this.ended.size > mostEnded && first !== undefined) this.ended.delete(first);
		this.calls.leave(session.connection);
		void session.server.close().catch(() => undefined);
	}
}

const sessionEnded = {
	jsonrpc: "2.0",
	error: { code: -32001, message: "This session has ended. Begin another." },
	id: null,
};

/** A stream that begins at once: the status of a response is sent with its first bytes, and no news may come for long. */
function begun(response: Response): Response {
	if (!response.ok || response.body === null) return response;
	const comment = new TransformStream<Uint8Array, Uint8Array>({
		start: (controller) => controller.enqueue(new TextEncoder().encode(": open\n\n")),
	});
	return new Response(response.body.pipeThrough(comment), response);
}
