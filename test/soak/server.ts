/**
 * The soak's servers, by hand so that what they do is what they count: `node server.ts stdio <log>` serves one client,
 * `node server.ts web <log of http> <log of sse>` serves Streamable HTTP at /mcp and HTTP+SSE at /sse, reports the port
 * to its parent by IPC, and takes orders there. Each carried out call is a line in the log, so that no death loses it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeMessage } from "../servers/lineServer.ts";
import { onLines } from "../servers/received.ts";
import { Sse, StreamableHttp } from "./httpServers.ts";
import { SoakPeer, type Message } from "./peer.ts";

/** The orders for the web servers. */
export type Order = { readonly kind: "loss" } | { readonly kind: "cut"; readonly server: "http" | "sse" };
/** Their reports. */
export type News = { readonly kind: "listening"; readonly port: number } | { readonly kind: "done" };

const [mode, ...logs] = process.argv.slice(2);
if (mode === "stdio") serveStdio(logs[0] ?? "");
else serveWeb(logs[0] ?? "", logs[1] ?? "");

function serveStdio(log: string): void {
	const peer = new SoakPeer(log, writeMessage);
	onLines(process.stdin, (line) => peer.accept(JSON.parse(line) as Message, writeMessage));
	// The interval of the peer would keep the process alive.
	process.stdin.on("end", () => process.exit());
}

function serveWeb(httpLog: string, sseLog: string): void {
	const http = new StreamableHttp(httpLog);
	const sse = new Sse(sseLog);
	const server = createServer((request, response) => {
		void respond(request, response);
	});
	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
		const body = await readBody(request);
		if (pathname === "/mcp") http.handle(request, response, body);
		else if (pathname === "/sse" && request.method === "GET") sse.open(response);
		else if (pathname === "/messages") sse.post(searchParams.get("session") ?? "", response, body);
		else response.writeHead(405).end();
	}
	// Idle connections close soon, so that only leaks are left at the end of the soak.
	server.keepAliveTimeout = 2000;
	const tell = (news: News): void => void process.send?.(news);
	server.listen(0, "127.0.0.1", () => tell({ kind: "listening", port: (server.address() as AddressInfo).port }));
	process.on("message", (order: Order) => {
		if (order.kind === "loss") http.forget();
		else (order.server === "http" ? http : sse).cut();
		tell({ kind: "done" });
	});
	process.on("disconnect", () => process.exit());
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}
