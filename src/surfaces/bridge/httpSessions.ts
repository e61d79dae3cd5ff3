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

/**
 * The sessions of clients of revisions before 2026-07-28, which are notified of changes on the stream of a GET. A request
 * of a session that is not known, of another window or given up, is answered without one: its client goes on.
 */
export class HttpSessions implements Disposable {
	private readonly makeServer: MakeServer;
	private readonly calls: Pick<ClientCalls, "leave">;
	private readonly sessions = new Map<string, Session>();

	constructor(makeServer: MakeServer, calls: Pick<ClientCalls, "leave">) {
		this.makeServer = makeServer;
		this.calls = calls;
	}

	/** Answers a request of a session, or one that begins a session; undefined for any other. */
	async answer(key: ClientKey, request: Request, body: JsonObject | undefined): Promise<Response | undefined> {
		const id = request.headers.get("mcp-session-id");
		const known = this.sessions.get(id ?? "");
		const isNew = id === null && isInitializeRequest(body);
		const session = known?.key.id === key.id ? known : isNew ? await this.begin(key) : undefined;
		return session?.transport.handleRequest(request);
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

	private async begin(key: ClientKey): Promise<Session> {
		const [oldest] = this.sessions.keys();
		if (this.sessions.size >= mostSessions && oldest !== undefined) this.end(oldest);
		const id = crypto.randomUUID();
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: () => id,
			onsessionclosed: () => this.end(id),
		});
		const updated = (uri: string): void => void server.sendResourceUpdated({ uri }).catch(() => undefined);
		const connection = { logged: new Set<object>(), updated };
		const server = this.makeServer(key, connection);
		const session = { key, transport, server, connection };
		this.sessions.set(id, session);
		await server.connect(transport);
		return session;
	}

	private end(id: string): void {
		const ended = this.sessions.get(id);
		if (ended === undefined) return;
		this.sessions.delete(id);
		this.calls.leave(ended.connection);
		void ended.server.close().catch(() => undefined);
	}
}
