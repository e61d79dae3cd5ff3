import type OpenAI from "openai";
import type { Json } from "../base/json.ts";
import type { ModelMessage, ModelRequestOptions } from "./model.ts";
import { toOpenAiMessages, toOpenAiTools } from "./openaiMessages.ts";
import type { EndpointFailure } from "./openaiErrors.ts";
import type { ModelProfile } from "./profile.ts";

/** A streamed request for a completion. */
export type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** The two names of the most tokens of an answer. */
const limitFields: ReadonlySet<string> = new Set(["max_tokens", "max_completion_tokens"]);

/**
 * Words a request as a model takes it; the setting's `parameters` come last. They can keep a field out, but what was asked
 * for goes before their values, and never do they raise the most tokens (spec.md P2s).
 */
export function requestBody(
	model: string,
	profile: ModelProfile,
	messages: readonly ModelMessage[],
	options: ModelRequestOptions,
): ChatRequest {
	const tools = options.toolChoice === "none" ? [] : (options.tools ?? []);
	const body: Record<string, unknown> = {
		model,
		messages: toOpenAiMessages(messages, profile),
		stream: true,
		stream_options: { include_usage: true },
		...(tools.length === 0 ? {} : { tools: toOpenAiTools(tools) }),
		...(tools.length === 0 || options.toolChoice === undefined ? {} : { tool_choice: options.toolChoice }),
		...(options.maxTokens === undefined ? {} : { [profile.maxTokensField]: options.maxTokens }),
		...(options.temperature === undefined ? {} : { temperature: options.temperature }),
		...(options.stopSequences === undefined || options.stopSequences.length === 0
			? {}
			: { stop: [...options.stopSequences] }),
		...(options.metadata === undefined ? {} : { metadata: options.metadata }),
	};
	for (const [field, value] of Object.entries(profile.parameters)) {
		const isForTools = field === "parallel_tool_calls" && tools.length === 0;
		if (value === null || isForTools) delete body[field];
		else if (value !== undefined && !(askedFields.has(field) && field in body)) {
			body[field] = limitFields.has(field) ? lower(value, options.maxTokens) : (value satisfies Json);
		}
	}
	return body as unknown as ChatRequest;
}

/** What a caller asks for, and a setting only provides for when nobody does. */
const askedFields: ReadonlySet<string> = new Set(["temperature", "stop", "metadata"]);

function lower(value: Json, most: number | undefined): Json {
	return typeof value === "number" && most !== undefined ? Math.min(value, most) : value;
}

/** What was asked for and is not in a request, by its name there: the model, or the setting, does without it. */
export function leftOut(
	body: ChatRequest,
	{ maxTokens, temperature, metadata }: ModelRequestOptions,
): readonly string[] {
	const isLimited = [...limitFields].some((field) => field in body);
	return [
		...(maxTokens !== undefined && !isLimited ? ["max_tokens"] : []),
		...(temperature !== undefined && !("temperature" in body) ? ["temperature"] : []),
		...(metadata !== undefined && !("metadata" in body) ? ["metadata"] : []),
	];
}

const unsupported = /^(unsupported_(parameter|value)|array_above_max_length)$/;

/** Fields that a request does without when a model does not take them, and the other name of one that has two. */
const dispensable: ReadonlyMap<string, string | undefined> = new Map([
	["temperature", undefined],
	["stop", undefined],
	["stream_options", undefined],
	["parallel_tool_calls", undefined],
	["max_tokens", "max_completion_tokens"],
	["max_completion_tokens", "max_tokens"],
]);

/**
 * The request without the field that an endpoint says it does not support (OpenAI's reasoning models refuse
 * `temperature`, `stop` and `max_tokens`; no model of theirs takes more than four of `stop`), or undefined when that is not
 * what it says. Each field is given up once.
 */
export function withoutUnsupported(
	body: ChatRequest,
	failure: EndpointFailure,
	given: Set<string>,
): ChatRequest | undefined {
	const { status, code, param } = failure;
	const isAboutField = (status === 400 || status === 422) && unsupported.test(code ?? "");
	if (!isAboutField || param === undefined || !dispensable.has(param) || !(param in body) || given.has(param)) {
		return undefined;
	}
	given.add(param);
	const { [param as "temperature"]: value, ...rest } = body;
	const other = dispensable.get(param);
	return other === undefined || given.has(other) ? rest : { ...rest, [other]: value };
}
