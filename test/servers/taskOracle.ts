import type { JsonValue } from "@modelcontextprotocol/ext-tasks/core";
import { type TaskEnabledSession, withTasks } from "@modelcontextprotocol/ext-tasks/client";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";

const clientCapabilities = { elicitation: { form: {} }, extensions: { "io.modelcontextprotocol/tasks": {} } };

/**
 * The official requester of tasks (`@modelcontextprotocol/ext-tasks`) on a server of revision 2026-07-28: independent of the
 * product, it shows that a test server means by a task what the extension says. `answer` answers elicitations.
 */
export function startTaskOracle(url: string, answer: JsonObject): TaskEnabledSession {
	let lastId = 0;
	const post = async (request: JsonValue): Promise<Json> => {
		const { method, params } = requestOf(request);
		const meta = {
			"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientInfo": { name: "oracle", version: "1" },
			"io.modelcontextprotocol/clientCapabilities": clientCapabilities,
		};
		const body = { jsonrpc: "2.0", id: ++lastId, method, params: { ...params, _meta: { ...metaOf(params), ...meta } } };
		const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
		return (await response.json()) as Json;
	};
	return withTasks(
		{
			endpointId: "test",
			taskCapabilities: { generation: "v2", capabilities: {} },
			invalidated: false,
			async dispatch(request) {
				const reply = await post(request);
				const { result, error } = isJsonObject(reply) ? reply : {};
				if (result !== undefined) return { kind: "result", result: result as JsonValue };
				const { code, message } = isJsonObject(error) ? error : {};
				return { kind: "error", error: { code: Number(code), message: String(message) } };
			},
			onServerRequest: () => () => undefined,
			onNotification: () => () => undefined,
			onInvalidated: () => () => undefined,
		},
		{ onInputRequest: async () => answer as never },
	);
}

function requestOf(request: JsonValue): { readonly method: string; readonly params: JsonObject } {
	const { method, params } = request as { readonly method: string; readonly params?: JsonObject };
	return { method, params: params ?? {} };
}

function metaOf({ _meta }: JsonObject): JsonObject {
	return isJsonObject(_meta) ? _meta : {};
}
