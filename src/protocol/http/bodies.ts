import type { HostError } from "../../base/errors.ts";
import { JsonDepth } from "../messages/jsonDepth.ts";

/** How much of the body of an error response is read: its text is for users. */
export const maxErrorBytes = 1024 * 1024;

/** The limits of a body, and the errors for one that exceeds them. */
export interface BodyCaps {
	readonly maxBytes: number;
	readonly tooLarge: (limit: number) => HostError;
	/** Receives each piece as it arrives. */
	readonly onRead?: ((bytes: number) => void) | undefined;
	/** Nesting, where the body is JSON. */
	readonly depth?: { readonly limit: number; readonly tooDeep: (limit: number) => HostError } | undefined;
}

/**
 * The same answer, whose decoded body is passed on as it arrives. The body breaks, and the connection below it, with an
 * error as soon as a cap is exceeded: the contents of a compression bomb are never held (TRN-45).
 */
export function capped(response: Response, { maxBytes, tooLarge, onRead, depth }: BodyCaps): Response {
	const nesting = depth && new JsonDepth(depth.limit);
	let bytes = 0;
	return passedOn(response, async (reader) => {
		const { value } = await reader.read();
		if (value === undefined) return undefined;
		onRead?.(value.length);
		bytes += value.length;
		const isTooDeep = bytes <= maxBytes && nesting?.accept(value) === false;
		const fault = bytes > maxBytes ? tooLarge(maxBytes) : isTooDeep ? depth?.tooDeep(depth.limit) : undefined;
		if (fault === undefined) return value;
		await reader.cancel(fault).catch(() => undefined);
		throw fault;
	});
}

/** An answer, and how its body begins. */
export interface PeekedAnswer {
	/** The type of the body by its beginning, regardless of the headers. */
	readonly kind: "json" | "events" | "empty" | "other";
	/** The answer with all of its body. */
	readonly answer: Response;
}

/** How much of a body identifies it; no server writes more blanks than this. In bytes. */
const mostPeeked = 4096;
const eventLine = /^(?:data|event|id|retry)?:/;
const longestField = "event:".length;

/** Looks at how the body of an answer begins, and waits for that. Rejects as reading it does. */
export async function peek(response: Response): Promise<PeekedAnswer> {
	if (response.body === null) return { kind: "empty", answer: response };
	const reader = response.body.getReader();
	const pieces: Uint8Array[] = [];
	let beginning = "";
	let isEnded = false;
	while (!isEnded && beginning.length < longestField && pieces.length < mostPeeked) {
		const { done, value } = await reader.read();
		isEnded = done;
		if (value === undefined) continue;
		pieces.push(value);
		const text = Buffer.concat(pieces.map((piece) => piece.subarray(0, mostPeeked))).toString("utf8");
		beginning = text.replace(/^\uFEFF/, "").trimStart();
		if (/^[{[]/.test(beginning)) break;
	}
	reader.releaseLock();
	const isEvents = eventLine.test(beginning);
	const isEmpty = beginning === "" && isEnded;
	const kind = /^[{[]/.test(beginning) ? "json" : isEvents ? "events" : isEmpty ? "empty" : "other";
	return { kind, answer: passedOn(response, async (rest) => pieces.shift() ?? (await rest.read()).value) };
}

/** The same answer, whose body is what `next` gives of the answer's own one, until that is undefined. */
function passedOn(
	response: Response,
	next: (reader: ReadableStreamDefaultReader<Uint8Array>) => Promise<Uint8Array | undefined>,
): Response {
	const { body, status, statusText, headers } = response;
	if (body === null) return response;
	const reader = body.getReader();
	// Not a `TransformStream`, which with its pipe is a third of what a small answer costs.
	const passed = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const piece = await next(reader);
				if (piece === undefined) controller.close();
				else controller.enqueue(piece);
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	return new Response(passed, { status, statusText, headers });
}

/** The same answer with another body, of another type. */
export function typed(response: Response, type: string, body: ReadableStream<Uint8Array> | string): Response {
	const headers = new Headers(response.headers);
	headers.set("content-type", type);
	return new Response(body, { status: 200, statusText: response.statusText, headers });
}

/** Lets go of an answer of which nothing more is wanted. Never rejects. */
export async function discard(response: Response): Promise<void> {
	await response.body?.cancel().catch(() => undefined);
}
