import type { FetchLike } from "@modelcontextprotocol/client";
import { cappedBody, maxErrorBytes, withBody } from "./cappedBody.ts";
import { answerTooLarge } from "../messages/limitErrors.ts";
import type { Network } from "./network.ts";

/**
 * The `fetch` for all that is not the server itself, such as authorization servers: by the same way to the network, but
 * without the configured headers (security.md AUT-11), and with small answers only.
 * @throws what `Network.fetch` throws; reading a body beyond 1 MB rejects with a HostError `limit`.
 */
export function plainFetch(network: Network): FetchLike {
	return async (address, init) => {
		const response = await network.fetch(address, init);
		if (response.body === null) return response;
		return withBody(response, cappedBody(response.body, { maxBytes: maxErrorBytes, tooLarge: answerTooLarge }));
	};
}
