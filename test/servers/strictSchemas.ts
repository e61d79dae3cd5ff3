/** Families of strictModels.ts that check keys, ids, contents and schemas rather than thoughts. */
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { schemaPlaces } from "../../src/base/schema/schemaPlaces.ts";
import type { ChatRequestBody } from "./scriptedModel.ts";
import { type Message, opaqueMark, type PlainAnswer, type Refusal, type StrictFamily } from "./strictModels.ts";

/** The key of the families that require one. */
export const strictKey = "sk-strict-4b1f";

const bearer = `Bearer ${strictKey}`;

function error(message: string, status = 400, more: object = {}): Refusal {
	return { status, body: { error: { message, type: "invalid_request_error", code: null, ...more } } };
}

/** Calls as most send them: each whole in a delta; `shape` changes one. */
function wholeCalls(
	{ text, calls = [] }: PlainAnswer,
	shape: (call: { name: string; arguments: string }, index: number) => object,
): readonly object[] {
	return [
		{ role: "assistant", content: text ?? "" },
		...calls.map(({ name, arguments: args }, index) => ({
			tool_calls: [shape({ name, arguments: JSON.stringify(args) }, index)],
		})),
	];
}

function idOf(prefix: string): string {
	return `${prefix}${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}

function idsOf({ messages }: ChatRequestBody): readonly string[] {
	return messages.flatMap(({ tool_call_id: id, tool_calls: calls = [] }) => [
		...(id === undefined ? [] : [id]),
		...calls.map((call) => call.id),
	]);
}

/** Messages without a text and without a call. */
function isSilent({ content, tool_calls: calls }: Message): boolean {
	return (content === null || content === undefined || content === "") && calls === undefined;
}

/** The results that do not directly follow their calls. */
function strayResult(messages: readonly Message[]): Message | undefined {
	let open = new Set<string>();
	return messages.find(({ role, tool_calls: calls, tool_call_id: id = "" }) => {
		if (role === "tool") return !open.delete(id);
		open = new Set((calls ?? []).map((call) => call.id));
		return false;
	});
}

/** Anthropic's compatible endpoint: ids of letters, digits, `_` and `-`, no empty text, each result after its call. */
export function anthropic(): StrictFamily {
	return {
		name: "Anthropic",
		source: "https://docs.claude.com/en/api/openai-sdk, …/en/docs/agents-and-tools/tool-use, …/en/api/errors",
		path: "/v1",
		refuse: (body, headers) => {
			if (headers.authorization !== bearer) return error("invalid x-api-key", 401, { type: "authentication_error" });
			const id = idsOf(body).find((one) => !/^[a-zA-Z0-9_-]+$/.test(one));
			if (id !== undefined) return error("messages.1.content.0.tool_use.id: String should match pattern");
			if (body.messages.some(isSilent)) return error("messages: text content blocks must be non-empty");
			return strayResult(body.messages) && error("messages.2: `tool_use` ids were found without `tool_result` blocks");
		},
		deltas: (answer) =>
			wholeCalls(answer, (call, index) => ({ index, id: idOf("toolu_"), type: "function", function: call })),
	};
}

/** A gateway of a company: two secrets in headers of its own, which it repeats in its messages. */
export function gateway(): StrictFamily {
	return {
		...gitHub(),
		name: "a gateway",
		source: "https://portkey.ai/docs/api-reference/inference-api/headers",
		path: "/v1",
		refuse: (_body, headers) => {
			const { "x-gateway-key": key, "x-tenant": tenant } = headers;
			if (key !== strictKey || headers.authorization !== undefined) return error("Missing x-gateway-key", 401);
			return tenant === "tenant-9f2c" ? undefined : error(`No tenant ${String(tenant)} for ${key}`, 400);
		},
	};
}

/** Azure: the key in a header of its own, ids of forty characters, filter results beside the text. */
export function azure(): StrictFamily {
	return {
		name: "Azure",
		source: "https://learn.microsoft.com/azure/ai-foundry/openai/reference",
		path: "/openai/v1",
		refuse: (body, headers) => {
			const hasKey = headers["api-key"] === strictKey && headers.authorization === undefined;
			if (!hasKey) return error("Access denied due to invalid subscription key.", 401, { code: "401" });
			return idsOf(body).some((id) => id.length > 40) ? error("string too long", 400) : undefined;
		},
		deltas: (answer) => [
			{ content: null, content_filter_results: {} },
			...wholeCalls(answer, (call, index) => ({ index, id: idOf("call_"), type: "function", function: call })),
		],
	};
}

/** GitHub Models: a token, and OpenAI's requirements. */
export function gitHub(): StrictFamily {
	return {
		name: "GitHub",
		source: "https://docs.github.com/en/rest/models/inference",
		path: "/inference",
		refuse: (body, headers) => {
			if (headers.authorization !== bearer) return error("Bad credentials", 401, { code: "unauthorized" });
			return idsOf(body).some((id) => id.length > 40) ? error("string too long", 400) : undefined;
		},
		deltas: (answer) =>
			wholeCalls(answer, (call, index) => ({ index, id: idOf("call_"), type: "function", function: call })),
	};
}

/** Qwen at Model Studio: thoughts beside the answer, and results only after their calls. */
export function qwen(): StrictFamily {
	return {
		name: "Qwen",
		source: "https://www.alibabacloud.com/help/en/model-studio/error-code, …/deep-thinking",
		path: "/compatible-mode/v1",
		refuse: (body, headers) => {
			if (headers.authorization !== bearer)
				return error("Incorrect API key provided.", 401, { code: "invalid_api_key" });
			const stray = strayResult(body.messages);
			return (
				stray &&
				error(
					'<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id".',
				)
			);
		},
		deltas: (answer) => [
			{ role: "assistant", content: null, reasoning_content: `${opaqueMark} I look.` },
			...wholeCalls(answer, (call, index) => ({ index, id: idOf("call_"), type: "function", function: call })),
		],
	};
}

/** Ollama: contents are texts or lists, and each call comes whole with index 0. */
export function ollama(): StrictFamily {
	return {
		name: "Ollama",
		source: "https://docs.ollama.com/api/openai-compatibility, github.com/ollama/ollama/blob/main/openai/openai.go",
		path: "/v1",
		refuse: ({ messages }) =>
			messages.some((message) => message.content === null && message.tool_calls === undefined)
				? error("invalid message content type: <nil>")
				: undefined,
		deltas: (answer) => [
			{ role: "assistant", content: "", reasoning: `${opaqueMark} Hm.` },
			...wholeCalls(answer, (call) => ({ index: 0, id: idOf("call_"), type: "function", function: call })),
		],
	};
}

/** LM Studio: parameters of tools are objects with properties, and pieces of a call come without its id. */
export function lmStudio(): StrictFamily {
	return {
		name: "LM-Studio",
		source: "https://lmstudio.ai/docs/developer/openai-compat/tools, …/developer/api-changelog, …/developer/rest/list",
		path: "/v1",
		refuse: ({ tools = [] }) => {
			const isFit = (parameters: object | undefined): boolean =>
				isJsonObject(parameters) && parameters["type"] === "object" && isJsonObject(parameters["properties"]);
			return tools.every(({ function: { parameters } }) => isFit(parameters))
				? undefined
				: error("Invalid 'tools': parameters.properties is required");
		},
		deltas: ({ text, calls = [] }) => [
			{ role: "assistant", reasoning_content: `${opaqueMark} Hm.` },
			{ content: text ?? "" },
			...calls.flatMap(({ name, arguments: args }, index) => {
				const whole = JSON.stringify(args);
				const id = idOf("");
				return [
					{ tool_calls: [{ index, id, type: "function", function: { name, arguments: whole.slice(0, 4) } }] },
					{ tool_calls: [{ index, type: "function", function: { name: "", arguments: whole.slice(4) } }] },
				];
			}),
		],
	};
}

/** llama.cpp: schemas become a grammar, which needs anchored patterns and finds no references. */
export function llamaCpp(): StrictFamily {
	return {
		name: "llama.cpp",
		source:
			"https://github.com/ggml-org/llama.cpp/issues/26930, …/tree/master/tools/server, github.com/genspark-ai/genoffice/issues/189",
		path: "/v1",
		refuse: ({ tools = [] }) => {
			const [lost] = keptReferences(tools);
			if (lost !== undefined) {
				const [, keyword = ""] = lost.split("/");
				const message = `JSON schema conversion failed:\nError resolving ref ${lost}: ${keyword} not in {"type":"object"}`;
				return error(message, 400, { code: 400 });
			}
			const patterns = tools.flatMap(({ function: { parameters } }) =>
				[...schemasIn(parameters as Json)].flatMap(({ pattern }) => (typeof pattern === "string" ? [pattern] : [])),
			);
			return patterns.every((pattern) => /^\^.*\$$/.test(pattern))
				? undefined
				: error("JSON schema conversion failed:\nPattern must start with '^' and end with '$'", 400, { code: 400 });
		},
		deltas: (answer) => [
			{ role: "assistant", content: null },
			{ reasoning_content: `${opaqueMark} Hm.` },
			...wholeCalls(answer, (call, index) => ({ index, id: idOf(""), type: "function", function: call })),
		],
	};
}

/** vLLM: no message is empty, and the thoughts of a model are beside its answer. */
export function vllm(): StrictFamily {
	return {
		name: "vLLM",
		source:
			"https://docs.vllm.ai/en/latest/features/reasoning_outputs.html, …/tool_calling.html, github.com/vllm-project/vllm/issues/38488",
		path: "/v1",
		refuse: ({ messages }) => {
			if (!messages.some((message) => message.content === null && message.tool_calls === undefined)) return undefined;
			return {
				status: 400,
				body: { object: "error", message: "content is required", type: "BadRequestError", code: 400 },
			};
		},
		deltas: (answer) => [
			{ role: "assistant", content: "" },
			// Before 0.11.2 it was `reasoning_content`.
			{ reasoning: `${opaqueMark} Hm.` },
			...wholeCalls(answer, (call, index) => ({
				index,
				id: idOf("chatcmpl-tool-"),
				type: "function",
				function: call,
			})),
		],
	};
}

/** Moonshot's own variant of schemas: targets of references are not found, and no member may be beside a reference. */
export function moonshot(): StrictFamily {
	return {
		...gitHub(),
		name: "Moonshot",
		source: "https://github.com/CommandCodeAI/command-code/issues/566, …/openkursar/hello-halo/issues/97",
		path: "/v1",
		refuse: ({ tools = [] }) => {
			const [first] = keptReferences(tools);
			if (first === undefined) return undefined;
			const details = `<At path 'properties.external.$ref': $defs not found for reference: ${first}>`;
			return error(
				`Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: ${details}`,
			);
		},
	};
}

/** The fields of Gemini's `Schema`: any other is reported as unknown. */
const schemaFields = new Set(
	(
		"type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength " +
		"maxLength pattern example anyOf propertyOrdering default items minimum maximum"
	).split(" "),
);

/** Gemini's own words for schemas, which relays to it pass on: known fields, and enums of texts only. */
export function geminiSchemas(): StrictFamily {
	return {
		...gitHub(),
		name: "a relay to Gemini",
		source:
			"https://ai.google.dev/api/caching#Schema, github.com/zed-industries/zed/issues/44875, microsoft/azure-devops-mcp/issues/145",
		path: "/v1",
		refuse: ({ tools = [] }) => {
			const faults = tools.flatMap(({ function: { parameters } }, index) => {
				const at = `'tools[0].function_declarations[${index}].parameters.properties[0].value`;
				return [...schemasIn(parameters as Json)].flatMap((schema) => faultsOf(schema, at));
			});
			if (faults.length === 0) return undefined;
			return { status: 400, body: [{ error: { code: 400, message: faults.join("\n"), status: "INVALID_ARGUMENT" } }] };
		},
	};
}

/** Gemini's error for one schema. */
function faultsOf(schema: JsonObject, at: string): readonly string[] {
	const faults = Object.keys(schema)
		.filter((field) => !schemaFields.has(field))
		.map((field) => `Invalid JSON payload received. Unknown name "${field}" at ${at}': Cannot find field.`);
	const { type, enum: values } = schema;
	if (Array.isArray(type)) faults.push("Proto field is not repeating, cannot start list.");
	if (Array.isArray(values) && values.some((one) => typeof one !== "string"))
		faults.push(`Invalid value at ${at}.enum[0]' (TYPE_STRING), 1`);
	return faults;
}

/** The references in the schemas of tools. */
function keptReferences(tools: NonNullable<ChatRequestBody["tools"]>): readonly string[] {
	return tools.flatMap(({ function: { parameters } }) =>
		[...schemasIn(parameters as Json)].flatMap(({ $ref: to }) => (typeof to === "string" ? [to] : [])),
	);
}

/** A schema and all schemas in it. */
function* schemasIn(schema: Json | undefined): Generator<JsonObject> {
	if (!isJsonObject(schema)) return;
	yield schema;
	for (const [keyword, value] of Object.entries(schema)) {
		const place = schemaPlaces.get(keyword);
		if (place === undefined || value === undefined) continue;
		const inner: readonly (Json | undefined)[] =
			place === "map" && isJsonObject(value)
				? Object.values(value)
				: Array.isArray(value)
					? (value as readonly Json[])
					: [value];
		for (const one of inner) yield* schemasIn(one);
	}
}
