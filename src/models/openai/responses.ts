import type { OpenAI } from "openai";
import { isJsonObject, type Json, type JsonObject, objectsIn } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import type { CallPart } from "../model.ts";
import type { EndpointFailure } from "./openaiErrors.ts";
import type { ChatRequest } from "./requestBody.ts";

type ResponseRequest = OpenAI.Responses.ResponseCreateParamsStreaming;

/**
 * Whether an endpoint says that it has a model behind its Responses API alone, as OpenAI has some, and all newer ones for
 * requests with tools (github.com/openai/openai-openapi/issues/541). Azure does not say where to ask instead
 * (github.com/microsoft/vscode/issues/277663).
 */
export function hasResponsesOnly({ status, code, detail = "" }: EndpointFailure): boolean {
	if (status !== 400 && status !== 404) return false;
	const isAzure = code === "OperationNotSupported" && /\bchatCompletion operation\b/.test(detail);
	return isAzure || /\bv1\/responses\b/.test(detail);
}

/**
 * A request for a completion in the form of the Responses API (platform.openai.com, "Migrate to the Responses API").
 * Nothing is stored there: the data of the model's answers is included, encrypted by it. The API does not support stop
 * sequences.
 */
export function toResponseRequest(body: ChatRequest): ResponseRequest {
	const { messages, tools, max_tokens, max_completion_tokens, reasoning_effort, ...others } = body;
	const rest = Object.fromEntries(
		Object.entries(others).filter(([field]) => field !== "stop" && field !== "stream_options"),
	);
	const most = max_completion_tokens ?? max_tokens;
	const request: object = {
		...rest,
		input: messages.flatMap((message) => toItems(jsonObjectOf(message))),
		store: false,
		include: ["reasoning.encrypted_content"],
		...(most == null ? {} : { max_output_tokens: most }),
		...(reasoning_effort == null ? {} : { reasoning: { effort: reasoning_effort } }),
		...(tools === undefined ? {} : { tools: tools.flatMap(toTool) }),
	};
	return { ...request, stream: true };
}

function toTool(tool: OpenAI.Chat.Completions.ChatCompletionTool): object[] {
	return tool.type === "function" ? [{ type: "function", ...tool.function, strict: false }] : [];
}

/** The items of a message; those of an answer in the order of their arrival, including the thoughts. */
function toItems(message: JsonObject): readonly object[] {
	const { role, content, tool_calls: calls, tool_call_id: id, response_items: kept } = message;
	if (role === "tool") return [{ type: "function_call_output", call_id: id, output: content }];
	if (role !== "assistant") return [{ role, content: toContent(content) }];
	const said = typeof content === "string" && content !== "" ? [{ role, content }] : [];
	const called = objectsIn(calls).map((call) => {
		const own = isJsonObject(call["function"]) ? call["function"] : {};
		return { type: "function_call", call_id: call["id"], name: own["name"], arguments: own["arguments"] };
	});
	const order = objectsIn(kept);
	const ordered = order.flatMap((item): readonly object[] => {
		if (item["type"] === "message") return said.splice(0);
		if (item["type"] !== "function_call") return [item];
		const at = called.findIndex(({ call_id: callId }) => callId === item["call_id"]);
		return at < 0 ? [] : called.splice(at, 1);
	});
	return [...ordered, ...said, ...called];
}

function toContent(content: Json | undefined): unknown {
	if (!Array.isArray(content)) return content;
	return objectsIn(content).map((part) => {
		if (part["type"] === "text") return { type: "input_text", text: part["text"] };
		const image = isJsonObject(part["image_url"]) ? part["image_url"]["url"] : undefined;
		if (image !== undefined) return { type: "input_image", image_url: image, detail: "auto" };
		return { type: "input_text", text: "(a sound left out: it cannot be sent to this model)" };
	});
}

const beginnings: ReadonlySet<Json | undefined> = new Set([
	"response.created",
	"response.in_progress",
	"response.queued",
]);

/**
 * The events of a streamed response as chunks of a completion, which are read as those of any other endpoint. A call
 * arrives as one item; `onCallPart` receives its parts (platform.openai.com, "Streaming",
 * `response.function_call_arguments.delta`).
 */
export async function* toChunks(
	events: AsyncIterable<unknown>,
	onCallPart?: (part: CallPart) => void,
): AsyncGenerator<object> {
	const items: JsonObject[] = [];
	const written = new WrittenItems();
	for await (const event of events) {
		if (!isJsonObject(event)) continue;
		const part = written.add(event);
		if (part !== undefined) onCallPart?.(part);
		// An unstreamed answer although a stream was requested.
		const type = event["object"] === "response" ? "response.completed" : event["type"];
		const { delta, item, response = event } = event;
		if (type === "response.output_text.delta") yield chunkOf({ content: delta });
		else if (type === "response.refusal.delta") yield chunkOf({ refusal: delta });
		else if (type === "response.reasoning_summary_text.delta" || type === "response.reasoning_text.delta") {
			yield chunkOf({ content: [{ type: "thinking", thinking: delta }] });
		} else if (type === "response.output_item.done" && isJsonObject(item)) {
			items.push(item);
			yield* callOf(item, items.length);
		} else if (type === "response.completed" || type === "response.incomplete") {
			if (isJsonObject(response)) yield* ending(response, items);
		} else if (type === "response.failed" && isJsonObject(response)) yield { error: response["error"] };
		else if (type === "error") yield { error: event };
		// A sign of life; the first event may still be a refusal.
		else if (items.length > 0 || !beginnings.has(type)) yield {};
	}
}

/** The calls of a response while the model writes them. */
class WrittenItems {
	private readonly calls = new Map<Json | undefined, CallPart>();

	/** Gives the call that an event is about as far as it goes, if it is about one. */
	add({ type, item, delta, output_index: index }: JsonObject): CallPart | undefined {
		const known = this.calls.get(index);
		let part: CallPart | undefined;
		if (type === "response.output_item.added") part = beginningOf(item);
		else if (type === "response.function_call_arguments.delta" && known !== undefined && typeof delta === "string")
			part = { ...known, text: known.text + delta };
		if (part !== undefined) this.calls.set(index, part);
		return part;
	}
}

function beginningOf(item: Json | undefined): CallPart | undefined {
	if (!isJsonObject(item) || item["type"] !== "function_call") return undefined;
	const { call_id: callId, name, arguments: args } = item;
	if (typeof callId !== "string" || typeof name !== "string") return undefined;
	return { callId, name, text: typeof args === "string" ? args : "" };
}

function* ending(response: JsonObject, streamed: readonly JsonObject[]): Generator<object> {
	const { model, usage, incomplete_details: details } = response;
	const items = streamed.length > 0 ? streamed : objectsIn(response["output"]);
	if (streamed.length === 0) {
		for (const [index, item] of items.entries()) {
			const texts = objectsIn(item["content"]).map((part) => part["text"] ?? part["refusal"]);
			if (item["type"] === "message")
				yield chunkOf({ content: texts.filter((text) => typeof text === "string").join("") });
			yield* callOf(item, index);
		}
	}
	const kept = items.map((item) => {
		if (item["type"] === "message") return { type: "message" };
		return item["type"] === "function_call" ? { type: "function_call", call_id: item["call_id"] } : item;
	});
	const hasThoughts = items.some((item) => item["type"] === "reasoning");
	const reason = isJsonObject(details) ? details["reason"] : undefined;
	const finish = reason === "max_output_tokens" ? "length" : reason === "content_filter" ? "content_filter" : "stop";
	yield { model, ...chunkOf(hasThoughts ? { response_items: kept } : {}, finish), usage: toUsage(usage) };
}

function* callOf(item: JsonObject, index: number): Generator<object> {
	if (item["type"] !== "function_call") return;
	const { call_id: id, name, arguments: args } = item;
	yield chunkOf({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
}

function chunkOf(delta: object, finish: string | null = null): object {
	return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

function toUsage(usage: Json | undefined): object | undefined {
	if (!isJsonObject(usage)) return undefined;
	const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage;
	return { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details };
}
