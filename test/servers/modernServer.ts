import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import type { Reply } from "./lineServer.ts";

/** The tool that each such server lists; with `x-mcp-header` its calls carry a header of the argument `topic`. */
export const researchTool = {
	name: "research",
	inputSchema: { type: "object", properties: { topic: { type: "string" } } },
} as const;

/** How a hand-written server of revision 2026-07-28 over Streamable HTTP answers: by method; a promise delays the answer. */
export type ModernMethods = Readonly<Record<string, (params: JsonObject) => Reply | Promise<Reply>>>;

/** A stateless server in this process. */
export interface ModernServer extends AsyncDisposable {
	readonly url: string;
	/** The parameters of the messages of one method that came. */
	paramsOf(method: string): readonly JsonObject[];
	/** The HTTP headers of the messages of one method that came. */
	headersOf(method: string): readonly IncomingHttpHeaders[];
}

/** Starts a server on a loopback port, which offers tools and the extensions that are named. */
export async function startModernServer(
	methods: ModernMethods,
	extensions: JsonObject = { "io.modelcontextprotocol/tasks": {} },
): Promise<ModernServer> {
	const received: { readonly message: JsonObject; readonly headers: IncomingHttpHeaders }[] = [];
	const cached = { ttlMs: 0, cacheScope: "private" };
	const all: ModernMethods = {
		"server/discover": () => ({
			result: { ...cached, supportedVersions: ["2026-07-28"], capabilities: { tools: {}, extensions } },
		}),
		"tools/list": () => ({ result: { ...cached, tools: [researchTool] } }),
		...methods,
	};
	const server = createServer((request, response) => {
		if (request.method !== "POST") return void response.writeHead(405).end();
		void json(request).then(async (message) => {
			if (!isJsonObject(message) || typeof message["method"] !== "string") return response.writeHead(400).end();
			received.push({ message, headers: request.headers });
			if (message["id"] === undefined) return response.writeHead(202).end();
			const params = isJsonObject(message["params"]) ? message["params"] : {};
			const reply = await (all[message["method"]]?.(params) ?? {
				error: { code: -32601, message: "Method not found" },
			});
			if (reply === "silence") return undefined;
			const sent = "result" in reply ? { result: { resultType: "complete", ...reply.result } } : reply;
			response.writeHead(200, { "content-type": "application/json" });
			return response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...sent }));
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const of = (method: string): typeof received => received.filter(({ message }) => message["method"] === method);
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		paramsOf: (method) => of(method).map(({ message: { params } }) => (isJsonObject(params) ? params : {})),
		headersOf: (method) => of(method).map(({ headers }) => headers),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
