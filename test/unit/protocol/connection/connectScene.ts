import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { rejectedByUser } from "../../../../src/base/refusal.ts";
import { connect } from "../../../../src/protocol/connection/connect.ts";
import type { Connection, ConnectionHandlers, ConnectRequest } from "../../../../src/protocol/connection.ts";
import type { Launch } from "../../../../src/protocol/launch.ts";
import type { FaultyMode } from "../../../servers/faulty.ts";
import { startHttpServer, type HttpServer, type HttpServerOptions } from "../../../servers/httpServer.ts";
import { processesOf, readReceived, type Received } from "../../../servers/received.ts";
import { launchOf } from "../stdio/processes.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";

/** The folder of the servers. */
export const fixtures = resolve(import.meta.dirname, "../../../servers");
/** How to reach a server over HTTP. */
export const http = (url: string, kind: "http" | "sse" = "http"): Launch => ({ kind, url, headers: {} });

/** The reports of a connection, and the handlers of its requests. */
export class Host implements ConnectionHandlers {
	readonly troubles: string[] = [];
	readonly retries: string[] = [];
	readonly ends: string[] = [];
	readonly logged: unknown[] = [];
	stderr = "";
	createMessage: ConnectionHandlers["createMessage"] = () => Promise.reject(rejectedByUser());
	elicit: ConnectionHandlers["elicit"] = () => Promise.resolve({ action: "decline" });
	wantsTask?: NonNullable<ConnectionHandlers["wantsTask"]>;
	listRoots = (): ReturnType<ConnectionHandlers["listRoots"]> => [{ uri: "file:///root", name: "root" }];
	onListChanged: ConnectionHandlers["onListChanged"] = () => undefined;
	onResourceUpdated = (): void => undefined;
	onLog = (...message: unknown[]): void => void this.logged.push(message);
	onStderr = (text: string): void => void (this.stderr += text);
	onRetry = (why: string): void => void this.retries.push(why);
	onTrouble = (message: string): void => void this.troubles.push(message);
	onClosed = (reason: string): void => void this.ends.push(reason);
}

/** One test's servers, their received messages, and the host that connects to them; all of it ends with the test. */
export class Scene implements AsyncDisposable {
	readonly host = new Host();
	readonly folder = mkdtempSync(join(tmpdir(), "mcp-host-"));
	readonly log = join(this.folder, "received.log");
	private readonly toEnd: (() => PromiseLike<unknown>)[] = [];

	small(era: "both" | "legacy" | "modern"): Launch {
		return launchOf(process.execPath, [join(fixtures, "everythingSmall.ts"), "--era", era, "--log", this.log]);
	}

	faulty(mode: FaultyMode): Launch {
		return launchOf(process.execPath, [join(fixtures, "faulty.ts"), mode, "--log", this.log]);
	}

	async serve(options: HttpServerOptions): Promise<HttpServer> {
		const server = await startHttpServer(options);
		this.toEnd.push(() => server[Symbol.asyncDispose]());
		return server;
	}

	/** A server that never answers; over HTTP+SSE the stream opens, but never names the endpoint. */
	async serveSilence(): Promise<{ readonly url: string; readonly arrived: Promise<unknown> }> {
		const silent = createServer((request, response) => {
			if (request.method === "GET")
				response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
		});
		const arrived = once(silent, "request");
		silent.listen(0, "127.0.0.1");
		await once(silent, "listening");
		this.toEnd.push(() => {
			silent.closeAllConnections();
			return new Promise((closed) => silent.close(closed));
		});
		return { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`, arrived };
	}

	/** The default options of a test. */
	request(launch: Launch): ConnectRequest {
		return {
			launch,
			protocol: "auto",
			verdict: undefined,
			client: { name: "test", title: "Test", version: "0" },
			limits: defaultConnectionLimits,
			network: { environment: {} },
			logLevel: () => "info",
			// Long enough for a process to start on a machine that is busy.
			handshakeTimeoutMs: 60_000,
			probeTimeoutMs: 20_000,
			signal: new AbortController().signal,
			handlers: this.host,
		};
	}

	async connect(launch: Launch, changes: Partial<ConnectRequest> = {}): Promise<Connection> {
		const connection = await connect({ ...this.request(launch), ...changes });
		this.toEnd.push(() => connection.close());
		return connection;
	}

	get received(): readonly Received[] {
		return readReceived(this.log);
	}

	/** How many processes were started. */
	get starts(): number {
		return this.received.filter(({ kind }) => kind === "start").length;
	}

	/** Fails if a process of the servers is still there. */
	expectNoProcess(): void {
		for (const pid of processesOf(this.received)) expect(() => process.kill(pid, 0)).toThrow();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all(this.toEnd.map((end) => end()));
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** The options of a request that is not cancelled. */
export const control = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });
/** The text of a tool's result. */
export const textOf = ({ content }: Awaited<ReturnType<Connection["callTool"]>>): string =>
	content.map((block) => (block.type === "text" ? block.text : "")).join("");
