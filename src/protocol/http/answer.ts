import type { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { ConnectRequest } from "../connection.ts";
import { answerTooLarge, RefusedAnswer, tooDeep } from "../messages/limitErrors.ts";
import { outlineOf } from "../messages/messageOutline.ts";
import type { CarriedMessages } from "./carriedMessages.ts";
import { capped, discard, maxErrorBytes, peek, type PeekedAnswer, typed } from "./bodies.ts";
import { EventStreamGuard, type EventStreamListener } from "./eventStream.ts";
import { currentExchange, type HttpExchange } from "./exchange.ts";
import type { HttpRefusal } from "./refusalWords.ts";
import { secretsIn } from "./responseWords.ts";
import { readerOf } from "./tappedNetwork.ts";

/** The dependencies of reading the answers of an MCP server. */
export interface AnswerOptions {
	/** Whether answers arrive with the request (Streamable HTTP), not on the one stream of HTTP+SSE. */
	readonly isStreamable: boolean;
	readonly request: Pick<ConnectRequest, "limits" | "handlers">;
	/** The configured headers. */
	readonly headers: Readonly<Record<string, string>>;
	/** The host's open request with an id. */
	readonly findExchange: (id: number | string) => HttpExchange | undefined;
	/** Takes the messages that arrive, and gives the SDK their placeholders. */
	readonly carried: CarriedMessages;
	/** Whether a message on a stream that begins so need not be read. */
	readonly isUnwanted: (head: string) => boolean;
	/** An event on a shared stream does not end, so its request cannot be determined. */
	readonly onEndless: (error: HostError) => void;
	/** Whether the stream of the server's own messages is open, whenever that changes or an attempt to open it fails. */
	readonly onStream: (isOpen: boolean) => void;
	/** A stream was refused, and why. */
	readonly onStreamRefused: (refusal: HttpRefusal) => void;
}

/** The functions that reading an answer calls. */
interface StreamReader {
	/** Gives the placeholders of the messages in a text; undefined if there is none. */
	readonly carry: (text: string) => readonly string[] | undefined;
	readonly onRead: ((bytes: number) => void) | undefined;
}

const noBytes = Buffer.alloc(0);
/** How much of each end of a message identifies it, in bytes. */
const endLength = 400;

/**
 * A server's answer as far as it keeps within the caps: a body or an event beyond them fails the request that it
 * belongs to. `init` is that of the HTTP request.
 * @throws HostError `protocol` for an answer of a kind that no MCP server gives.
 */
export async function guardAnswer(
	options: AnswerOptions,
	response: Response,
	init: RequestInit | undefined,
): Promise<Response> {
	const { ok, status } = response;
	const { method = "GET" } = init ?? {};
	const { limits } = options.request;
	const exchange = currentExchange();
	const onRead = readerOf(response);
	const isEventStream = ok && mediaTypeOf(response) === "text/event-stream";
	if (ok && method === "GET" && !isEventStream) throw foreign(response);
	const carry = (text: string): readonly string[] | undefined => options.carried.standIns(text, exchange?.id);
	const isRequest = ok && method === "POST" && options.isStreamable && exchange?.id !== undefined;
	// An old server may take a request with 202 and answer on its other stream.
	if (isRequest && status === 202 && exchange.isStateless) exchange.isComplete = true;
	const isAnswer = isRequest && status !== 202;
	// The contents of the body of an answer decide, not its headers.
	const { kind, answer } = isAnswer ? await peek(response) : { kind: undefined, answer: response };
	if (kind !== "events" && (kind === "json" || !isEventStream)) {
		const caps = ok
			? { maxBytes: limits.maxResponseBytes, depth: { limit: limits.maxJsonDepth, tooDeep } }
			: // The text of an error is for users: nothing else is read of it.
				{ maxBytes: maxErrorBytes };
		const whole = capped(answer, { ...caps, tooLarge: answerTooLarge, onRead });
		if (isAnswer) return readAnswer(whole, kind, exchange, carry);
		return !ok && method === "GET" ? refusedStream(options, whole, init) : whole;
	}
	return guardStream(options, answer, method === "GET", { carry, onRead });
}

/**
 * The answer to a request. Messages in it are carried past the SDK, and a body without any counts as a missing answer.
 */
async function readAnswer(
	answer: Response,
	kind: PeekedAnswer["kind"] | undefined,
	exchange: HttpExchange,
	carry: StreamReader["carry"],
): Promise<Response> {
	exchange.isComplete = true;
	// The handshake has words of its own for it.
	if (kind === "other" && exchange.isHandshake) return answer;
	if (kind === "other") {
		await discard(answer);
		throw foreign(answer);
	}
	const text = await answer.text();
	// Who does not know the question for the era may answer anything.
	const mayBeAnything = kind === "empty" || exchange.method === "server/discover";
	const standIns = carry(text) ?? (mayBeAnything ? [] : undefined);
	if (standIns !== undefined) return typed(answer, "application/json", `[${standIns.join(",")}]`);
	const what = `it is not an MCP message: ${oneLine(text, 120)}`;
	if (exchange.isHandshake) throw new SyntaxError(what);
	if (mediaTypeOf(answer) !== "application/json") throw foreign(answer);
	throw new RefusedAnswer("protocol", `The server's response cannot be read: ${what}`);
}

/** The refusal of a stream, whose words the SDK reads and forgets. */
async function refusedStream(
	{ headers: configured, onStreamRefused }: AnswerOptions,
	answer: Response,
	init: RequestInit | undefined,
): Promise<Response> {
	const { status, statusText, headers } = answer;
	const text = await answer.text().catch(() => "");
	const secrets = [configured, init?.headers].flatMap((sent) => secretsIn(new Headers(sent)));
	onStreamRefused({ headers, secrets, text });
	return new Response(text === "" ? null : text, { status, statusText, headers });
}

/** The text for an answer of a kind that no server gives, such as the page of a captive portal (TRN-40). */
function foreign(response: Response): RefusedAnswer {
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
	{ carry, onRead }: StreamReader,
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
		carry(data) {
			const standIns = carry(data);
			if (standIns === undefined) options.carried.noteSkipped(data);
			return standIns ?? [];
		},
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
