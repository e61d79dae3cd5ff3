import { setTimeout } from "node:timers/promises";
import type { FetchLike } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { requestedWaitMs } from "../../base/senderWords.ts";
import { oneLine } from "../../base/text.ts";
import { RefusedAnswer } from "../messages/limitErrors.ts";
import { guardAnswer, type AnswerOptions } from "./answer.ts";
import { discard } from "./bodies.ts";
import { currentExchange } from "./exchange.ts";
import { secretsIn } from "./responseWords.ts";
import type { Network } from "./network.ts";

/** A longer wait is not waited for, in milliseconds: the user is informed instead (TRN-38). */
const maxWaitMs = 60_000;
/** A server that requests no wait is still asked at most once a second (TRN-39). */
const minWaitMs = 1000;

/** How often one message is sent again because the server asked for time. */
const maxRepeats = 3;
/** The handshake has little time, and is repeated as a whole where that has sense. */
const maxHandshakeRepeats = 1;
/** Visible ASCII (specification, "Session Management"), as long as a header may sensibly be. */
const usableSessionId = /^[\x21-\x7e]{1,4096}$/;

/** The dependencies of the `fetch` to an MCP server. */
export interface ServerFetchOptions extends AnswerOptions {
	readonly url: URL;
	readonly network: Network;
}

/**
 * The `fetch` for all requests to the server itself. It adds the configured headers, which go to the server's origin
 * and nowhere else (TRN-47), waits when the server asks for time (TRN-38), and passes an answer on only as far as it
 * keeps within the caps and the specification (TRN-08, TRN-43, TRN-45, TRN-48, TRN-50).
 * @throws HostError for an answer that it refuses, and the errors of `Network.fetch`.
 */
export function serverFetch(options: ServerFetchOptions): FetchLike {
	// The target of a redirect of the handshake, or of a read: later requests go there directly.
	let moved: URL | undefined;
	return async (address, init) => {
		const asked = new URL(address);
		const isHome = asked.href === options.url.href;
		const target = isHome && moved !== undefined ? moved : asked;
		if (target.origin !== options.url.origin) throw new HostError("protocol", leavesOrigin(target));
		const isGet = (init?.method ?? "GET") === "GET";
		// A GET for a request's own answer asks for the rest of a stream that broke.
		const resumed = isGet && currentExchange()?.id !== undefined ? currentExchange() : undefined;
		const isListening = isGet && resumed === undefined;
		let response: Response | undefined;
		try {
			response = await sendPatiently(options, target, init);
			const next = redirectOf(target, response);
			if (next !== undefined && isHome) moved = next;
			refuseSessionId(response);
			// Followed, a call would be sent twice, and how the server refused it proves nothing.
			if (next !== undefined && currentExchange()?.isRepeatable === false) return withoutLocation(response);
			if (isListening && !response.ok && response.status !== 404 && response.status !== 405) options.onStream(false);
			resumed?.noteResumed(response.status);
			return await guardAnswer(options, response, init);
		} catch (error) {
			resumed?.noteResumed(undefined);
			if (isListening) options.onStream(false);
			if (response !== undefined) void discard(response);
			throw error;
		}
	};
}

async function sendPatiently(
	options: ServerFetchOptions,
	target: URL,
	init: RequestInit | undefined,
): Promise<Response> {
	const headers = new Headers(init?.headers);
	// Headers of the protocol and of sign-in override configured ones.
	for (const [name, value] of Object.entries(options.headers)) if (!headers.has(name)) headers.set(name, value);
	const { handlers } = options.request;
	const exchange = currentExchange();
	const isRepeatable = init?.method === "POST" ? exchange?.isRepeatable === true : init?.method !== "DELETE";
	// Other requests are repeated by the connection that makes them, if that does no harm.
	const isSentAgain =
		init?.method === "POST" ? exchange?.isHandshake === true || exchange?.isNotification === true : undefined;
	const mostRepeats = exchange?.isHandshake === true ? maxHandshakeRepeats : maxRepeats;
	for (let repeats = 0; ; repeats++) {
		const response = await options.network.fetch(target, { ...init, headers, redirect: "manual" }, isSentAgain);
		if (exchange !== undefined && response.status >= 400) {
			exchange.refusal = { headers: response.headers, secrets: secretsIn(headers) };
		}
		if (response.status !== 429 && response.status !== 503) return response;
		const waitMs = retryAfterMs(response.headers.get("retry-after"));
		if (waitMs === undefined || !isRepeatable || repeats === mostRepeats) return response;
		const seconds = Math.ceil(waitMs / 1000).toLocaleString("en-US");
		const asks = `The server is busy (${response.status}) and asks to wait ${seconds} s`;
		if (waitMs > maxWaitMs) {
			handlers.onTrouble(`${asks}. That is too long, so the request fails.`);
			return response;
		}
		await discard(response);
		handlers.onTrouble(`${asks}; ${exchange?.method ?? "the request"} will be sent again after that.`);
		await setTimeout(waitMs, undefined, init?.signal ? { signal: init.signal } : {});
	}
}

/**
 * The target of a redirect that keeps the request unchanged; undefined if there is none.
 * @throws RefusedAnswer for another origin.
 */
function redirectOf(target: URL, response: Response): URL | undefined {
	const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
	if (location === null) return undefined;
	const next = URL.parse(location, target.href);
	if (next?.origin !== target.origin) throw new RefusedAnswer("protocol", leavesOrigin(next));
	return response.status === 307 || response.status === 308 ? next : undefined;
}

function withoutLocation({ body, status, statusText, headers }: Response): Response {
	const others = new Headers(headers);
	others.delete("location");
	return new Response(body, { status, statusText, headers: others });
}

function leavesOrigin(target: URL | null): string {
	const where =
		target === null ? "an invalid address" : oneLine(`${target.protocol}//${target.host}${target.pathname}`);
	return (
		`The server redirects to ${where}. MCP Host does not follow, because headers and tokens are meant for the ` +
		"configured address only. If that is the server you want, use that address as the URL."
	);
}

function refuseSessionId(response: Response): void {
	const id = response.headers.get("mcp-session-id");
	if (id === null || usableSessionId.test(id)) return;
	throw new RefusedAnswer(
		"protocol",
		`The server sent a session ID that the protocol does not allow (${id.length.toLocaleString("en-US")} ` +
			"characters; only visible ASCII is allowed).",
	);
}

/** How long a server asks to wait (`requestedWaitMs`), in milliseconds: at least a second. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
	const wait = requestedWaitMs(header, now);
	return wait === undefined ? undefined : Math.max(wait, minWaitMs);
}
