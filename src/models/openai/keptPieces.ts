import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/**
 * The fields of an assistant's message that providers need back: Gemini's signatures (`extra_content`), OpenRouter's
 * `reasoning_details`, LiteLLM's `thinking_blocks`, and the thoughts of DeepSeek, Qwen, Kimi, vLLM and llama.cpp
 * (`reasoning_content`) and of Ollama and newer vLLM (`reasoning`). `response_items` is a name of ours, for the items
 * of an answer of the Responses API in their order. Mistral has its thoughts in the content: see `thinkingOf`.
 */
const messageFields = [
	"extra_content",
	"reasoning_details",
	"thinking_blocks",
	"reasoning_content",
	"reasoning",
	"response_items",
] as const;

/** Those of a tool call, of Gemini and of LiteLLM. */
const callFields = ["extra_content", "provider_specific_fields"] as const;

/** The fields of a kept message that a request may include, regardless of others. */
export function keptOfMessage(kept: JsonObject): JsonObject {
	return pick(kept, messageFields);
}

/** Whether a field of a message is one that is kept. */
export function isKeptOfMessage(field: string): boolean {
	return messageFields.some((kept) => kept === field);
}

/** The fields of a kept tool call that a request may include, or, of a piece of a call, those to keep. */
export function keptOfCall(call: JsonObject): JsonObject {
	return pick(call, callFields);
}

/** Our name for kept thoughts that are parts of the content. */
const thinkingField = "thinking_parts";

/** The thoughts of a kept message that are parts of its content, before its text: Mistral's, which signs some of them. */
export function thinkingOf(kept: JsonObject): readonly JsonObject[] {
	const parts = kept[thinkingField];
	return Array.isArray(parts) ? (parts as readonly unknown[]).filter(isThinking) : [];
}

function isThinking(part: unknown): part is JsonObject {
	return isJsonObject(part) && part["type"] === "thinking" && Array.isArray(part["thinking"]);
}

function pick(from: JsonObject, fields: readonly string[]): JsonObject {
	const present = fields.filter((field) => Object.hasOwn(from, field) && from[field] != null);
	return Object.fromEntries(present.map((field) => [field, from[field]]));
}

/** The fields with those of a later piece: objects are joined, other values are replaced. */
export function withPiece(fields: JsonObject, piece: JsonObject): JsonObject {
	const joined = Object.entries(piece).map(([key, value]): [string, Json | undefined] => {
		const before = fields[key];
		return [key, isJsonObject(before) && isJsonObject(value) ? withPiece(before, value) : value];
	});
	return { ...fields, ...Object.fromEntries(joined) };
}

/**
 * The thoughts and signatures of an answer, joined from the deltas of its stream into the form of an unstreamed answer.
 */
export class KeptPieces {
	private readonly texts = new Map<string, string>();
	private readonly lists = new Map<string, JsonObject[]>();
	private readonly thinking: JsonObject[] = [];
	private rest: JsonObject = {};

	/** Adds a delta. Returns the model's thoughts in it, for display. */
	add(delta: JsonObject): string {
		for (const [field, value] of Object.entries(keptOfMessage(delta))) {
			if (typeof value === "string") this.texts.set(field, (this.texts.get(field) ?? "") + value);
			else if (Array.isArray(value)) this.addToList(field, value as readonly unknown[]);
			else if (isJsonObject(value)) this.rest = withPiece(this.rest, { [field]: value });
		}
		if (Array.isArray(delta["content"])) {
			for (const part of delta["content"] as readonly unknown[]) if (isThinking(part)) this.addThinking(part);
		}
		const { reasoning_content: content, reasoning, reasoning_details: details } = delta;
		if (typeof content === "string" && content !== "") return content;
		return typeof reasoning === "string" && reasoning !== "" ? reasoning : thoughtsOf(details);
	}

	/** All that was kept. */
	get fields(): JsonObject {
		// Empty thoughts are kept too: Kimi and DeepSeek require the field even if it was empty
		// (MoonshotAI/kimi-cli/pull/2498).
		const isSaid = ([field, text]: readonly [string, string]): boolean => text !== "" || field === "reasoning_content";
		const texts = Object.fromEntries([...this.texts].filter(isSaid));
		// The same thoughts again. Where both fields are texts, some vLLM gives both and takes one (vllm/issues/38488).
		if ((this.lists.get("reasoning_details") ?? []).length > 0) delete texts["reasoning"];
		const thinking = this.thinking.length === 0 ? {} : { [thinkingField]: this.thinking };
		return { ...this.rest, ...texts, ...Object.fromEntries(this.lists), ...thinking };
	}

	/** Mistral's thoughts arrive a few words at a time, each in its own part. A part with a signature is complete. */
	private addThinking(part: JsonObject): void {
		const last = this.thinking.at(-1);
		if (last === undefined || typeof last["signature"] === "string") {
			this.thinking.push(part);
			return;
		}
		const words = [last, part].flatMap(({ thinking }): readonly Json[] => (Array.isArray(thinking) ? thinking : []));
		this.thinking[this.thinking.length - 1] = { ...last, ...part, thinking: joinTexts(words) };
	}

	private addToList(field: string, given: readonly unknown[]): void {
		const items = given.filter(isJsonObject);
		const isEmpty = given.length === 0 && field === "reasoning_details";
		const list = this.lists.get(field) ?? [];
		// An empty list is one too: DeepSeek behind OpenRouter misses it (OpenRouterTeam/ai-sdk-provider, src/chat/index.ts).
		if (items.length > 0 || isEmpty) this.lists.set(field, list);
		for (const item of items) {
			const last = list.at(-1);
			if (last !== undefined && isContinued(last, item)) list[list.length - 1] = continued(last, item);
			else list.push(item);
		}
	}
}

/** The members of a block of thoughts that arrive in pieces. Encrypted ones arrive whole. */
const growing: ReadonlySet<string> = new Set(["text", "summary", "thinking"]);

function isContinued(last: JsonObject, item: JsonObject): boolean {
	if (last["type"] !== item["type"] || last["index"] !== item["index"]) return false;
	const grows = [...growing].some((key) => typeof last[key] === "string");
	// Behind its signature a block is complete, unless both say that they are one.
	const isSigned = typeof last["signature"] === "string" && last["signature"] !== "" && last["index"] === undefined;
	return grows && !isSigned;
}

function continued(last: JsonObject, item: JsonObject): JsonObject {
	const entries = Object.entries(item).flatMap(([key, value]): [string, Json][] => {
		const before = last[key];
		if (value == null || (value === "" && before !== undefined)) return [];
		return [
			[key, growing.has(key) && typeof before === "string" && typeof value === "string" ? before + value : value],
		];
	});
	return { ...last, ...Object.fromEntries(entries) };
}

/** Neighbouring texts are joined; other parts stay between them. */
function joinTexts(parts: readonly Json[]): readonly Json[] {
	const joined: Json[] = [];
	for (const part of parts) {
		const last = joined.at(-1);
		const [before, after] = [textIn(last), textIn(part)];
		if (before === undefined || after === undefined) joined.push(part);
		else joined[joined.length - 1] = { ...jsonObjectOf(last), text: before + after };
	}
	return joined;
}

function textIn(part: Json | undefined): string | undefined {
	const { type, text } = jsonObjectOf(part);
	return type === "text" && typeof text === "string" ? text : undefined;
}

function thoughtsOf(details: Json | undefined): string {
	if (!Array.isArray(details)) return "";
	const texts = (details as readonly unknown[]).map((one) =>
		isJsonObject(one) ? (one["text"] ?? one["summary"]) : "",
	);
	return texts.filter((text) => typeof text === "string").join("");
}
