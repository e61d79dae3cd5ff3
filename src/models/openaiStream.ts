import { HostError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { ModelEvent, ModelStopReason } from "./model.ts";

/** A tool call while its pieces arrive. */
interface PartialCall {
	readonly id: string;
	/** The index that the endpoint gave it, if any. */
	readonly index: Json | undefined;
	name: string;
	text: string;
}

/**
 * The chunks of a streamed chat completion as our events. Understands the dialects that endpoints speak: tool-call
 * deltas without index or id, one index for several calls, whole calls in one delta, arguments as an object, chunks
 * without choices, a usage-only chunk, fields for reasoning (left out), no finish reason.
 * Rejects with a HostError `model` naming `label` when the stream ends without being a completion.
 */
export async function* readCompletion(chunks: AsyncIterable<unknown>, label: string): AsyncGenerator<ModelEvent> {
	const calls: PartialCall[] = [];
	let model = "";
	let finish: Json | undefined;
	let usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
	let isCompletion = false;
	for await (const chunk of chunks) {
		if (!isJsonObject(chunk)) continue;
		if (typeof chunk["model"] === "string") model = chunk["model"];
		usage = readUsage(chunk["usage"]) ?? usage;
		const choices = chunk["choices"];
		const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
		if (!isJsonObject(choice)) continue;
		isCompletion = true;
		finish = choice["finish_reason"] ?? finish;
		const delta = choice["delta"];
		if (!isJsonObject(delta)) continue;
		for (const text of [delta["content"], delta["refusal"]]) {
			if (typeof text === "string" && text !== "") yield { type: "text", text };
		}
		const pieces = delta["tool_calls"];
		if (Array.isArray(pieces)) for (const piece of pieces as readonly unknown[]) collect(calls, piece);
	}
	if (!isCompletion) {
		throw new HostError(
			"model",
			`${label} ended its answer without saying anything that can be read. Check that its address is that of an OpenAI-compatible API, usually ending in /v1.`,
		);
	}
	for (const call of calls) yield { type: "tool-call", callId: call.id, name: call.name, ...parseArguments(call.text) };
	yield {
		type: "done",
		stopReason: stopReason(finish, calls.length),
		model,
		...(usage === undefined ? {} : { usage }),
	};
}

/** Adds a piece to the call that it belongs to, or begins a new one. */
function collect(calls: PartialCall[], piece: unknown): void {
	if (!isJsonObject(piece)) return;
	const { id, index } = piece;
	const details = isJsonObject(piece["function"]) ? piece["function"] : {};
	let call = findCall(calls, id, index);
	if (call === undefined) {
		const isUsable = typeof id === "string" && id !== "";
		call = { id: isUsable ? id : `call_${crypto.randomUUID()}`, index, name: "", text: "" };
		calls.push(call);
	}
	// Some endpoints repeat the name in every piece.
	if (call.name === "" && typeof details["name"] === "string") call.name = details["name"];
	const more = details["arguments"];
	if (typeof more === "string") call.text += more;
	else if (isJsonObject(more)) call.text = JSON.stringify(more);
}

function findCall(
	calls: readonly PartialCall[],
	id: Json | undefined,
	index: Json | undefined,
): PartialCall | undefined {
	const hasId = typeof id === "string" && id !== "";
	if (hasId) return calls.find((call) => call.id === id);
	if (typeof index === "number") return calls.findLast((call) => call.index === index);
	return calls.at(-1);
}

function parseArguments(text: string): { readonly arguments: JsonObject; readonly malformed?: string } {
	// A call without arguments is an empty text with many endpoints.
	if (text.trim() === "") return { arguments: {} };
	try {
		const value: unknown = JSON.parse(text);
		if (isJsonObject(value)) return { arguments: value };
	} catch {
		// Told to the model by the one who runs the call.
	}
	return { arguments: {}, malformed: text };
}

function stopReason(finish: Json | undefined, callCount: number): ModelStopReason {
	if (finish === "length") return "maxTokens";
	if (finish === "content_filter") return "refusal";
	return callCount > 0 ? "toolUse" : "endTurn";
}

function readUsage(value: Json | undefined): { inputTokens: number; outputTokens: number } | undefined {
	if (!isJsonObject(value)) return undefined;
	const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = value;
	return typeof inputTokens === "number" && typeof outputTokens === "number"
		? { inputTokens, outputTokens }
		: undefined;
}
