import { withDpop, type FetchLike } from "@modelcontextprotocol/client";
import type { Authorizing } from "../authorization.ts";
import { discard } from "../http/bodies.ts";
import { Access, stillRefused } from "./access.ts";
import { readChallenge } from "../http/challenge.ts";
import type { KeptTokens } from "./storedCredentials.ts";

/** Most times that one request is sent, sign-ins and step-ups in between included (specification, "Step-Up Authorization Flow"). */
const maxAttempts = 3;

/**
 * A fetch that signs in when the server requires it and sends the request again, so that transports need not implement
 * authorization. Tokens go to the server's own origin only (AUT-10). One sign-in or refresh runs at a time, for all
 * connections to the server (AUT-13).
 * @throws HostError (from the returned fetch) `needs-sign-in` when nobody may be asked or the user declines; for a
 * step-up `denied` when nobody may be asked and `cancelled` when the user declines; `denied`, `unreachable`, `invalid`
 * or `protocol` with words for users; anything that `serverFetch` throws.
 */
export const authorizing: Authorizing = (options) => {
	const { serverUrl, serverFetch, authorization, signal } = options;
	if (authorization === undefined) return withoutChallenge(serverFetch);
	const access = new Access({ ...options, authorization });

	async function send(tokens: KeptTokens | undefined, input: string | URL, init: RequestInit | undefined) {
		if (tokens === undefined) return serverFetch(input, init);
		const session = await access.sessionFor(tokens);
		if (session !== undefined) return withDpop(session, () => tokens.access_token)(serverFetch)(input, init);
		const headers = new Headers(init?.headers);
		headers.set("authorization", `Bearer ${tokens.access_token}`);
		return serverFetch(input, { ...init, headers });
	}

	return async (input, init) => {
		if (new URL(input).origin !== serverUrl.origin) return serverFetch(input, init);
		for (let attempt = 1; ; attempt++) {
			const tokens = await access.tokens();
			const response = await send(tokens, input, init);
			const challenge = readChallenge(response);
			// Nobody is asked in order to disconnect.
			if (challenge === undefined || init?.method === "DELETE") return response;
			await discard(response);
			if (attempt === maxAttempts) throw stillRefused(challenge);
			const waiter = init?.signal ? AbortSignal.any([signal, init.signal]) : signal;
			await access.renew(challenge, tokens, attempt > 1, waiter);
		}
	};
};

/** The SDK takes a challenge for more scopes as its own to meet, and then names neither the status nor what to do. */
function withoutChallenge(fetch: FetchLike): FetchLike {
	return async (address, init) => {
		const response = await fetch(address, init);
		if (response.status !== 403) return response;
		const headers = new Headers(response.headers);
		headers.delete("www-authenticate");
		return new Response(response.body, { status: 403, statusText: response.statusText, headers });
	};
}
