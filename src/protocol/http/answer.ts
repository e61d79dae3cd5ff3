import type { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { ConnectRequest } from "../connection.ts";
import { answerTooLarge, RefusedAnswer, tooDeep } from "../messages/limitErrors.ts";
import { outlineOf } from "../messages/messageOutline.ts";
import type { CarriedMessages } from "./carriedMessages.ts";
import { type BodyCaps, capped, discard, maxErrorBytes } from "./cappedBody.ts";
import { EventStreamGuard, type EventStreamListener } from "./eventStream.ts";
import { currentExchange, type HttpExchange } from "./exchange.ts";
import { peek } from "./peekedBody.ts";
import { readerOf } from "./tappedNetwork.ts";

/** The dependencies of reading the answers of an MCP server. */
export interface AnswerOptions {
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
}

const noBytes = Buffer.alloc(0);
/** How much of each end of a message identifies it, in bytes. */
const endLength = 400;

/**
 * A server's answer as far as it keeps within the caps: a body or an event beyond them fails the request that it
 * belongs to. `method` is that of the HTTP request.
 * @throws HostError `protocol` for an answer of a kind that no MCP server gives.
 */
export async function guardAnswer(options: AnswerOptions, response: Response, method: string): Promise<Response> {
	const exchange = currentExchange();
	const isStream = mediaTypeOf(response) === "text/event-stream";
	if (method === "GET" && exchange?.id !== undefined && [400, 404, 410].includes(response.status)) {
		// The server forgot the stream that is asked for again; the SDK would go on asking.
		exchange.abandon();
	}
	if (response.ok && method === "GET" && !isStream) throw foreign(response);
	const isAnswer = response.ok && method === "POST" && options.isStreamable && exchange?.id !== undefined;
	// An old server may take a request with 202 and answer on its other stream.
	if (isAnswer && response.status !== 202) return readAnswer(options, response, exchange);
	if (isAnswer && exchange.isStateless) exchange.isComplete = true;
	return isStream && response.ok
		? guardStream(options, response, method === "GET", readerOf(response))
		: capped(response, capsOf(options, response));
}

/**
 * The answer to a request: the contents of its body decide, not its headers. Messages in it are carried past the SDK,
 * and a body without any counts as a missing answer.
 */
async function readAnswer(options: AnswerOptions, response: Response, exchange: HttpExchange): Promise<Response> {
	const { kind, answer } = await peek(response);
	if (kind === "events" || (mediaTypeOf(response) === "text/event-stream" && kind !== "json")) {
		return guardStream(options, answer, false, readerOf(response));
	}
	exchange.isComplete = true;
	if (kind === "empty") return typed(response, "application/json", "[]");
	const whole = capped(answer, capsOf(options, response));
	// The handshake has words of its own for it.
	if (kind === "other" && exchange.isHandshake) return whole;
	if (kind === "other") throw foreign(whole);
	const text = await whole.text();
	const messages = options.carried.read(text, exchange.id);
	if (messages !== undefined) return typed(response, "application/json", options.carried.standIns(messages, false));
	// Who does not know the question for the era may answer anything.
	if (exchange.method === "server/discover") return typed(response, "application/json", "[]");
	const what = `it is not an MCP message: ${oneLine(text, 120)}`;
	if (exchange.isHandshake) throw new SyntaxError(what);
	if (mediaTypeOf(response) !== "application/json") throw foreign(response);
	throw new RefusedAnswer("protocol", `The server's response cannot be read: ${what}`);
}

/** The limits of a whole body. The text of an error is for users: nothing else is read of it. */
function capsOf({ request: { limits } }: AnswerOptions, response: Response): BodyCaps {
	const caps = { tooLarge: answerTooLarge, onRead: readerOf(response) };
	return response.ok
		? { ...caps, maxBytes: limits.maxResponseBytes, depth: { limit: limits.maxJsonDepth, tooDeep } }
		: { ...caps, maxBytes: maxErrorBytes };
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
	options: AnswerOptions,
	answer: Response,
	isGet: boolean,
	onRead: ((bytes: number) => void) | undefined,
): Response {
	if (answer.body === null) return answer;
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
	answer.body.pipeTo(writable).then(onEnd, onEnd);
	return typed(answer, "text/event-stream", readable);
}

/** The request that an event on a shared stream answers, by how the event begins and ends. */
function findAnswered(options: AnswerOptions, first: Buffer, last: Buffer): HttpExchange | undefined {
	const head = first.subarray("data:".length).toString("utf8", 0, endLength);
	const outline = outlineOf(head, last.subarray(-endLength).toString("utf8"));
	return outline.kind === "answer" && outline.id !== undefined ? options.findExchange(outline.id) : undefined;
}

/** The type of a response's body, without parameters. */
function mediaTypeOf(response: Response): string {
	return (response.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}
