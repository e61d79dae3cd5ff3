import { assertNever } from "../../base/assert.ts";
import type { JsonObject } from "../../base/json.ts";
import { toModelCallId, toShortCallId } from "../callIds.ts";
import type { EndpointKind } from "../endpoints.ts";

/** What an endpoint's words for a conversation differ in from what all others take. */
export interface Dialect {
	/** The id of a tool call, as it is sent. */
	readonly callId: (id: string) => string;
	/** Whether images of a result stand in its own message; else in one of the user, behind it. */
	readonly hasImagesInResults: boolean;
	/** What has to stand in an answer that has nothing kept: one of another model, or of a time before. */
	readonly withoutKept: JsonObject;
	/** What has to stand in the first call of such an answer. */
	readonly callWithoutKept: JsonObject;
	/** Fields of a request that it refuses, and does without. */
	readonly refused: readonly string[];
}

const usual: Dialect = {
	// As it came: some find their own calls again by it, such as Kimi's `functions.NAME:0`.
	callId: (id) => id,
	hasImagesInResults: false,
	withoutKept: {},
	callWithoutKept: {},
	refused: [],
};

/** OpenAI takes ids of 40 characters, Anthropic letters, digits, `_` and `-`: others come from another model. */
const strictIds: Dialect = { ...usual, callId: toModelCallId };

/**
 * The dialect of a model at an endpoint. Mistral refuses ids that are not nine letters and digits, a user's message right
 * behind results, and `stream_options`, without which it tells the usage all the same. Gemini from 3 on refuses calls
 * without a signature, and takes this word for those that are not its own (ai.google.dev, "Thought signatures"). DeepSeek
 * refuses answers without thoughts, and takes empty ones (api-docs.deepseek.com, "Thinking Mode").
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
