import type { WireTap } from "../wireTap.ts";
import { currentExchange } from "./exchange.ts";
import type { Network } from "./network.ts";

/** Who counts what is read of a response. */
const readers = new WeakMap<Response, (bytes: number) => void>();

/**
 * The same network; each request over it is reported to the tap. `isSignIn`: it is for requests to hosts other than the
 * server.
 */
export function tappedNetwork(network: Network, tap: WireTap, isSignIn: boolean): Network {
	return {
		async fetch(url, init, isRepeatable) {
			const attempt = tap.http({
				method: init?.method ?? "GET",
				url: String(url),
				requestHeaders: isSignIn ? {} : Object.fromEntries(new Headers(init?.headers)),
				bytesOut: typeof init?.body === "string" ? Buffer.byteLength(init.body) : 0,
				requestId: currentExchange()?.id,
				isSignIn,
			});
			if (attempt === undefined) return network.fetch(url, init, isRepeatable);
			try {
				const response = await network.fetch(url, init, isRepeatable);
				attempt.answered(response.status, response.headers);
				readers.set(response, (bytes) => attempt.read(bytes));
				return response;
			} catch (error) {
				attempt.failed(error);
				throw error;
			}
		},
		close: () => network.close(),
	};
}

/** Called with how much of a response's body was read; undefined if nobody counts. */
export function readerOf(response: Response): ((bytes: number) => void) | undefined {
	return readers.get(response);
}
