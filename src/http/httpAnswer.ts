import { HostError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { cappedBody, discard, maxErrorBytes, withBody } from "./cappedBody.ts";
import { EventStreamGuard, type EventStreamListener } from "./eventStream.ts";
import { currentExchange, type Exchange } from "./exchange.ts";
import type { ServerFetchOptions } from "./httpFetch.ts";
import { answerTooLarge, tooDeep } from "../messages/limitErrors.ts";
import { outlineOf } from "../messages/messageOutline.ts";

const noBytes = Buffer.alloc(0);
/** How much of each end of a message tells what it is, in bytes. */
const endLength = 400;

/**
 * A server's answer as far as it keeps within the caps: a body or an event beyond them fails the request that it
 * belongs to. `method` is that of the HTTP request.
 * @throws HostError `protocol` for an answer of a kind that no MCP server gives.
 */
export function guardAnswer(options: ServerFetchOptions, response: Response, method: string): Response {
	const { limits } = options.request;
	const exchange = currentExchange();
	const isStream = mediaTypeOf(response) === "text/event-stream";
	if (method === "GET" && exchange?.id !== undefined && [400, 404, 410].includes(response.status)) {
		// The server forgot the stream that is asked for again; the SDK would go on asking.
		exchange.abandon();
	}
	const isAnswer = response.ok && !isStream && options.isStreamable;
	if ((response.ok && !isStream && method === "GET") || (isAnswer && isForeign(response, exchange))) {
		void discard(response);
		throw new HostError(
			"protocol",
			"Something answers at this address, but it is no MCP server: the answer is of the type " +
				`${oneLine(mediaTypeOf(response), 80) || "(none)"}. Check the URL, and whether the network wants a sign-in.`,
		);
	}
	// An old server may take a request with 202 and answer on its other stream.
	const isTaken = response.status === 202 && exchange?.isStateless === false;
	if (exchange !== undefined && isAnswer && !isTaken) exchange.isComplete = true;
	if (response.body === null) return response;
	if (!response.ok) {
		return withBody(response, cappedBody(response.body, { maxBytes: maxErrorBytes, tooLarge: answerTooLarge }));
	}
	if (isStream) return withBody(response, guardStream(options, response.body, method === "GET"));
	return withBody(
		response,
		cappedBody(response.body, {
			maxBytes: limits.maxResponseBytes,
			tooLarge: answerTooLarge,
			depth: { limit: limits.maxJsonDepth, tooDeep },
		}),
	);
}

function guardStream(
	options: ServerFetchOptions,
	body: ReadableStream<Uint8Array>,
	isGet: boolean,
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

/** Whether an answer to a request is of a kind that no server gives, as the page of a captive portal is (TRN-40). */
function isForeign(response: Response, exchange: Exchange | undefined): boolean {
	// The handshake has words of its own for it.
	const isLater = exchange?.id !== undefined && !exchange.isHandshake;
	return isLater && response.status !== 202 && mediaTypeOf(response) !== "application/json";
}

/** The request that an event on a shared stream answers, by how the event begins and ends. */
function findAnswered(options: ServerFetchOptions, first: Buffer, last: Buffer): Exchange | undefined {
	const head = first.subarray("data:".length).toString("utf8", 0, endLength);
	const outline = outlineOf(head, last.subarray(-endLength).toString("utf8"));
	return outline.kind === "answer" && outline.id !== undefined ? options.findExchange(outline.id) : undefined;
}

/** The type of a response's body, without parameters. */
function mediaTypeOf(response: Response): string {
	return (response.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}
