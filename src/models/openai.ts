import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError, OpenAI } from "openai";
import { HostError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { endpointLabel, originOf, type ModelEndpoint } from "./endpoints.ts";
import type { ModelEvent, ModelMessage, ModelRequestOptions } from "./model.ts";
import { adviseRetry, explainFailure, type EndpointFailure } from "./openaiErrors.ts";
import { toOpenAiMessages, toOpenAiTools } from "./openaiMessages.ts";
import { readCompletion } from "./openaiStream.ts";
import { defaultRetryPolicy, withRetries, type RetryAdvice, type RetryPolicy } from "./retry.ts";

type Request = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Chunks = AsyncIterable<OpenAI.Chat.Completions.ChatCompletionChunk>;

/** A model at an endpoint, and the patience to have with it. */
export interface EndpointModel {
	readonly endpoint: ModelEndpoint;
	readonly model: string;
	readonly apiKey: string | undefined;
	readonly retries?: RetryPolicy;
	/** Milliseconds without a sign of life after which an answer is given up. */
	readonly idleMs?: number;
}

const defaultIdleMs = 120_000;

/**
 * Asks a model for an answer to the messages over an OpenAI-compatible endpoint, and streams it. A lazy part: loaded by
 * the first request. Failures that pass by themselves are retried before anything was said, never afterwards.
 * Rejects with a HostError: `cancelled` when the signal is aborted, otherwise `model`, whose message names the endpoint
 * and the next step and never holds the key.
 */
export async function* respond(
	target: EndpointModel,
	messages: readonly ModelMessage[],
	options: ModelRequestOptions,
): AsyncGenerator<ModelEvent> {
	const label = endpointLabel(target.endpoint);
	const idle = new IdleTimer(target.idleMs ?? defaultIdleMs);
	const signal = AbortSignal.any([options.signal, idle.signal]);
	try {
		const body = requestBody(target, messages, options);
		const client = createClient(target);
		const open = (): Promise<Chunks> => {
			idle.restart();
			return client.chat.completions.create(body, { signal });
		};
		const chunks = await withRetries(open, advise, signal, target.retries ?? defaultRetryPolicy);
		for await (const event of readCompletion(watch(chunks, idle, signal), label)) yield event;
	} catch (error) {
		throw toHostError(error, target, options.signal, idle);
	} finally {
		idle.stop();
	}
}

/** Ends an answer that stalls. */
class IdleTimer {
	private readonly controller = new AbortController();
	private timer: NodeJS.Timeout | undefined;
	readonly milliseconds: number;

	constructor(milliseconds: number) {
		this.milliseconds = milliseconds;
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	restart(): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.controller.abort(), this.milliseconds);
	}

	stop(): void {
		clearTimeout(this.timer);
	}
}

/** The openai package ends an aborted stream as if it were complete; here it rejects. */
async function* watch(chunks: Chunks, idle: IdleTimer, signal: AbortSignal): AsyncGenerator {
	for await (const chunk of chunks) {
		// The time that the consumer takes is not the endpoint's.
		idle.stop();
		yield chunk;
		idle.restart();
	}
	signal.throwIfAborted();
}

function createClient({ endpoint, apiKey, idleMs }: EndpointModel): OpenAI {
	// Exactly these headers: neither the package's telemetry nor what OPENAI_* variables would add for another endpoint.
	const headers = {
		accept: "text/event-stream, application/json",
		"content-type": "application/json",
		"user-agent": "mcp-host",
		...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
	};
	return new OpenAI({
		baseURL: endpoint.baseURL,
		// The package wants one; only our own header is sent.
		apiKey: apiKey ?? "none",
		maxRetries: 0,
		// Ours is the idle timer; theirs must not come before it.
		timeout: 2 * (idleMs ?? defaultIdleMs),
		logLevel: "off",
		// The key and the conversation belong to this origin: another address is not followed (security.md SEC-06).
		fetch: (url, init) => fetch(url, { ...init, headers, redirect: "manual" }),
	});
}

function requestBody(target: EndpointModel, messages: readonly ModelMessage[], options: ModelRequestOptions): Request {
	const { endpoint, model } = target;
	const tools = options.toolChoice === "none" ? [] : (options.tools ?? []);
	return {
		model,
		messages: toOpenAiMessages(messages, endpoint.images),
		stream: true,
		stream_options: { include_usage: true },
		...(tools.length === 0 ? {} : { tools: toOpenAiTools(tools) }),
		...(tools.length === 0 || options.toolChoice === undefined ? {} : { tool_choice: options.toolChoice }),
		...(options.maxTokens === undefined ? {} : { [limitField(endpoint)]: options.maxTokens }),
		...(options.temperature === undefined ? {} : { temperature: options.temperature }),
		...(options.stopSequences === undefined || options.stopSequences.length === 0
			? {}
			: { stop: [...options.stopSequences] }),
	};
}

/**
 * The name of the limit on the answer's tokens. OpenAI's newer models refuse `max_tokens`; Ollama ignores
 * `max_completion_tokens` without a word (ollama/ollama#7125), and vLLM, LM Studio and llama.cpp take `max_tokens`.
 */
function limitField(endpoint: ModelEndpoint): "max_tokens" | "max_completion_tokens" {
	return /\.openai\.(com|azure\.com)$/.test(new URL(originOf(endpoint)).hostname)
		? "max_completion_tokens"
		: "max_tokens";
}

function advise(error: unknown): RetryAdvice {
	if (error instanceof APIUserAbortError) return { retry: false };
	if (error instanceof APIConnectionError) {
		// Nobody listens there: known at once, and waiting rarely helps. A connection that broke is tried again.
		return {
			retry: !causeCodes(error).some((code) =>
				["ECONNREFUSED", "ENOTFOUND", "EACCES", "CERT_HAS_EXPIRED"].includes(code),
			),
		};
	}
	return error instanceof APIError ? adviseRetry(failureOf(error), error.headers) : { retry: false };
}

function toHostError(error: unknown, target: EndpointModel, signal: AbortSignal, idle: IdleTimer): HostError {
	const label = endpointLabel(target.endpoint);
	if (signal.aborted) return new HostError("cancelled", `The request to ${label} was cancelled.`, { cause: error });
	if (HostError.is(error)) return error;
	const fail = (message: string): HostError =>
		new HostError("model", redact(message, target.apiKey), { cause: withoutHeaders(error) });
	if (idle.signal.aborted || error instanceof APIConnectionTimeoutError) {
		return fail(
			`${label} said nothing for ${idle.milliseconds / 1000} seconds. Look at its log, or choose another model.`,
		);
	}
	if (error instanceof APIConnectionError) {
		const [code] = causeCodes(error);
		return fail(
			`${label} cannot be reached${code === undefined ? "" : ` (${code})`}. Start it, or check its address in "MCP Host: Manage Models…".`,
		);
	}
	if (error instanceof APIError) return fail(explainFailure(label, target.model, failureOf(error)));
	if (error instanceof SyntaxError) {
		return fail(
			`${label} streamed something that is not a chat completion. Check its address in "MCP Host: Manage Models…", or look at its log.`,
		);
	}
	return fail(`The connection to ${label} broke before the answer was complete. Ask again, or look at its log.`);
}

function failureOf(error: APIError): EndpointFailure {
	const body: unknown = error.error;
	const detail = isJsonObject(body) ? body["message"] : body;
	return {
		status: error.status,
		code: error.code ?? undefined,
		detail: typeof detail === "string" ? detail : undefined,
	};
}

/** The system's codes for what broke a connection, outermost first. */
function causeCodes(error: unknown): readonly string[] {
	const codes: string[] = [];
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if ("code" in cause && typeof cause.code === "string") codes.push(cause.code);
	}
	return codes;
}

/** An endpoint may repeat the key in what it says about it (security.md SEC-02). */
function redact(text: string, apiKey: string | undefined): string {
	return apiKey === undefined || apiKey === "" ? text : text.replaceAll(apiKey, "(API key)");
}

/** What may be kept as a cause: an error of the package holds the headers of the answer and the endpoint's own words. */
function withoutHeaders(error: unknown): unknown {
	return error instanceof APIError ? undefined : error;
}
