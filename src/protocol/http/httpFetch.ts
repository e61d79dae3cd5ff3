import { setTimeout } from "node:timers/promises";
import type { FetchLike } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { requestedWaitMs } from "../../base/senderWords.ts";
import { oneLine } from "../../base/text.ts";
import type { ConnectRequest } from "../connection.ts";
import { answerTooLarge, RefusedAnswer, tooDeep } from "../messages/limitErrors.ts";
import { outlineOf } from "../messages/messageOutline.ts";
import type { CarriedMessages } from "./carriedMessages.ts";
import { discard, cappedBody, maxErrorBytes, withBody } from "./cappedBody.ts";
import { EventStreamGuard, type EventStreamListener } from "./eventStream.ts";
import { currentExchange, type HttpExchange } from "./exchange.ts";
import { peek } from "./peekedBody.ts";
import { readerOf } from "./tappedNetwork.ts";
import type { HttpRefusal } from "./refusalWords.ts";
import { secretsIn } from "./responseWords.ts";
import type { Network } from "./network.ts";

/** A longer wait is not waited for, in milliseconds: the user is informed instead (TRN-38). */
const maxWaitMs = 60_000;
/** A server that requests no wait is still asked at most once a second (TRN-39). */
const minWaitMs = 1000;

/** How often one message is sent again because the server asked for time. */
const maxRepeats = 3;
/** The handshake has little time, and is repeated as a whole where that has sense. */
const maxHandshakeRepeats = 1;
/** Visible ASCII (specification, "Session Management"), as long as a header may sensibly be. */
const usableSessionId = /^[\x21-\x7e]{1,4096}$/;

/** The dependencies of the `fetch` to an MCP server. */
export interface ServerFetchOptions {
	readonly url: URL;
	/** The configured headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly network: Network;
	/** Whether answers arrive with the request (Streamable HTTP), not on the one stream of HTTP+SSE. */
	readonly isStreamable: boolean;
	readonly request: Pick<ConnectRequest, "limits" | "handlers">;
	/** The host's open request with an id. */
	readonly findExchange: (id: number | string) => HttpExchange | undefined;
	/** Takes the messages that arrive, and gives the SDK their placeholders. */
	readonly carried: CarriedMessages;
	/** Whether a message on a stream that begins so need not be read. */
	readonly isUnwanted: (head: string) => boolean;
	/** An event on a shared stream does not end, so its request cannot be determined. */
	readonly onEndless: (error: HostError) => void;
	/** Whether the stream of the server's own messages is open, whenever that changes or an attempt to open it fails. */
	readonly onStream?: ((isOpen: boolean) => void) | undefined;
	/** A stream was refused, and why. */
	readonly onStreamRefused?: (refusal: HttpRefusal) => void;
}

/**
 * The `fetch` for all requests to the server itself. It adds the configured headers, which go to the server's origin
 * and nowhere else (TRN-47), waits when the server asks for time (TRN-38), and passes an answer on only as far as it
 * keeps within the caps and the specification (TRN-08, TRN-43, TRN-45, TRN-48, TRN-50).
 * @throws HostError for an answer that it refuses, and the errors of `Network.fetch`.
 */
export function serverFetch(options: ServerFetchOptions): FetchLike {
	// The target of a redirect of the handshake, or of a read: later requests go there directly.
	let moved: URL | undefined;
	return async (address, init) => {
		const asked = new URL(address);
		const isHome = asked.href === options.url.href;
		const target = isHome && moved !== undefined ? moved : asked;
		if (target.origin !== options.url.origin) throw leavesOrigin(target);
		const isGet = (init?.method ?? "GET") === "GET";
		// A GET for a request's own answer asks for the rest of a stream that broke.
		const resumed = isGet && currentExchange()?.id !== undefined ? currentExchange() : undefined;
		const isListening = isGet && resumed === undefined;
		try {
			const response = await sendPatiently(options, target, init);
			const next = redirectOf(target, response);
			if (next !== undefined && isHome) moved = next;
			refuseSessionId(response);
			// Followed, a call would be sent twice, and how the server refused it proves nothing.
			if (next !== undefined && currentExchange()?.isRepeatable === false) return withoutLocation(response);
			if (isListening && !response.ok && response.status !== 404 && response.status !== 405) options.onStream?.(false);
			resumed?.noteResumed(response.ok);
			const answer = await guardAnswer(options, response, init?.method ?? "GET");
			return isGet && !answer.ok ? await refusedStream(options, answer, init) : answer;
		} catch (error) {
			resumed?.noteResumed(false);
			if (isListening) options.onStream?.(false);
			throw error;
		}
	};
}

/** The refusal of a stream, whose words the SDK reads and forgets. */
async function refusedStream(
	{ headers: configured, onStreamRefused }: ServerFetchOptions,
	answer: Response,
	init: RequestInit | undefined,
): Promise<Response> {
	const { status, statusText, headers } = answer;
	const text = await answer.text().catch(() => "");
	const secrets = [configured, init?.headers].flatMap((sent) => secretsIn(new Headers(sent)));
	onStreamRefused?.({ headers, secrets, text });
	return new Response(text === "" ? null : text, { status, statusText, headers });
}

async function sendPatiently(
	options: ServerFetchOptions,
	target: URL,
	init: RequestInit | undefined,
): Promise<Response> {
	const headers = new Headers(init?.headers);
	// Headers of the protocol and of sign-in override configured ones.
	for (const [name, value] of Object.entries(options.headers)) if (!headers.has(name)) headers.set(name, value);
	const { handlers } = options.request;
	const exchange = currentExchange();
	const isRepeatable = init?.method === "POST" ? exchange?.isRepeatable === true : init?.method !== "DELETE";
	// Other requests are repeated by the connection that makes them, if that does no harm.
	const isSentAgain =
		init?.method === "POST" ? exchange?.isHandshake === true || exchange?.isNotification === true : undefined;
	const mostRepeats = exchange?.isHandshake === true ? maxHandshakeRepeats : maxRepeats;
	for (let repeats = 0; ; repeats++) {
		const response = await options.network.fetch(target, { ...init, headers, redirect: "manual" }, isSentAgain);
		if (exchange !== undefined && response.status >= 400) {
			exchange.refusal = { headers: response.headers, secrets: secretsIn(headers) };
		}
		if (response.status !== 429 && response.status !== 503) return response;
		const waitMs = retryAfterMs(response.headers.get("retry-after"));
		if (waitMs === undefined || !isRepeatable || repeats === mostRepeats) return response;
		const seconds = Math.ceil(waitMs / 1000).toLocaleString("en-US");
		const asks = `The server is busy (${response.status}) and asks to wait ${seconds} s`;
		if (waitMs > maxWaitMs) {
			handlers.onTrouble(`${asks}. That is too long, so the request fails.`);
			return response;
		}
		await discard(response);
		handlers.onTrouble(`${asks}; ${exchange?.method ?? "the request"} will be sent again after that.`);
		await setTimeout(waitMs, undefined, init?.signal ? { signal: init.signal } : {});
	}
}

/**
 * The target of a redirect that keeps the request unchanged; undefined if there is none.
 * @throws RefusedAnswer for another origin.
 */
function redirectOf(target: URL, response: Response): URL | undefined {
	const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
	if (location === null) return undefined;
	const next = URL.parse(location, target.href);
	if (next?.origin === target.origin) return response.status === 307 || response.status === 308 ? next : undefined;
	void discard(response);
	throw new RefusedAnswer("protocol", leavesOrigin(next).message);
}

function withoutLocation({ body, status, statusText, headers }: Response): Response {
	const others = new Headers(headers);
	others.delete("location");
	return new Response(body, { status, statusText, headers: others });
}

function leavesOrigin(target: URL | null): HostError {
	const where =
		target === null ? "an invalid address" : oneLine(`${target.protocol}//${target.host}${target.pathname}`);
	return new HostError(
		"protocol",
		`The server redirects to ${where}. MCP Host does not follow, because headers and tokens are meant for the ` +
			"configured address only. If that is the server you want, use that address as the URL.",
	);
}

function refuseSessionId(response: Response): void {
	const id = response.headers.get("mcp-session-id");
	if (id === null || usableSessionId.test(id)) return;
	void discard(response);
	throw new RefusedAnswer(
		"protocol",
		`The server sent a session ID that the protocol does not allow (${id.length.toLocaleString("en-US")} ` +
			"characters; only visible ASCII is allowed).",
	);
}

/** How long a server asks to wait (`requestedWaitMs`), in milliseconds: at least a second. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
	const wait = requestedWaitMs(header, now);
	return wait === undefined ? undefined : Math.max(wait, minWaitMs);
}

const noBytes = Buffer.alloc(0);
/** How much of each end of a message identifies it, in bytes. */
const endLength = 400;

/**
 * A server's answer as far as it keeps within the caps: a body or an event beyond them fails the request that it
 * belongs to. `method` is that of the HTTP request.
 * @throws HostError `protocol` for an answer of a kind that no MCP server gives.
 */
async function guardAnswer(options: ServerFetchOptions, response: Response, method: string): Promise<Response> {
	const exchange = currentExchange();
	const isStream = mediaTypeOf(response) === "text/event-stream";
	if (method === "GET" && exchange?.id !== undefined && [400, 404, 410].includes(response.status)) {
		// The server forgot the stream that is asked for again; the SDK would go on asking.
		exchange.abandon();
	}
	if (response.ok && method === "GET" && !isStream) throw foreign(response);
	const onRead = readerOf(response);
	if (!response.ok) {
		if (response.body === null) return response;
		const caps = { maxBytes: maxErrorBytes, tooLarge: answerTooLarge, onRead };
		return withBody(response, cappedBody(response.body, caps));
	}
	const isAnswer = method === "POST" && options.isStreamable && exchange?.id !== undefined;
	// An old server may take a request with 202 and answer on its other stream.
	if (isAnswer && response.status !== 202) return readAnswer(options, response, exchange);
	if (isAnswer && exchange.isStateless) exchange.isComplete = true;
	if (response.body === null) return response;
	if (isStream) return withBody(response, guardStream(options, response.body, method === "GET", onRead));
	return withBody(response, answerBody(options, response.body, onRead));
}

/**
 * The answer to a request: the contents of its body decide, not its headers. Messages in it are carried past the SDK,
 * and a body without any counts as a missing answer.
 */
async function readAnswer(options: ServerFetchOptions, response: Response, exchange: HttpExchange): Promise<Response> {
	const onRead = readerOf(response);
	const { kind, body } = response.body === null ? emptyBody : await peek(response.body);
	if (kind === "events" || (mediaTypeOf(response) === "text/event-stream" && kind !== "json")) {
		return typed(response, "text/event-stream", guardStream(options, body, false, onRead));
	}
	exchange.isComplete = true;
	if (kind === "empty") return typed(response, "application/json", "[]");
	if (kind === "other") {
		// The handshake has words of its own for it.
		if (exchange.isHandshake) return withBody(response, answerBody(options, body, onRead));
		throw foreign(withBody(response, body));
	}
	const text = await new Response(answerBody(options, body, onRead)).text();
	const messages = options.carried.read(text, exchange.id);
	if (messages !== undefined) return typed(response, "application/json", options.carried.standIns(messages, false));
	// Who does not know the question for the era may answer anything.
	if (exchange.method === "server/discover") return typed(response, "application/json", "[]");
	const what = `it is not an MCP message: ${oneLine(text, 120)}`;
	if (exchange.isHandshake) throw new SyntaxError(what);
	if (mediaTypeOf(response) !== "application/json") throw foreign(response);
	throw new RefusedAnswer("protocol", `The server's response cannot be read: ${what}`);
}

const emptyBody = { kind: "empty", body: new ReadableStream<Uint8Array>() } as const;

function answerBody(
	{ request: { limits } }: ServerFetchOptions,
	body: ReadableStream<Uint8Array>,
	onRead: ((bytes: number) => void) | undefined,
): ReadableStream<Uint8Array> {
	return cappedBody(body, {
		maxBytes: limits.maxResponseBytes,
		tooLarge: answerTooLarge,
		onRead,
		depth: { limit: limits.maxJsonDepth, tooDeep },
	});
}

/** The same answer with another body, of another type. */
function typed(response: Response, type: string, body: ReadableStream<Uint8Array> | string): Response {
	const headers = new Headers(response.headers);
	headers.set("content-type", type);
	return new Response(body, { status: 200, statusText: response.statusText, headers });
}

/** The text for an answer of a kind that no server gives, such as the page of a captive portal (TRN-40). */
function foreign(response: Response): RefusedAnswer {
	void discard(response);
	return new RefusedAnswer(
		"protocol",
		"This address answers, but it is not an MCP server: the content type is " +
			`${oneLine(mediaTypeOf(response), 80) || "(none)"}. Check the URL, and whether the network requires a sign-in.`,
	);
}

function guardStream(
	options: ServerFetchOptions,
	body: ReadableStream<Uint8Array>,
	isGet: boolean,
	onRead: ((bytes: number) => void) | undefined,
): ReadableStream<Uint8Array> {
	const exchange = currentExchange();
	const isOwn = exchange?.id !== undefined;
	const onStream = isGet && !isOwn ? options.onStream : undefined;
	const listener: EventStreamListener = {
		onOverflow(error, first) {
			options.request.handlers.onTrouble(error.message);
			(isOwn ? exchange : findAnswered(options, first, noBytes))?.fail(error);
		},
		onRefused({ error, first, last }) {
			const refused = isOwn ? exchange : findAnswered(options, first, last);
			if (refused === undefined) options.request.handlers.onTrouble(error.message);
			else refused.fail(error);
		},
		isUnwanted: (head) => options.isUnwanted(head),
		carry: (data) => options.carried.ofEvent(data, exchange?.id),
		onRead,
		onEndless(error) {
			if (!isOwn) options.onEndless(error);
		},
	};
	const { readable, writable } = new TransformStream(new EventStreamGuard(options.request.limits, listener));
	const onEnd = (): void => onStream?.(false);
	onStream?.(true);
	body.pipeTo(writable).then(onEnd, onEnd);
	return readable;
}

/** The request that an event on a shared stream answers, by how the event begins and ends. */
function findAnswered(options: ServerFetchOptions, first: Buffer, last: Buffer): HttpExchange | undefined {
	const head = first.subarray("data:".length).toString("utf8", 0, endLength);
	const outline = outlineOf(head, last.subarray(-endLength).toString("utf8"));
	return outline.kind === "answer" && outline.id !== undefined ? options.findExchange(outline.id) : undefined;
}

/** The type of a response's body, without parameters. */
function mediaTypeOf(response: Response): string {
	return (response.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}
