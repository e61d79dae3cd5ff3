import type { JsonObject } from "../base/json.ts";
import type { ModelEndpoint, ModelTraits } from "./endpoints.ts";
import type { LongerContext } from "./model.ts";

/** An endpoint's data about a model, if it reports any. */
export interface ListedModel {
	readonly name: string;
	/** The length of its context in tokens. */
	readonly contextLength?: number;
	/** See `ModelInfo.longerContext`. */
	readonly longerContext?: LongerContext;
	readonly maxOutputTokens?: number;
	readonly tools?: boolean;
	readonly images?: boolean;
	/** False for models of another kind, such as embeddings. */
	readonly chats?: boolean;
}

/** Names of models that do not chat; endpoints list them beside the others. */
const otherKinds =
	/embed|whisper|\btts\b|dall-e|moderation|rerank|imagen|\bveo\b|\baqa\b|lyria|sora-|-image\b|-live\b|native-audio|realtime|transcribe|\bocr\b/i;

/** The models of a list that chat: as the endpoint says, otherwise by their names. */
export function chattingModels(models: readonly ListedModel[]): readonly ListedModel[] {
	return models.filter(({ name, chats }) => chats ?? !otherKinds.test(name));
}

/** All that is known of a model, to list it and to word requests to it. */
export interface ModelProfile {
	readonly maxInputTokens: number;
	readonly maxOutputTokens: number;
	readonly tools: boolean;
	readonly images: boolean;
	readonly maxTokensField: "max_tokens" | "max_completion_tokens";
	readonly systemRole: "system" | "developer" | "user";
	readonly parameters: JsonObject;
}

/** The defaults of a model without any data. */
const unknownModel = { maxInputTokens: 32_768, maxOutputTokens: 4096 } as const;

/**
 * Joins the data about a model: the setting's overrides, the setting's endpoint, the endpoint's report, the defaults.
 */
export function profileOf(endpoint: ModelEndpoint, listed: ListedModel): ModelProfile {
	const matching = endpoint.overrides.filter(({ pattern }) => matchesName(pattern, listed.name));
	const said: readonly ModelTraits[] = [endpoint.traits, ...matching.map(({ traits }) => traits)];
	const all: ModelTraits = Object.assign({}, ...said);
	const maxOutputTokens = all.maxOutputTokens ?? listed.maxOutputTokens ?? unknownModel.maxOutputTokens;
	return {
		maxInputTokens: all.maxInputTokens ?? roomFor(listed.contextLength, maxOutputTokens) ?? unknownModel.maxInputTokens,
		maxOutputTokens,
		tools: all.tools ?? listed.tools ?? true,
		images: all.images ?? listed.images ?? false,
		maxTokensField: all.maxTokensField ?? limitField(endpoint),
		systemRole: all.systemRole ?? "system",
		parameters: Object.assign({}, ...said.map(({ parameters }) => parameters)),
	};
}

/** A context includes the answer. If an endpoint claims all of it for the answer, a quarter must suffice. */
function roomFor(contextLength: number | undefined, maxOutputTokens: number): number | undefined {
	if (contextLength === undefined) return undefined;
	return Math.max(1, contextLength - Math.min(maxOutputTokens, Math.floor(contextLength / 4)));
}

/**
 * OpenAI's newer models refuse `max_tokens`; Ollama ignores `max_completion_tokens` without a word (ollama/ollama#7125),
 * and vLLM, LM Studio and llama.cpp take `max_tokens`.
 */
function limitField({ kind }: ModelEndpoint): ModelProfile["maxTokensField"] {
	return kind === "openai" || kind === "azure" ? "max_completion_tokens" : "max_tokens";
}

/** Whether a pattern names a model. Names hold slashes and colons, so that `*` is the only special character. */
export function matchesName(pattern: string, name: string): boolean {
	const [first = "", ...others] = pattern.split("*");
	const last = others.pop();
	if (last === undefined) return pattern === name;
	if (!name.startsWith(first)) return false;
	let from = first.length;
	for (const piece of others) {
		const found = name.indexOf(piece, from);
		if (found < 0) return false;
		from = found + piece.length;
	}
	return name.length - last.length >= from && name.endsWith(last);
}
