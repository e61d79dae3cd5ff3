/**
 * An OpenAI-compatible endpoint on loopback with scripted answers, which records its requests: a replacement for a
 * model in tests and in manual trials (`node test/servers/scriptedModel.ts --port 4010 --text "Hello"`).
 */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";

/** A tool call to answer with. `nameEndsWith` picks the offered tool whose name ends with it, whatever its prefix. */
export interface ScriptedToolCall {
	readonly name?: string;
	readonly nameEndsWith?: string;
	/** An object, or a text that is sent unchanged, for arguments that are not JSON. */
	readonly arguments?: object | string;
	readonly id?: string;
}

/** One answer of the endpoint. Without `status`, `garbage` or `chunks` it is a well-formed stream of small deltas. */
export interface ScriptedStep {
	readonly text?: string;
	/** The thoughts that it sends before its answer. */
	readonly reasoning?: string;
	readonly toolCalls?: readonly ScriptedToolCall[];
	/** An HTTP error status, answered with an error body in OpenAI's shape and `headers`. */
	readonly status?: number;
	readonly errorMessage?: string;
	/** The machine-readable part of the error, and the field of the request that it is about. */
	readonly errorCode?: string;
	readonly errorParam?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** A body that is sent unchanged, with status 200 and the type of an event stream. */
	readonly garbage?: string;
	/** Exact chunk objects to stream, for odd dialects; `[DONE]` follows. A promise among them holds the stream until it settles. */
	readonly chunks?: readonly object[];
	/** Destroys the connection in place of an answer. */
	readonly reset?: boolean;
	/** Destroys the connection after the text and tool calls, before the finish reason. */
	readonly cut?: boolean;
	/** Waits this long before answering, and this long before each delta. */
	readonly delayMs?: number;
	readonly deltaDelayMs?: number;
	/** Answers only when this settles; while streaming text, `holdAfterText` keeps the stream open until it settles. */
	readonly gate?: Promise<unknown>;
	readonly holdAfterText?: Promise<unknown>;
	readonly finishReason?: string;
	readonly usage?: {
		readonly prompt_tokens: number;
		readonly completion_tokens: number;
		readonly prompt_tokens_details?: { readonly cached_tokens: number };
	};
}

/** The body of a recorded request, as far as tests read it. */
export interface ChatRequestBody {
	readonly model: string;
	readonly messages: readonly {
		readonly role: string;
		readonly content?: unknown;
		readonly tool_call_id?: string;
		readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
	}[];
	readonly tools?: readonly { readonly function: { name: string; description?: string; parameters?: object } }[];
	readonly stream?: boolean;
	readonly [field: string]: unknown;
}

export interface RecordedRequest {
	readonly body: ChatRequestBody;
	readonly headers: IncomingHttpHeaders;
	/** Whether the client went away before the answer was complete. */
	aborted: boolean;
}

/** Decides the answer to a request, for stories whose steps depend on the request. */
export type Script = (request: ChatRequestBody, index: number) => ScriptedStep | Promise<ScriptedStep>;

/** The members that are read of a request to Ollama's own API. */
interface OllamaRequest {
	readonly model?: string;
	readonly parameters?: { readonly num_ctx?: number };
}

export interface ScriptedModelOptions {
	readonly port?: number;
	/** The list of `GET /v1/models`. */
	readonly models?: readonly string[];
	/** When given, requests without `Authorization: Bearer <apiKey>` are answered 401. */
	readonly apiKey?: string;
	/**
	 * Answers as Ollama does in its own API: the current and the possible context of every model; copies get the
	 * requested one.
	 */
	readonly ollama?: { readonly context: number; readonly most: number };
	/** The answer when nothing is queued: a script, or one step for every request. */
	readonly script?: Script | ScriptedStep;
}

export interface ScriptedModel {
	/** The base URL, such as `http://127.0.0.1:4010/v1`. */
	readonly url: string;
	/** The chat requests so far, in order of arrival. */
	readonly requests: readonly RecordedRequest[];
	/** Queues answers; each request takes one. */
	next(...steps: ScriptedStep[]): void;
	/** Answers when nothing is queued. */
	otherwise(script: Script | ScriptedStep): void;
	/** Forgets queued answers and those set by `otherwise`. */
	clear(): void;
	/** Resolves with the n-th chat request (counted from 0) as soon as it has arrived. */
	request(index: number): Promise<RecordedRequest>;
	close(): Promise<void>;
}

const defaultStep: ScriptedStep = { text: "The scripted model has nothing queued." };

/** Starts the endpoint on 127.0.0.1, on a free port unless one is given. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
	const models = [...(options.models ?? ["scripted-model"])];
	const contexts = new Map<string, number>();
	const requests: RecordedRequest[] = [];
	const queue: ScriptedStep[] = [];
	const waiting = new Set<() => void>();
	let fallback: Script | ScriptedStep = options.script ?? defaultStep;

	const server = createServer((request, response) => {
		handle(request, response).catch((error: unknown) => {
			if (!response.headersSent) response.writeHead(500);
			response.end(String(error));
		});
	});

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const text = await readBody(request);
		const path = new URL(request.url ?? "/", "http://localhost").pathname;
		const isAuthorized = options.apiKey === undefined || request.headers.authorization === `Bearer ${options.apiKey}`;
		if (!isAuthorized) return sendError(response, { status: 401, errorMessage: "Incorrect API key provided" });
		if (request.method === "GET" && path === "/v1/models") {
			return sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
		}
		if (options.ollama !== undefined && path.startsWith("/api/")) {
			return sendJson(response, 200, askOllama(path, text === "" ? {} : (JSON.parse(text) as OllamaRequest)));
		}
		if (request.method !== "POST" || path !== "/v1/chat/completions") {
			return sendError(response, { status: 404, errorMessage: `No ${request.method} ${path} here` });
		}
		const body = JSON.parse(text) as ChatRequestBody;
		const record: RecordedRequest = { body, headers: request.headers, aborted: false };
		response.on("close", () => (record.aborted = !response.writableFinished));
		requests.push(record);
		for (const check of waiting) check();
		if (!models.includes(body.model)) {
			return sendError(response, { status: 404, errorMessage: `The model "${body.model}" does not exist` });
		}
		const step =
			queue.shift() ?? (typeof fallback === "function" ? await fallback(body, requests.length - 1) : fallback);
		await answer(response, body, step);
	}

	/** The part of Ollama's own API that describes models and makes copies of them. */
	function askOllama(path: string, { model = "", parameters }: OllamaRequest): object {
		const { context = 0, most = 0 } = options.ollama ?? {};
		if (path === "/api/create") {
			models.push(model);
			contexts.set(model, parameters?.num_ctx ?? context);
			return { status: "success" };
		}
		if (path !== "/api/show") return { models: [] };
		return {
			model_info: { "llama.context_length": most },
			parameters: `num_ctx ${contexts.get(model) ?? context}`,
			capabilities: ["completion", "tools"],
		};
	}

	server.listen(options.port ?? 0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		requests,
		next: (...steps) => void queue.push(...steps),
		otherwise: (script) => void (fallback = script),
		clear: () => {
			queue.length = 0;
			fallback = options.script ?? defaultStep;
		},
		request: (index) =>
			new Promise((resolve) => {
				const check = (): void => {
					const found = requests[index];
					if (found === undefined) return;
					waiting.delete(check);
					resolve(found);
				};
				waiting.add(check);
				check();
			}),
		close: async () => {
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

async function answer(response: ServerResponse, body: ChatRequestBody, step: ScriptedStep): Promise<void> {
	await step.gate;
	if (step.delayMs !== undefined) await wait(step.delayMs);
	if (step.reset === true) return void response.destroy();
	if (step.status !== undefined) return sendError(response, step);
	if (body.stream !== true && step.garbage === undefined) return sendWhole(response, body, step);
	response.writeHead(200, { "content-type": "text/event-stream", ...step.headers });
	if (step.garbage !== undefined) return void response.end(step.garbage);
	for (const chunk of step.chunks ?? deltas(body, step)) {
		if (step.deltaDelayMs !== undefined) await wait(step.deltaDelayMs);
		if (chunk instanceof Promise) await chunk;
		else response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	}
	await step.holdAfterText;
	if (step.cut === true) {
		// Gives the deltas time to leave before the connection breaks.
		await wait(20);
		return void response.destroy();
	}
	if (step.chunks === undefined)
		for (const chunk of ending(body, step)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	response.end("data: [DONE]\n\n");
}

/** Text in pieces of a few characters; tool calls with their arguments in pieces, as real endpoints stream them. */
function* deltas(body: ChatRequestBody, step: ScriptedStep): Generator<object> {
	yield chunk(body, { role: "assistant", content: "" });
	for (const piece of pieces(step.reasoning ?? "", 12)) yield chunk(body, { reasoning_content: piece });
	for (const piece of pieces(step.text ?? "", 6)) yield chunk(body, { content: piece });
	for (const [index, call] of (step.toolCalls ?? []).entries()) {
		const { id, name, text } = resolveCall(body, call, index);
		yield chunk(body, { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
		for (const piece of pieces(text, 9)) yield chunk(body, { tool_calls: [{ index, function: { arguments: piece } }] });
	}
}

function* ending(body: ChatRequestBody, step: ScriptedStep): Generator<object> {
	yield chunk(body, {}, finishReason(step));
	yield { ...chunk(body, {}), choices: [], usage: usage(step) };
}

function sendWhole(response: ServerResponse, body: ChatRequestBody, step: ScriptedStep): void {
	const calls = (step.toolCalls ?? []).map((call, index) => {
		const { id, name, text } = resolveCall(body, call, index);
		return { id, type: "function", function: { name, arguments: text } };
	});
	sendJson(response, 200, {
		id: "scripted",
		object: "chat.completion",
		model: body.model,
		choices: [
			{
				index: 0,
				finish_reason: finishReason(step),
				message: { role: "assistant", content: step.text ?? null, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
			},
		],
		usage: usage(step),
	});
}

function resolveCall(
	body: ChatRequestBody,
	call: ScriptedToolCall,
	index: number,
): { id: string; name: string; text: string } {
	const offered = (body.tools ?? []).map((tool) => tool.function.name);
	const name = call.name ?? offered.find((name) => name.endsWith(call.nameEndsWith ?? ""));
	if (name === undefined) {
		throw new Error(`No tool ends with "${call.nameEndsWith}"; offered: ${offered.join(", ") || "none"}`);
	}
	const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {});
	return { id: call.id ?? `call_${crypto.randomUUID().slice(0, 8)}_${index}`, name, text };
}

function chunk(body: ChatRequestBody, delta: object, finish: string | null = null): object {
	return {
		id: "scripted",
		object: "chat.completion.chunk",
		model: body.model,
		choices: [{ index: 0, delta, finish_reason: finish }],
	};
}

function finishReason(step: ScriptedStep): string {
	return step.finishReason ?? ((step.toolCalls?.length ?? 0) > 0 ? "tool_calls" : "stop");
}

function usage(step: ScriptedStep): object {
	const used = step.usage ?? { prompt_tokens: 10, completion_tokens: 5 };
	return { ...used, total_tokens: used.prompt_tokens + used.completion_tokens };
}

function pieces(text: string, size: number): string[] {
	const characters = Array.from(text);
	return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
		characters.slice(index * size, (index + 1) * size).join(""),
	);
}

function sendError(response: ServerResponse, step: ScriptedStep): void {
	const error = {
		message: step.errorMessage ?? `Scripted status ${step.status}`,
		type: "scripted_error",
		code: step.errorCode ?? null,
		param: step.errorParam ?? null,
	};
	sendJson(response, step.status ?? 500, { error }, step.headers);
}

function sendJson(
	response: ServerResponse,
	status: number,
	body: object,
	headers: Readonly<Record<string, string>> = {},
): void {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts).toString("utf8");
}

// Neither `import.meta` nor a top-level await: the bundle of the in-host tests, which use this file too, has none.
if (process.argv[1]?.endsWith("scriptedModel.ts") === true) {
	const { values } = parseArgs({ options: { port: { type: "string", default: "4010" }, text: { type: "string" } } });
	const script = { text: values.text ?? "Hello!" };
	void startScriptedModel({ port: Number(values.port), script }).then(({ url }) =>
		console.log(`Scripted model on ${url}`),
	);
}
