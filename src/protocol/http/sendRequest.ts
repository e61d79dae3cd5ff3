import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher } from "undici";

/** As the browsers' `fetch`: a request without them may be rejected as one of an unknown client. */
const defaults = { accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors", "user-agent": "undici" };
/** Statuses whose answers have no body (WHATWG Fetch, "null body status"). */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);
/** More codings than this around one body only make work. */
const maxCodings = 5;
/** Data is passed on immediately, and a missing end is accepted, as by browsers. */
const zlibFlush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliFlush = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };
const decoders = new Map([
	["gzip", () => createGunzip(zlibFlush)],
	["x-gzip", () => createGunzip(zlibFlush)],
	["deflate", () => createInflate(zlibFlush)],
	["br", () => createBrotliDecompress(brotliFlush)],
]);

/**
 * Sends one request as a `fetch` that leaves redirects to its caller, in a third of its time: there is one stream, that
 * of the answer's decoded body.
 * @throws the signal's reason, or a TypeError with its cause, as `fetch` does; reading the body likewise.
 */
export async function sendRequest(dispatcher: Dispatcher, target: URL, init: RequestInit): Promise<Response> {
	const { method = "GET", signal } = init;
	const failed = (message: string, cause: unknown): unknown =>
		signal?.aborted === true ? signal.reason : new TypeError(message, { cause });
	const headers = new Headers(init.headers);
	const body = await bodyOf(init, headers);
	for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value);
	// Intermediaries that change bodies over plain connections often do not support Brotli.
	const codings = target.protocol === "https:" ? "br, gzip, deflate" : "gzip, deflate";
	if (!headers.has("accept-encoding")) headers.set("accept-encoding", codings);
	try {
		const answer = await dispatcher.request({
			origin: target.origin,
			path: target.pathname + target.search,
			method,
			headers: Object.fromEntries(headers),
			body,
			signal: signal ?? null,
		});
		return responseOf(answer, (cause) => failed("terminated", cause));
	} catch (error) {
		throw failed("fetch failed", error);
	}
}

/** The text that a request carries. Sets its type where the headers name none. */
async function bodyOf({ body }: RequestInit, headers: Headers): Promise<string | null> {
	if (typeof body === "string" && headers.has("content-type")) return body;
	if (body === undefined || body === null) return null;
	// It knows the types and the texts of all that `fetch` takes.
	const carried = new Response(body);
	const type = carried.headers.get("content-type");
	if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
	return carried.text();
}

/** `failed` words what reading the body fails with. */
function responseOf(answer: Dispatcher.ResponseData, failed: (cause: unknown) => unknown): Response {
	const { body, statusCode: status, statusText } = answer;
	// Only the reader of a body is notified of its failure.
	body.on("error", () => undefined);
	try {
		const headers = new Headers();
		for (const [name, value = []] of Object.entries(answer.headers)) {
			for (const one of [value].flat()) headers.append(name, one);
		}
		const init = { status, statusText, headers };
		if (!withoutBody.has(status)) return new Response(streamOf(decoded(body, headers), failed), init);
		void body.dump().catch(() => undefined);
		return new Response(null, init);
	} catch (error) {
		body.destroy();
		throw error;
	}
}

/** A body without its codings, if all are known (RFC 9110, 8.4). @throws Error for too many of them. */
function decoded(body: Readable, headers: Headers): Readable {
	const codings = (headers.get("content-encoding") ?? "").toLowerCase().split(",");
	if (codings.length > maxCodings) throw new Error(`The response has ${codings.length} content codings.`);
	const makers = codings.toReversed().map((coding) => decoders.get(coding.trim()));
	if (!makers.every((make) => make !== undefined)) return body;
	return makers.reduce<Readable>((inner, make) => pipeline(inner, make(), () => undefined), body);
}

/** A body as the web's streams have it. Nothing is read before it is asked for. */
function streamOf(body: Readable, failed: (cause: unknown) => unknown): ReadableStream<Uint8Array> {
	const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
	return new ReadableStream(
		{
			async pull(controller) {
				const { done, value } = await pieces.next().catch((error: unknown) => {
					throw failed(error);
				});
				if (done === true) controller.close();
				else controller.enqueue(value);
			},
			// Not by the iterator, which would wait for the next piece.
			cancel: () => void body.destroy(),
		},
		{ highWaterMark: 0 },
	);
}
