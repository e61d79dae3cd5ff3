import type { ServerResponse } from "node:http";
import { resolve } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import type { ServerSession } from "../../../src/servers/sessions/serverSession.ts";
import { readResult } from "../../../src/features/tools/results/result.ts";
import { startScriptServer, type ScriptServer } from "../../servers/scriptServer.ts";
import { sloppyText, type Sloppy } from "../../servers/sloppy.ts";
import { scriptConfig } from "../fixtures.ts";
import { TestHost, type Timeouts } from "../testHost.ts";

/** How a sloppy server is reached. */
export type Way = "stdio" | "http json" | "http sse" | "http+sse";
export const ways: readonly Way[] = ["stdio", "http json", "http sse", "http+sse"];

/** A host and a server that is sloppy in one way, over one transport. */
export class FieldScene implements AsyncDisposable {
	readonly host: TestHost;
	server: ScriptServer | undefined;

	constructor(timeouts: Timeouts = {}) {
		this.host = new TestHost({ probeMs: 5000, ...timeouts });
	}

	/** Starts the server, whatever the result, and has its lists read. */
	async start(way: Way, sloppy: Sloppy): Promise<ServerSession> {
		return this.begin(way === "stdio" ? stdio(sloppy) : await this.serve(way, sloppy));
	}

	/** The same with a server of the test's own. */
	async begin(config: JsonObject): Promise<ServerSession> {
		const session = await this.host.start("odd", config);
		const lists = [session.tools, session.prompts, session.resources, session.resourceTemplates];
		await expect.poll(() => lists.some(({ status }) => status.kind === "loading")).toBe(false);
		return session;
	}

	/** The content of the server's log. */
	get log(): string {
		return this.host.log.join("\n");
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.host[Symbol.asyncDispose]();
		await this.server?.[Symbol.asyncDispose]();
	}

	private async serve(way: Way, sloppy: Sloppy): Promise<JsonObject> {
		const server = (this.server = await startScriptServer());
		let stream: ServerResponse | undefined;
		server.onEvery(({ method, message, response }) => {
			if (way === "http+sse" && method === "GET") {
				stream = response.writeHead(200, { "content-type": "text/event-stream" });
				stream.write("event: endpoint\ndata: /messages\n\n");
				return;
			}
			if (method !== "POST") return void response.writeHead(405).end();
			if (message["id"] === undefined || message["method"] === undefined) return void response.writeHead(202).end();
			const text = sloppyText(sloppy, message);
			if (way === "http+sse") {
				response.writeHead(202).end();
				stream?.write(`event: message\ndata: ${text}\n\n`);
			} else if (way === "http json") response.writeHead(200, { "content-type": "application/json" }).end(text);
			else response.writeHead(200, { "content-type": "text/event-stream" }).end(`event: message\ndata: ${text}\n\n`);
		});
		return { url: server.url, ...(way === "http+sse" ? { type: "sse" } : {}) };
	}
}

/** The result of a call of the server's tool, as a model receives it, or why it failed. */
export async function callOf(session: ServerSession, name = "echo"): Promise<string> {
	try {
		const { forModel, isError } = readResult(await session.callTool(name, {}));
		const words = forModel.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
		return isError ? `isError: ${words}` : words;
	} catch (error) {
		return `failed: ${error instanceof Error ? error.message : String(error)}`;
	}
}

function stdio(sloppy: Sloppy): JsonObject {
	return scriptConfig(resolve(import.meta.dirname, "../../servers/sloppyServer.ts"), JSON.stringify(sloppy));
}
