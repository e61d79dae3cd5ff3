import { assertNever } from "../../base/assert.ts";
import type { JsonObject } from "../../base/json.ts";
import { toModelCallId, toShortCallId } from "../callIds.ts";
import type { EndpointKind } from "../endpoints.ts";

/** The differences of an endpoint's format for a conversation from the common one. */
export interface Dialect {
	/** The id of a tool call, as it is sent. */
	readonly callId: (id: string) => string;
	/** Whether images of a result are in its own message; otherwise in a user message after it. */
	readonly hasImagesInResults: boolean;
	/** The required fields of an answer without kept data: one of another model, or an earlier one. */
	readonly withoutKept: JsonObject;
	/** The required fields of the first call in such an answer. */
	readonly callWithoutKept: JsonObject;
	/** Fields of a request that it refuses, and does without. */
	readonly refused: readonly string[];
}

const usual: Dialect = {
	// Unchanged: some models recognize their own calls by it, such as Kimi's `functions.NAME:0`.
	callId: (id) => id,
	hasImagesInResults: false,
	withoutKept: {},
	callWithoutKept: {},
	refused: [],
};

/** OpenAI accepts ids of 40 characters, Anthropic letters, digits, `_` and `-`: others are from another model. */
const strictIds: Dialect = { ...usual, callId: toModelCallId };

/**
 * The dialect of a model at an endpoint. Mistral refuses ids that are not nine letters and digits, a user's message
 * right after results, and `stream_options`, without which it reports the usage all the same. Gemini from 3 on refuses
 * calls without a signature, and accepts this word for those of other models (ai.google.dev, "Thought signatures").
 * DeepSeek refuses answers without thoughts, and accepts empty ones (api-docs.deepseek.com, "Thinking Mode").
 */
export function dialectOf(kind: EndpointKind, model: string): Dialect {
	switch (kind) {
		case "openai":
		case "azure":
		case "anthropic":
		case "github":
			return strictIds;
		case "mistral":
			return { ...usual, callId: toShortCallId, hasImagesInResults: true, refused: ["stream_options"] };
		case "gemini":
			return /gemini-[12]\b/.test(model) ? usual : { ...usual, callWithoutKept: unsigned };
		case "deepseek":
			return { ...usual, withoutKept: { reasoning_content: "" } };
		case "qwen":
		case "openrouter":
		case "ollama":
		case "lm-studio":
		case "llama.cpp":
		case "vllm":
		case "other":
			return usual;
		default:
			return assertNever(kind);
	}
}

const unsigned: JsonObject = { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } };
