import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from "@modelcontextprotocol/node";
import type { NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../src/base/json.ts";
import { samplingServer } from "./samplingServer.ts";
import { noSession } from "./sessionServer.ts";

/** Options of the sampling server over HTTP. */
export interface SamplingHttpOptions {
	readonly speaks?: "both" | "legacy" | "modern";
	/** Any free one by default. */
	readonly port?: number;
	readonly name?: string;
}

/** The sampling server over Streamable HTTP, in this process. */
export interface SamplingHttpServer extends AsyncDisposable {
	readonly url: string;
}

/** Starts the sampling server on a loopback port. */
export async function startSamplingServer(options: SamplingHttpOptions = {}): Promise<SamplingHttpServer> {
	const { speaks = "both", port = 0, name } = options;
	const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
	const handleModern = toNodeHandler(createMcpHandler(() => samplingServer(name), { legacy: "reject" }));

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await readBody(request);
		// The package's own type of a request, which differs from Node's in optional members only.
		const like = request as NodeIncomingMessageLike;
		const isLegacy =
			speaks === "legacy" || (speaks === "both" && (await isLegacyRequest(await toWebRequest(like, body))));
		if (!isLegacy) return handleModern(like, response, body);
		const id = request.headers["mcp-session-id"];
		const session = typeof id === "string" ? sessions.get(id) : await openSession();
		if (session === undefined)
			response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(noSession));
		else await session.handleRequest(request, response, body);
	}

	async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
		const transport = new NodeStreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: (id) => void sessions.set(id, transport),
			onsessionclosed: (id) => void sessions.delete(id),
		});
		await samplingServer(name).connect(transport);
		return transport;
	}

	const server = createServer((request, response) => {
		void respond(request, response).catch((error: unknown) => {
			if (!response.headersSent) response.writeHead(500);
			response.end(String(error));
		});
	}).listen(port, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function readBody(request: IncomingMessage): Promise<Json | undefined> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json);
}
