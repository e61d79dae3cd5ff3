import type { Connection } from "../../../../src/protocol/connection.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";
import { startScriptServer, type ScriptRequest, type ScriptServer } from "../../../servers/scriptServer.ts";
import { control, Scene } from "../connection/connectScene.ts";

/** A size in bytes. */
export const megabyte = 1024 * 1024;
/** Small limits, so that exceeding them is quick. */
export const limits = { ...defaultConnectionLimits, maxMessageBytes: megabyte, maxResponseBytes: megabyte };
/** The headers of an event stream. */
export const sse = { "content-type": "text/event-stream" };
/** A tool's result. */
export const content = (text: string): { readonly content: readonly { type: "text"; text: string }[] } => ({
	content: [{ type: "text", text }],
});

/** A connection to a scripted server. */
export interface Wire extends AsyncDisposable {
	readonly server: ScriptServer;
	readonly scene: Scene;
	readonly connection: Connection;
	readonly call: (signal?: AbortSignal) => ReturnType<Connection["callTool"]>;
}

/** A legacy connection to a scripted server. */
export async function wire(headers: Readonly<Record<string, string>> = {}): Promise<Wire> {
	const server = await startScriptServer();
	const scene = new Scene();
	const launch = { kind: "http" as const, url: server.url, headers };
	const connection = await scene.connect(launch, { protocol: "legacy", limits });
	return {
		server,
		scene,
		connection,
		call: (signal = control().signal) => connection.callTool("echo", {}, undefined, { signal }),
		async [Symbol.asyncDispose]() {
			await scene[Symbol.asyncDispose]();
			await server[Symbol.asyncDispose]();
		},
	};
}

/** Answers calls as the test wants, and refuses the rest like a server without a stream of its own. */
export function onCall(server: ScriptServer, answer: (request: ScriptRequest) => void): void {
	server.onRequest((request) => {
		if (request.message["method"] === "tools/call") answer(request);
		else request.response.writeHead(405).end();
	});
}
