import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { ModelFailure } from "../failure.ts";
import { keptWith, toKept } from "../kept/keptFields.ts";
import type { ModelEvent, ModelRequestOptions, ModelStopReason, TokenUse } from "../model.ts";
import { KeptPieces } from "./keptPieces.ts";
import { explainFailure, readFailure } from "./openaiErrors.ts";
import { type AnswerBeginning, type SaidPiece, ThoughtMarks } from "./thoughtMarks.ts";
import { ToolCallPieces } from "./toolCallPieces.ts";

/** The parts of the request that reading its answer needs. */
export interface CompletionQuestion {
	/** How failures call the endpoint. */
	readonly label: string;
	readonly model: string;
	/** The tools that the model may call. */
	readonly toolNames: readonly string[];
	/** The keeper of the answer's data, see `keeperOf`. */
	readonly keeper: string;
	/** The values that were sent to the endpoint and that no failure repeats: its key, and secret headers. */
	readonly secrets: readonly string[];
	readonly onCallPart?: ModelRequestOptions["onCallPart"];
	/** Whether an answer may begin within a thought: not where the maker of the model runs it. */
	readonly mayBeginInThought: boolean;
}

/** How the answers of models begin, by `keeperOf`, as far as this window has seen it. */
const beginnings = new Map<string, AnswerBeginning>();

/**
 * The chunks of a streamed chat completion as our events. Understands the dialects that endpoints speak: tool calls as
 * ToolCallPieces does, chunks without choices, a usage-only chunk, content as a list of parts, thoughts in several fields or
 * between marks in the text, no finish reason. A call that is written as text ends the answer for `writtenCall`.
 * Rejects with a ModelFailure when the stream holds an error or ends without being a completion.
 */
export async function* readCompletion(
	chunks: AsyncIterable<unknown>,
	question: CompletionQuestion,
): AsyncGenerator<ModelEvent> {
	const { label, toolNames, keeper } = question;
	const calls = new ToolCallPieces(toolNames);
	const kept = new KeptPieces();
	const begins = question.mayBeginInThought ? beginnings.get(keeper) : "never";
	const marks = new ThoughtMarks({ model: question.model, begins });
	let model = "";
	let finish: Json | undefined;
	let usage: TokenUse | undefined;
	let isCompletion = false;
	let isStopped = false;
	let said = "";
	const events = function* (pieces: readonly SaidPiece[]): Generator<ModelEvent> {
		for (const { kind, text, isLate } of pieces) {
			if (isLate === true) said = "";
			if (kind === "text") said += text;
			yield kind === "text"
				? { type: "text", text }
				: { type: "reasoning", text, ...(isLate === true ? { isLate } : {}) };
		}
	};
	for await (const next of withPauses(chunks, () => marks.isWaiting)) {
		if ("pause" in next) {
			yield* events(marks.release());
			continue;
		}
		const chunk = next.item;
		if (!isJsonObject(chunk)) continue;
		if (isError(chunk)) throw failed(chunk, question);
		if (typeof chunk["model"] === "string") model = chunk["model"];
		usage = readUsage(chunk["usage"]) ?? usage;
		const choices = chunk["choices"];
		const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
		if (!isJsonObject(choice)) continue;
		isCompletion = true;
		finish = choice["finish_reason"] ?? finish;
		// vLLM says which stop sequence it met; for the others, that is the same as an end.
		isStopped ||= typeof choice["stop_reason"] === "string";
		const delta = choice["delta"];
		if (!isJsonObject(delta)) continue;
		if (isThought(delta)) {
			yield { type: "reasoning", text: contentOf(delta["content"]).replace(/<\/?thought>/g, "") };
			continue;
		}
		const thoughts = kept.add(delta) || thoughtsIn(delta);
		if (thoughts !== "") {
			yield* events(marks.noteThought());
			yield { type: "reasoning", text: thoughts };
		}
		yield* events(marks.add(contentOf(delta["content"])));
		yield* events(marks.add(contentOf(delta["refusal"])));
		const pieces = delta["tool_calls"];
		for (const piece of [...(Array.isArray(pieces) ? (pieces as readonly unknown[]) : []), delta["function_call"]]) {
			const part = calls.add(piece);
			if (part !== undefined) question.onCallPart?.(part);
		}
	}
	if (!isCompletion) {
		throw new ModelFailure(
			"other",
			`${label} sent an empty or unreadable answer. Check that its address belongs to an OpenAI-compatible API. The address usually ends in /v1.`,
		);
	}
	yield* events(marks.end(calls.count === 0 && finish !== "length"));
	if (marks.begins !== undefined && question.mayBeginInThought) beginnings.set(keeper, marks.begins);
	const written = calls.count === 0 && toolNames.length > 0 ? findWrittenCall(said, toolNames) : undefined;
	const isCallMissing = calls.count === 0 && said === "" && (finish === "tool_calls" || finish === "function_call");
	if (isCallMissing || finish === "error") throw brokenOff(question, isCallMissing);
	for (const { id, ...call } of calls.finished(finish === "length", finish != null))
		yield { type: "tool-call", callId: id, ...call };
	yield {
		type: "done",
		stopReason: written === undefined ? stopReason(finish, calls.count, isStopped) : "writtenCall",
		model,
		...(usage === undefined ? {} : { usage }),
		...keptWith(toKept(question.keeper, kept.fields, calls.kept)),
	};
}

/** vLLM reports errors within a stream without the member `error`, which the openai package looks for. */
export function isError(chunk: JsonObject): boolean {
	return chunk["object"] === "error" || (chunk["choices"] === undefined && isJsonObject(chunk["error"]));
}

function failed(chunk: JsonObject, { label, model, secrets }: CompletionQuestion): ModelFailure {
	const { reason, message } = explainFailure(label, model, readFailure(undefined, chunk, secrets));
	// A later error about the rate or the quota does not undo the work that it has begun.
	return new ModelFailure(reason, message, { isUnused: false });
}

function brokenOff({ label, model }: CompletionQuestion, isCallMissing: boolean): ModelFailure {
	const what = isCallMissing ? "announced a tool call, but sent none" : "stopped its answer with an error";
	return new ModelFailure("other", `${oneLine(model, 80)} at ${label} ${what}. Ask again, or choose another model.`);
}

function stopReason(finish: Json | undefined, callCount: number, isStopped: boolean): ModelStopReason {
	if (finish === "length") return "maxTokens";
	if (finish === "content_filter") return "refusal";
	if (callCount > 0) return "toolUse";
	return isStopped ? "stopSequence" : "endTurn";
}

/**
 * The cached tokens are a detail of most endpoints, and separate members of DeepSeek and Moonshot, under their own
 * names.
 */
function readUsage(value: Json | undefined): TokenUse | undefined {
	if (!isJsonObject(value)) return undefined;
	const { prompt_tokens: inputTokens, completion_tokens: outputTokens, prompt_tokens_details: details } = value;
	if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return undefined;
	const inDetails = isJsonObject(details) ? details["cached_tokens"] : undefined;
	const cached = inDetails ?? value["prompt_cache_hit_tokens"] ?? value["cached_tokens"];
	return { inputTokens, outputTokens, ...(typeof cached === "number" && cached > 0 ? { cachedTokens: cached } : {}) };
}

/** How much of the end of an answer is searched. */
const longest = 20_000;

/**
 * The name of the offered tool that a model calls in its text, if it or its template has no other way:
 * `<tool_call>{"name": …}</tool_call>` of Hermes and Qwen, `[TOOL_CALLS]` of Mistral, `<|python_tag|>` and
 * `<function=…>` of Llama, or an answer that consists only of such an object. Undefined for any other text.
 */
function findWrittenCall(answer: string, toolNames: readonly string[]): string | undefined {
	const text = answer.slice(-longest);
	const isMarked = /<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>|<function[=_]/.test(text);
	// An object among other words may well be an example.
	const isBare = /^(?:```(?:json)?\s*)?[[{][^]*[\]}]\s*(?:```)?$/.test(text.trim());
	if (!isMarked && !isBare) return undefined;
	const named = [...text.matchAll(/"(?:name|function|tool)"\s*:\s*"([^"\n]{1,200})"|<function=([^>\n]{1,200})>/g)];
	return named.map(([, quoted, tagged]) => quoted ?? tagged ?? "").find((name) => toolNames.includes(name));
}

/** For how long a text is held back while the stream says nothing more, and after its first piece at most, in milliseconds. */
const longestHold = 1000;

/**
 * The items of a stream, and a `pause` when something has been held back for a while: `isWaiting` says whether it is. The
 * stream is asked for nothing before the last item was taken in.
 */
export async function* withPauses<T>(
	items: AsyncIterable<T>,
	isWaiting: () => boolean,
): AsyncGenerator<{ readonly item: T } | { readonly pause: true }> {
	const iterator = items[Symbol.asyncIterator]();
	let dueAt: number | undefined;
	try {
		for (;;) {
			const next = iterator.next();
			// It is waited for below, unless the reader stops at a pause.
			next.catch(() => undefined);
			dueAt = isWaiting() ? (dueAt ?? performance.now() + longestHold) : undefined;
			if (dueAt !== undefined && (await isLater(next, dueAt - performance.now()))) {
				dueAt = undefined;
				yield { pause: true };
			}
			const { done, value } = await next;
			if (done === true) return;
			yield { item: value };
		}
	} finally {
		await iterator.return?.();
	}
}

/** Whether a time passes before a promise has ended. */
async function isLater(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
	const { promise: timeout, resolve } = Promise.withResolvers<true>();
	const timer = setTimeout(() => resolve(true), Math.max(0, milliseconds));
	const ended = promise.then(
		() => false,
		() => false,
	);
	try {
		return await Promise.race([ended, timeout]);
	} finally {
		clearTimeout(timer);
	}
}

/** A text, or a list of parts of which only the texts count. */
export function contentOf(content: Json | undefined): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	const texts = (content as readonly Json[]).map((part) =>
		isJsonObject(part) && part["type"] === "text" ? part["text"] : "",
	);
	return texts.filter((text) => typeof text === "string").join("");
}

/** Gemini's summaries of its thoughts, where a request asks for them, are content with a mark beside it. */
export function isThought({ extra_content: extra }: JsonObject): boolean {
	const google = isJsonObject(extra) ? extra["google"] : undefined;
	return isJsonObject(google) && google["thought"] === true;
}

/** Other places of thoughts in a delta than kept fields: its fields, and the types of parts of its content. */
const fields = ["thinking", "thought", "reasoning_text", "thinking_content", "reasoning_content", "reasoning"] as const;
const types: ReadonlySet<Json | undefined> = new Set(["thinking", "reasoning", "thought"]);

/** The thoughts of a delta, as a text or as an object around one: of Mistral, Ollama, Copilot, gateways. */
export function thoughtsIn(delta: JsonObject): string {
	const { content } = delta;
	const parts = Array.isArray(content) ? (content as readonly Json[]).filter(isThoughtPart) : [];
	// Some say the same in two fields.
	const inField = fields.map((field) => wordsOf(delta[field])).find((words) => words !== "") ?? "";
	return inField + parts.map(wordsOf).join("");
}

function isThoughtPart(part: Json): boolean {
	return isJsonObject(part) && types.has(part["type"]);
}

function wordsOf(value: Json | undefined): string {
	if (typeof value === "string") return value;
	if (Array.isArray(value)) return (value as readonly Json[]).map(wordsOf).join("");
	if (!isJsonObject(value)) return "";
	return wordsOf(value["thinking"] ?? value["text"] ?? value["content"] ?? value["summary"] ?? value["reasoning"]);
}
