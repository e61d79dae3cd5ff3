import type { FetchLike } from "@modelcontextprotocol/client";
import { answerTooLarge } from "../messages/limitErrors.ts";
import { capped, maxErrorBytes } from "./bodies.ts";
import type { Network } from "./network.ts";

/** How long running requests are waited for at the end, in milliseconds. */
const lingerMs = 3000;

/**
 * The requests of one connection to hosts other than its server. A request that is running when the connection ends may
 * be a refresh, whose answer holds the only valid refresh token. So the network must stay available to it.
 */
export class OutsideRequests {
	private readonly underWay = new Set<Promise<Response>>();
	/** As `plainFetch`; answers arrive whole. */
	readonly fetch: FetchLike;

	constructor(network: Network) {
		const send = plainFetch(network);
		this.fetch = (address, init) => {
			const answering = whole(send(address, init));
			this.underWay.add(answering);
			const forget = (): void => void this.underWay.delete(answering);
			answering.then(forget, forget);
			return answering;
		};
	}

	/** Resolves when none is running any more, or after a moment. Never rejects. */
	async ended(): Promise<void> {
		const { promise: late, resolve } = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, lingerMs);
		await Promise.race([Promise.allSettled(this.underWay), late]);
		clearTimeout(timer);
	}
}

async function whole(answering: Promise<Response>): Promise<Response> {
	const response = await answering;
	if (response.body === null) return response;
	const { status, statusText, headers } = response;
	return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

/**
 * The `fetch` for all that is not the server itself, such as authorization servers: by the same way to the network, but
 * without the configured headers (AUT-11), and with small answers only.
 * @throws what `Network.fetch` throws; reading a body beyond 1 MB rejects with a HostError `limit`.
 */
export function plainFetch(network: Network): FetchLike {
	return async (address, init) =>
		capped(await network.fetch(address, init), { maxBytes: maxErrorBytes, tooLarge: answerTooLarge });
}
