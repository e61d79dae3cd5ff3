import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { onLines } from "./received.ts";

/** The answer of a hand-written server to a request: `silence` leaves the client waiting. */
export type Reply =
	| { readonly result: JsonObject }
	| { readonly error: { readonly code: number; readonly message: string } }
	| "silence";

/** The answers of a server by method. Notifications arrive here too; their answers are dropped. */
export type Methods = Readonly<Record<string, (params: JsonObject) => Reply>>;

const unknownMethod: Reply = { error: { code: -32601, message: "Method not found" } };

/** A correct server of revision 2024-11-05: the handshake, ping, and one tool `echo`, which returns its arguments. */
export const legacyMethods: Methods = {
	initialize: () => ({
		result: {
			protocolVersion: "2024-11-05",
			capabilities: { tools: { listChanged: true } },
			serverInfo: { name: "by-the-book", version: "1.0.0" },
		},
	}),
	ping: () => ({ result: {} }),
	"tools/list": () => ({ result: { tools: [tool("echo")] } }),
	"tools/call": ({ arguments: args }) => textResult(isJsonObject(args) ? JSON.stringify(args) : ""),
};

/** Serves JSON-RPC lines on standard input and output until the input ends. `unknown` answers all other methods. */
export function serveLines(methods: Methods, unknown: () => Reply = () => unknownMethod): void {
	onLines(process.stdin, (line) => {
		const message = JSON.parse(line) as Json;
		if (!isJsonObject(message) || typeof message["method"] !== "string") return;
		const method = message["method"];
		const params = isJsonObject(message["params"]) ? message["params"] : {};
		const answer = Object.hasOwn(methods, method) ? methods[method]?.(params) : undefined;
		if (message["id"] === undefined) return;
		const reply = answer ?? unknown();
		if (reply !== "silence") writeMessage({ id: message["id"], ...reply });
	});
}

/** Writes one JSON-RPC message to standard output. */
export function writeMessage(message: JsonObject): void {
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** A tool practically without arguments. */
export function tool(name: string): JsonObject {
	return { name, inputSchema: { type: "object" } };
}

/** The result of a tool that returns a text. */
export function textResult(text: string): Reply {
	return { result: { content: [{ type: "text", text }] } };
}
