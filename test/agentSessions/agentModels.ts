import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isJsonObject, objectsIn, parseJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";

/** The endpoint of Anthropic's messages and OpenAI's responses on loopback, for agents in a terminal. */
export interface AgentModels extends AsyncDisposable {
	readonly url: string;
	/** The requests that it could not answer. */
	readonly refused: ReadonlySet<string>;
}

/** Its answer after the call. */
export const lastWords = "The call was made.";

/**
 * Starts a model that calls the tool whose name ends with `tool` once in each session, as soon as it is offered, and then
 * says `lastWords`. Claude Code offers tools of servers by their names in its texts only.
 */
export async function startAgentModels(tool: string, args: JsonObject): Promise<AgentModels> {
	const refused = new Set<string>();
	const server = createServer((request, response) => {
		text(request)
			.then((body) => answer(request.url ?? "/", parseJsonObject(body) ?? {}, response))
			.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});

	function answer(url: string, body: JsonObject, response: ServerResponse): void {
		const { pathname } = new URL(url, "http://localhost");
		if (pathname.endsWith("/v1/messages")) return stream(response, messageEvents(body, tool, args));
		if (pathname.endsWith("/v1/responses")) return stream(response, responseEvents(body, tool, args));
		if (!pathname.endsWith("/models")) refused.add(pathname);
		response.writeHead(200, { "content-type": "application/json" });
		response.end(JSON.stringify({ object: "list", data: [], input_tokens: 1 }));
	}

	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		refused,
		[Symbol.asyncDispose]: async () => {
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

function stream(response: ServerResponse, events: readonly JsonObject[]): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	for (const event of events) response.write(`event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
	response.end();
}

/** Anthropic's stream (https://docs.claude.com/en/api/messages-streaming). */
function messageEvents(body: JsonObject, tool: string, args: JsonObject): readonly JsonObject[] {
	const all = JSON.stringify(body);
	const name = all.includes('"tool_result"') ? undefined : new RegExp(`mcp__[\\w-]+?__${tool}\\b`).exec(all)?.[0];
	const block: JsonObject =
		name === undefined ? { type: "text", text: "" } : { type: "tool_use", id: "toolu_1", name, input: {} };
	const delta: JsonObject =
		name === undefined
			? { type: "text_delta", text: lastWords }
			: { type: "input_json_delta", partial_json: JSON.stringify(args) };
	const usage = { input_tokens: 1, output_tokens: 1 };
	const message = { id: "msg_1", type: "message", role: "assistant", model: body["model"] ?? "", content: [], usage };
	const end = { stop_reason: name === undefined ? "end_turn" : "tool_use", stop_sequence: null };
	return [
		{ type: "message_start", message },
		{ type: "content_block_start", index: 0, content_block: block },
		{ type: "content_block_delta", index: 0, delta },
		{ type: "content_block_stop", index: 0 },
		{ type: "message_delta", delta: end, usage: { output_tokens: 1 } },
		{ type: "message_stop" },
	];
}

/** OpenAI's stream of responses. Codex offers the tools of a server in a namespace. */
function responseEvents(body: JsonObject, tool: string, args: JsonObject): readonly JsonObject[] {
	const isDone = JSON.stringify(body["input"] ?? "").includes('"function_call_output"');
	const call = isDone ? undefined : offered(body["tools"], tool);
	const item: JsonObject =
		call === undefined
			? {
					type: "message",
					id: "m1",
					role: "assistant",
					status: "completed",
					content: [{ type: "output_text", text: lastWords, annotations: [] }],
				}
			: {
					type: "function_call",
					id: "fc_1",
					call_id: "call_1",
					status: "completed",
					arguments: JSON.stringify(args),
					...call,
				};
	const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
	const response = { id: "r1", object: "response", created_at: 1, model: body["model"] ?? "", usage };
	return [
		{ type: "response.created", response: { ...response, status: "in_progress", output: [] } },
		{ type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
		{ type: "response.output_item.done", output_index: 0, item },
		{ type: "response.completed", response: { ...response, status: "completed", output: [item] } },
	];
}

function offered(tools: Json | undefined, tool: string): JsonObject | undefined {
	for (const one of objectsIn(tools)) {
		const { name, tools: inner } = one;
		if (typeof name === "string" && name.endsWith(tool)) return { name };
		const found = objectsIn(inner).find(({ name: own }) => typeof own === "string" && own.endsWith(tool));
		if (found !== undefined && isJsonObject(found)) return { name: found["name"] ?? "", namespace: name ?? "" };
	}
	return undefined;
}
