import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError, OpenAI } from "openai";
import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { type EndpointKind, endpointLabel, type ModelEndpoint, requestTo, secretsOf } from "../endpoints.ts";
import { ModelFailure, type ModelFailureReason } from "../failure.ts";
import { keeperOf } from "../kept/keptFields.ts";
import type { ModelEvent, ModelMessage, ModelRequestOptions } from "../model.ts";
import { adviseRetry, type EndpointFailure, explainFailure, readFailure, requestedPause } from "./openaiErrors.ts";
import { isError, readCompletion } from "./openaiStream.ts";
import type { ModelProfile } from "../profile.ts";
import { refusedKeywords, withoutRefused } from "./refusedKeywords.ts";
import { leftOut, requestBody, withMissingThoughts, withoutUnsupported } from "./requestBody.ts";
import { hasResponsesOnly, toChunks, toResponseRequest } from "./responses.ts";
import { defaultRetryPolicy, type RetryAdvice, type RetryPolicy, withRetries } from "./retry.ts";
import type { SchemaRefusals } from "../schemaRefusals.ts";
import { withinTokens } from "../tokenLimit.ts";
import { streamOfAnswer } from "./wholeAnswer.ts";

type Chunks = AsyncIterable<OpenAI.Chat.Completions.ChatCompletionChunk>;

/** A model at an endpoint, and the patience to have with it. */
export interface EndpointModel {
	readonly endpoint: ModelEndpoint;
	readonly model: string;
	readonly profile: ModelProfile;
	readonly apiKey: string | undefined;
	/** The keywords that models refuse in definitions of tools; read, and extended. */
	readonly refusals?: Pick<SchemaRefusals, "of" | "note">;
	/** Continues the message if it cannot be reached. */
	readonly note?: string;
	readonly retries?: RetryPolicy;
	/** Milliseconds without a sign of life after which an answer is abandoned. */
	readonly idleMs?: number;
}

const defaultIdleMs = 120_000;

/**
 * Asks a model for an answer to the messages over an OpenAI-compatible endpoint, and streams it. A lazy part: loaded by
 * the first request. Temporary failures are retried before any output, never afterwards; each pause is reported as
 * `waiting`. Rejects with a HostError: `cancelled` when the signal is aborted, otherwise a ModelFailure, whose message
 * names the endpoint and the next step and never contains the key.
 */
export async function* respond(
	target: EndpointModel,
	messages: readonly ModelMessage[],
	options: ModelRequestOptions,
): AsyncGenerator<ModelEvent> {
	const label = endpointLabel(target.endpoint);
	let wasRetried = false;
	const idle = new IdleTimer(target.idleMs ?? defaultIdleMs);
	const signal = AbortSignal.any([options.signal, idle.signal]);
	try {
		const keeper = keeperOf(target.endpoint, target.model);
		const { refusals } = target;
		let body = withoutRefused(requestBody(target, messages, options), refusals?.of(keeper) ?? new Set());
		const given = new Set<string>();
		// An answer of a former window also provides it.
		let asksForResponse = onlyResponses.has(keeper) || body.messages.some((message) => "response_items" in message);
		const open = async (): Promise<Chunks> => {
			for (;;) {
				idle.restart();
				try {
					const client = createClient(target, !asksForResponse);
					if (!asksForResponse) return await begun(await client.chat.completions.create(body, { signal }));
					const events = await client.responses.create(toResponseRequest(body), { signal });
					// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- chunks of endpoints are as little checked
					const chunks = await begun(toChunks(events, options.onCallPart) as Chunks);
					// Not before it has answered there: a refusal may only sound like that.
					onlyResponses.add(keeper);
					return chunks;
				} catch (error) {
					const failure = error instanceof APIError ? failureOf(error, target) : undefined;
					if (failure !== undefined && hasResponsesOnly(failure) && !asksForResponse) {
						asksForResponse = true;
						continue;
					}
					const refused = failure === undefined ? [] : refusedKeywords(body, failure);
					if (refused.length > 0) {
						refusals?.note(keeper, `${target.model} at ${label}`, refused);
						body = withoutRefused(body, new Set(refused));
						continue;
					}
					const reworded =
						failure === undefined
							? undefined
							: (withMissingThoughts(body, failure) ?? withoutUnsupported(body, failure, given));
					if (reworded === undefined) throw error;
					body = reworded;
				} finally {
					// A pause between two tries is not the endpoint's silence.
					idle.stop();
				}
			}
		};
		const advise = (error: unknown): RetryAdvice =>
			options.isApprovedOnce !== true || isRefusal(error) ? adviseAbout(error, target) : { retry: false };
		const opening = withRetries(open, advise, signal, target.retries ?? defaultRetryPolicy);
		let opened = await opening.next();
		for (; opened.done !== true; opened = await opening.next()) {
			const { reason, afterMs, attempt } = opened.value;
			wasRetried = true;
			yield { type: "waiting", reason: `${label} ${reason}`, afterMs, attempt };
		}
		idle.restart();
		const toolNames = (body.tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool.function.name] : []));
		const question = {
			label,
			model: target.model,
			toolNames,
			keeper,
			secrets: secretsOf(target.endpoint, target.apiKey),
			onCallPart: options.onCallPart,
			mayBeginInThought: servedByAnybody.has(target.endpoint.kind),
		};
		const without = leftOut(body, options);
		const answer = readCompletion(watch(opened.value, idle, signal), question);
		// A limit that the endpoint does not have is applied here.
		const most = without.includes("max_tokens") ? options.maxTokens : undefined;
		for await (const event of withinTokens(answer, most)) {
			yield event.type === "done" && without.length > 0 ? { ...event, without } : event;
		}
	} catch (error) {
		throw toHostError(error, target, { signal: options.signal, idle, wasRetried });
	} finally {
		idle.stop();
	}
}

/** Who serves models of all makers, with templates that may begin an answer within a thought. */
const servedByAnybody: ReadonlySet<EndpointKind> = new Set(["ollama", "lm-studio", "llama.cpp", "vllm", "other"]);

/** The models that have refused and then answered there, by `keeperOf`: the other way is not tried again. */
const onlyResponses = new Set<string>();

/**
 * The stream with its first chunk read: an endpoint that is overloaded may say so there, behind a status of 200, and
 * is asked again as one is that says it by its status. Rejects with that error.
 */
async function begun(chunks: Chunks): Promise<Chunks> {
	const iterator = chunks[Symbol.asyncIterator]();
	const first = await iterator.next();
	const chunk: unknown = first.value;
	if (isJsonObject(chunk) && isError(chunk)) throw new APIError(undefined, chunk, undefined, undefined);
	return (async function* () {
		try {
			for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
		} finally {
			await iterator.return?.();
		}
	})();
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

function createClient({ endpoint, model, apiKey, idleMs }: EndpointModel, isForCompletions: boolean): OpenAI {
	const { headers: own, query } = requestTo(endpoint, apiKey);
	// Exactly these headers: neither the package's telemetry nor the additions of OPENAI_* variables for another
	// endpoint.
	const headers = {
		accept: "text/event-stream, application/json",
		"content-type": "application/json",
		"user-agent": "mcp-host",
		...own,
	};
	// The older address of Azure names the deployment, but not for responses, which name it as their model.
	const isByDeployment = isForCompletions && endpoint.kind === "azure" && endpoint.apiVersion !== undefined;
	return new OpenAI({
		baseURL: isByDeployment ? `${endpoint.baseURL}/deployments/${encodeURIComponent(model)}` : endpoint.baseURL,
		defaultQuery: query,
		// The package wants one; only our own header is sent.
		apiKey: apiKey ?? "none",
		maxRetries: 0,
		// Ours is the idle timer; theirs must not fire first.
		timeout: 2 * (idleMs ?? defaultIdleMs),
		logLevel: "off",
		// The key and the conversation belong to this origin: another address is not followed (SEC-06).
		fetch: async (url, init) => streamOfAnswer(await fetch(url, { ...init, headers, redirect: "manual" })),
	});
}

function adviseAbout(error: unknown, target: EndpointModel): RetryAdvice {
	if (error instanceof APIUserAbortError) return { retry: false };
	if (error instanceof APIConnectionError) {
		// Nothing listens there: known immediately, and waiting rarely helps. A broken connection is tried again.
		const isFinal = causeCodes(error).some((code) => finalCodes.has(code));
		return isFinal ? { retry: false } : { retry: true, reason: "closed the connection" };
	}
	return error instanceof APIError ? adviseRetry(failureOf(error, target), error.headers) : { retry: false };
}

/**
 * Whether a failed request certainly used nothing: it never arrived, or its status means that it was not started. For a
 * broken connection and an error of the server this is unknown, as for 503 of a gateway unless it says when to retry.
 */
function isRefusal(error: unknown): boolean {
	if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) return false;
	if (error instanceof APIConnectionError) return causeCodes(error).some((code) => finalCodes.has(code));
	if (!(error instanceof APIError) || typeof error.status !== "number") return false;
	const { status } = error;
	if (status === 503 || status === 529) return requestedPause(error.headers) !== undefined;
	return status >= 400 && status < 500 && !statusesAfterwards.has(status);
}

/** Statuses below 500 that may follow work on the request: a time-out, a conflict, an end by the client. */
const statusesAfterwards: ReadonlySet<number> = new Set([408, 409, 499]);

const finalCodes: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EACCES", "CERT_HAS_EXPIRED"]);

/** The state of a request when it failed. */
interface FailedAsking {
	readonly signal: AbortSignal;
	readonly idle: IdleTimer;
	readonly wasRetried: boolean;
}

function toHostError(error: unknown, target: EndpointModel, { signal, idle, wasRetried }: FailedAsking): HostError {
	const label = endpointLabel(target.endpoint);
	if (signal.aborted) return new HostError("cancelled", `The request to ${label} was cancelled.`, { cause: error });
	if (HostError.is(error)) return error;
	const fail = (reason: ModelFailureReason, message: string): HostError =>
		new ModelFailure(reason, message, { cause: withoutHeaders(error), isUnused: isRefusal(error) });
	if (idle.signal.aborted || error instanceof APIConnectionTimeoutError) {
		const seconds = idle.milliseconds / 1000;
		return fail("unreachable", `${label} sent nothing for ${seconds} seconds. Check its log, or choose another model.`);
	}
	if (error instanceof APIConnectionError) {
		const [code] = causeCodes(error);
		const which = code === undefined ? "" : ` (${code})`;
		const message = `${label} cannot be reached${which}. Start it, or check its address in "MCP Host: Manage Models…".${target.note ?? ""}`;
		return fail("unreachable", message);
	}
	if (error instanceof APIError) {
		const { reason, message } = explainFailure(label, target.model, failureOf(error, target), wasRetried);
		return fail(reason, message);
	}
	if (error instanceof SyntaxError) {
		return fail(
			"other",
			`${label} streamed something that is not a chat completion. Check its address in "MCP Host: Manage Models…", or check its log.`,
		);
	}
	const message = `The connection to ${label} was lost before the answer was complete. Ask again, or check its log.`;
	return fail("unreachable", message);
}

/** The package unpacks `{ error }`, and uses the whole text as the message if it is not JSON. */
function failureOf(error: APIError, { endpoint, apiKey }: EndpointModel): EndpointFailure {
	const body: unknown = error.error;
	const said = body ?? (error.status === undefined ? undefined : textBehindStatus(error));
	const failure = readFailure(error.status, said, secretsOf(endpoint, apiKey));
	const afterMs = requestedPause(error.headers) ?? failure.afterMs;
	return afterMs === undefined ? failure : { ...failure, afterMs };
}

function textBehindStatus({ message, status }: APIError): string {
	return message.replace(`${status} `, "").replace("status code (no body)", "");
}

/** The system's codes for a broken connection, outermost first. */
function causeCodes(error: unknown): readonly string[] {
	const codes: string[] = [];
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if ("code" in cause && typeof cause.code === "string") codes.push(cause.code);
	}
	return codes;
}

/**
 * The part that may be kept as a cause: an error of the package contains the headers of the answer and the endpoint's
 * own words.
 */
function withoutHeaders(error: unknown): unknown {
	return error instanceof APIError ? undefined : error;
}
