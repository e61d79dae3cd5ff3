import type OpenAI from "openai";
import { assertNever } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { audioFormatOf } from "../audioFormats.ts";
import type { ModelEndpoint } from "../endpoints.ts";
import { keeperOf } from "../kept/keptFields.ts";
import { type ModelMessage, type ModelRequestOptions, emptyResult, type ModelPart, type ModelTool } from "../model.ts";
import type { ModelProfile } from "../profile.ts";
import { type Dialect, dialectOf } from "./dialects.ts";
import { isKeptOfMessage, keptOfCall, keptOfMessage, thinkingOf } from "./keptPieces.ts";
import type { EndpointFailure } from "./openaiErrors.ts";

/** A streamed request for a completion. */
export type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** The two names of the most tokens of an answer. */
const limitFields: ReadonlySet<string> = new Set(["max_tokens", "max_completion_tokens"]);

/** Whom a request is worded for. */
export interface RequestTarget {
	readonly endpoint: Pick<ModelEndpoint, "baseURL" | "kind">;
	readonly model: string;
	readonly profile: ModelProfile;
}

/**
 * Makes a request in the form for a model; the setting's `parameters` are applied last. They can remove a field, but
 * the request's values take precedence over theirs, and they never raise the maximum of tokens (SMP-07).
 */
export function requestBody(
	{ endpoint, model, profile }: RequestTarget,
	messages: readonly ModelMessage[],
	options: ModelRequestOptions,
): ChatRequest {
	const tools = options.toolChoice === "none" ? [] : (options.tools ?? []);
	const dialect = dialectOf(endpoint.kind, model);
	const body: Record<string, unknown> = {
		model,
		messages: toOpenAiMessages(messages, profile, dialect, keeperOf(endpoint, model)),
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
	for (const field of dialect.refused) delete body[field];
	for (const [field, value] of Object.entries(profile.parameters)) {
		const isForTools = field === "parallel_tool_calls" && tools.length === 0;
		if (value === null || isForTools) delete body[field];
		else if (value !== undefined && !(askedFields.has(field) && field in body)) {
			body[field] = limitFields.has(field) ? lower(value, options.maxTokens) : (value satisfies Json);
		}
	}
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the setting names fields that the package does not know
	return body as unknown as ChatRequest;
}

/** Fields of the request, for which a setting is only a default. */
const askedFields: ReadonlySet<string> = new Set(["temperature", "stop", "metadata"]);

function lower(value: Json, most: number | undefined): Json {
	return typeof value === "number" && most !== undefined ? Math.min(value, most) : value;
}

/**
 * The requested fields that are not in the final request, by their names there: the model, or the setting, excludes
 * them.
 */
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

const unsupported = /^(unsupported_(parameter|value)|array_above_max_length|extra_forbidden)$/;

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
 * Fields of a request that some endpoints name in errors by their values: Mistral
 * (github.com/openai/openai-agents-python/issues/442).
 */
const parents: ReadonlyMap<string | undefined, string> = new Map([["include_usage", "stream_options"]]);

/**
 * The request without the field that an endpoint reports as unsupported (OpenAI's reasoning models refuse
 * `temperature`, `stop` and `max_tokens`; none of its models takes more than four of `stop`), or undefined for another
 * error. Each field is removed once.
 */
export function withoutUnsupported(
	body: ChatRequest,
	failure: EndpointFailure,
	given: Set<string>,
): ChatRequest | undefined {
	const { status, code } = failure;
	const param = parents.get(failure.param) ?? failure.param;
	if (status !== 400 && status !== 422) return undefined;
	const isAboutField = unsupported.test(code ?? "");
	const ofMessages = refusedOfMessages(failure);
	if (ofMessages !== undefined && !given.has(ofMessages)) {
		given.add(ofMessages);
		return { ...body, messages: body.messages.map((message) => without(message, ofMessages)) };
	}
	if (!isAboutField || param === undefined || !dispensable.has(param) || !(param in body) || given.has(param)) {
		return undefined;
	}
	given.add(param);
	const rest = { ...body };
	const value: unknown = Reflect.get(rest, param);
	Reflect.deleteProperty(rest, param);
	const other = dispensable.get(param);
	return other === undefined || given.has(other) ? rest : { ...rest, [other]: value };
}

/**
 * The request with empty thoughts in the answers that have none, for an endpoint that reports them as missing;
 * undefined for any other refusal. DeepSeek and Kimi do this in conversations in which another model had called, also
 * behind unknown addresses (api-docs.deepseek.com, "Thinking Mode"; github.com/anomalyco/opencode/issues/10996).
 */
export function withMissingThoughts(
	body: ChatRequest,
	{ status, detail = "" }: EndpointFailure,
): ChatRequest | undefined {
	const isAbout = /reasoning_content/.test(detail) && /missing|must be passed back/i.test(detail);
	const lacks = (message: Message): boolean => message.role === "assistant" && !("reasoning_content" in message);
	if (status !== 400 || !isAbout || !body.messages.some(lacks)) return undefined;
	const empty: object = { reasoning_content: "" };
	return { ...body, messages: body.messages.map((message) => (lacks(message) ? { ...message, ...empty } : message)) };
}

/**
 * The field of earlier answers that an endpoint does not take back although it, or one before it at the same address, gave
 * it; undefined for any other refusal.
 */
function refusedOfMessages({ code, param, detail = "" }: EndpointFailure): string | undefined {
	const named = isKeptOfMessage(param ?? "") ? param : /['"`](\w{1,40})['"`]/.exec(detail)?.[1];
	const isRefused =
		code === "extra_forbidden" || /unsupported|not supported|not permitted|unexpected|unrecogni/i.test(detail);
	return isRefused && named !== undefined && isKeptOfMessage(named) ? named : undefined;
}

function without(message: Message, field: string): Message {
	const rest = { ...message };
	Reflect.deleteProperty(rest, field);
	return rest;
}

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type UserPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
type Tool = OpenAI.Chat.Completions.ChatCompletionTool;

/**
 * Our messages in the form of chat completions. Tool results become messages of their own, directly after the
 * assistant's message as the format requires; images in them, which it cannot contain there, follow as a user message.
 * Parts that the model cannot read are replaced by a note, never dropped silently.
 */
function toOpenAiMessages(
	messages: readonly ModelMessage[],
	{ images, systemRole }: Pick<ModelProfile, "images" | "systemRole">,
	dialect: Dialect,
	keeper: string,
): Message[] {
	return messages.flatMap((message): Message[] => {
		const { role, content } = message;
		if (role === "system") return [{ role: systemRole, content: textOf(content) }];
		return role === "assistant" ? [assistantMessage(message, dialect, keeper)] : userMessages(content, images, dialect);
	});
}

/** Our tools in the form of chat completions, schemas unchanged. */
function toOpenAiTools(tools: readonly ModelTool[]): Tool[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: "function",
		function: { name, description, parameters: { ...inputSchema } },
	}));
}

/** The kept data of an answer is sent back only to its source, in its original places (MDL-01). */
function assistantMessage({ content, kept }: ModelMessage, dialect: Dialect, keeper: string): Message {
	const calls = content.filter((part) => part.type === "tool-call");
	const text = textOf(content.filter((part) => part.type !== "tool-call"));
	const own = kept?.by === keeper ? kept : undefined;
	const ofMessage = { ...dialect.withoutKept, ...keptOfMessage(own?.message ?? {}) };
	const thinking = thinkingOf(own?.message ?? {});
	const parts = [...thinking, ...(text === "" ? [] : [{ type: "text", text }])];
	// The package does not support thoughts there.
	const said = (otherwise: string | null): object => ({ content: thinking.length === 0 ? otherwise : parts });
	if (calls.length === 0) return { role: "assistant", ...said(text), ...ofMessage };
	const ofCalls = new Map(own?.calls.map(({ callId, fields }) => [callId, keptOfCall(fields)]));
	const [first] = calls;
	if (ofCalls.size === 0 && first !== undefined) ofCalls.set(first.callId, dialect.callWithoutKept);
	return {
		role: "assistant",
		...said(text === "" ? null : text),
		...ofMessage,
		tool_calls: calls.map(({ callId, name, arguments: args }) => {
			const call = { name, arguments: JSON.stringify(args) };
			return Object.assign(
				{ id: dialect.callId(callId), type: "function" as const, function: call },
				ofCalls.get(callId),
			);
		}),
	};
}

function userMessages(content: readonly ModelPart[], supportsImages: boolean, dialect: Dialect): Message[] {
	const results: Message[] = [];
	const parts: UserPart[] = [];
	for (const part of content) {
		if (part.type !== "tool-result") {
			parts.push(userPart(part, supportsImages));
			continue;
		}
		const isShown = (inner: ModelPart): boolean => supportsImages && inner.type === "image";
		const images = part.content.filter(isShown);
		const texts = textOf(part.content.filter((inner) => !isShown(inner)));
		const fallback = images.length > 0 ? "(see the images that follow)" : emptyResult;
		const text = `${part.isError ? "Error:\n" : ""}${texts === "" ? fallback : texts}`;
		const id = dialect.callId(part.callId);
		if (dialect.hasImagesInResults && images.length > 0) {
			// The package knows texts alone there.
			const shown: object = { content: [{ type: "text", text }, ...images.map((image) => userPart(image, true))] };
			results.push({ role: "tool", tool_call_id: id, content: text, ...shown });
			continue;
		}
		results.push({ role: "tool", tool_call_id: id, content: text });
		if (images.length > 0) {
			const label = `${images.length === 1 ? "Image" : "Images"} from the result of the tool call ${id}:`;
			parts.push({ type: "text", text: label }, ...images.map((image) => userPart(image, true)));
		}
	}
	if (parts.length === 0) return results;
	// A plain text is understood by every endpoint; some refuse lists of parts.
	const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
	const message: Message = { role: "user", content: texts.length === parts.length ? texts.join("\n\n") : parts };
	return [...results, message];
}

function userPart(part: ModelPart, supportsImages: boolean): UserPart {
	if (part.type === "image" && supportsImages) {
		return { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
	}
	const format = part.type === "audio" ? audioFormatOf(part.mimeType) : undefined;
	if (part.type === "audio" && format !== undefined) {
		return { type: "input_audio", input_audio: { data: part.data, format } };
	}
	return { type: "text", text: textOf([part]) };
}

function textOf(parts: readonly ModelPart[]): string {
	return parts.map(textOfPart).join("\n\n");
}

function textOfPart(part: ModelPart): string {
	switch (part.type) {
		case "text":
			// Some endpoints refuse the whole conversation for half of a character.
			return part.text.toWellFormed();
		case "image":
		case "audio":
			return `(${part.mimeType} left out: it cannot be sent to this model)`;
		case "tool-call":
			return `(call of ${part.name})`;
		case "tool-result":
			return textOf(part.content);
		default:
			return assertNever(part);
	}
}
