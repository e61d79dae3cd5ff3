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
	readonly depth?: { readonly limit: number; readonly tooDeep: (limit: number) => HostError };
}

/**
 * The same answer, whose decoded body is passed on as it arrives. The body breaks, and the connection below it, with an
 * error as soon as a cap is exceeded: the contents of a compression bomb are never held (TRN-45).
 */
export function capped(response: Response, caps: BodyCaps): Response {
	if (response.body === null) return response;
	const depth = caps.depth === undefined ? undefined : new JsonDepth(caps.depth.limit);
	let bytes = 0;
	const faultOf = (chunk: Uint8Array): HostError | undefined => {
		bytes += chunk.length;
		if (bytes > caps.maxBytes) return caps.tooLarge(caps.maxBytes);
		return depth?.accept(chunk) === false ? caps.depth?.tooDeep(caps.depth.limit) : undefined;
	};
	const reader = response.body.getReader();
	// Not a `TransformStream`, which with its pipe is a third of what a small answer costs.
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const { done, value } = await reader.read();
				if (done) return controller.close();
				caps.onRead?.(value.length);
				const fault = faultOf(value);
				if (fault === undefined) return controller.enqueue(value);
				await reader.cancel(fault).catch(() => undefined);
				throw fault;
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	return withBody(response, body);
}

/** The same answer with another body. */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
	const { status, statusText, headers } = response;
	return new Response(body, { status, statusText, headers });
}

/** Lets go of an answer of which nothing more is wanted. Never rejects. */
export async function discard(response: Response): Promise<void> {
	await response.body?.cancel().catch(() => undefined);
}
