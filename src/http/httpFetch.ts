import { setTimeout } from "node:timers/promises";
import type { FetchLike } from "@modelcontextprotocol/client";
import { HostError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { discard } from "./cappedBody.ts";
import type { ConnectRequest } from "../connection/connection.ts";
import { currentExchange, type Exchange } from "./exchange.ts";
import { guardAnswer } from "./httpAnswer.ts";
import type { Network } from "./network.ts";
import { maxWaitMs, retryAfterMs } from "./retryAfter.ts";

/** How often one message is sent again because the server asked for time. */
const maxRepeats = 3;
/** The handshake has little time, and is repeated as a whole where that has sense. */
const maxHandshakeRepeats = 1;
/** Visible ASCII (specification, "Session Management"), as long as a header may sensibly be. */
const usableSessionId = /^[\x21-\x7e]{1,4096}$/;

/** What the `fetch` to an MCP server needs. */
export interface ServerFetchOptions {
	readonly url: URL;
	/** The configured headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly network: Network;
	/** Whether answers come with the request (Streamable HTTP), not by the one stream of HTTP+SSE. */
	readonly isStreamable: boolean;
	readonly request: Pick<ConnectRequest, "limits" | "handlers">;
	/** The request of ours that is open under an id. */
	readonly findExchange: (id: number | string) => Exchange | undefined;
	/** Whether a message on a stream that begins so need not be read. */
	readonly isUnwanted: (head: string) => boolean;
	/** An event on a shared stream does not end, so that whatever it answers cannot be told. */
	readonly onEndless: (error: HostError) => void;
	/** Whether the stream of the server's own messages is open, whenever that changes or an attempt to open it fails. */
	readonly onStream?: ((isOpen: boolean) => void) | undefined;
}

/**
 * The `fetch` for all that goes to the server itself. It adds the configured headers, which go to the server's origin
 * and nowhere else (security.md TRN-47); waits where the server asks for time (TRN-38); and lets an answer through only
 * as far as it keeps within the caps and within the specification (TRN-08, TRN-43, TRN-45, TRN-48, TRN-50).
 * @throws HostError for what it refuses, and what `Network.fetch` throws.
 */
export function serverFetch(options: ServerFetchOptions): FetchLike {
	return async (address, init) => {
		const target = new URL(address);
		if (target.origin !== options.url.origin) throw leavesOrigin(target);
		const isListening = (init?.method ?? "GET") === "GET" && currentExchange()?.id === undefined;
		try {
			const response = await sendPatiently(options, target, init);
			refuseRedirect(target, response);
			refuseSessionId(response);
			if (isListening && !response.ok && response.status !== 404 && response.status !== 405) options.onStream?.(false);
			return guardAnswer(options, response, init?.method ?? "GET");
		} catch (error) {
			if (isListening) options.onStream?.(false);
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
	// What the protocol and sign-in set wins over what is configured.
	for (const [name, value] of Object.entries(options.headers)) if (!headers.has(name)) headers.set(name, value);
	const { handlers } = options.request;
	const exchange = currentExchange();
	const isRepeatable = init?.method === "POST" ? exchange?.isRepeatable === true : init?.method !== "DELETE";
	const mostRepeats = exchange?.isHandshake === true ? maxHandshakeRepeats : maxRepeats;
	for (let repeats = 0; ; repeats++) {
		const response = await options.network.fetch(target, { ...init, headers, redirect: "manual" });
		if (response.status !== 429 && response.status !== 503) return response;
		const waitMs = retryAfterMs(response.headers.get("retry-after"));
		if (waitMs === undefined || !isRepeatable || repeats === mostRepeats) return response;
		const seconds = Math.ceil(waitMs / 1000).toLocaleString("en-US");
		const asks = `The server has no time (${response.status}) and asks to wait ${seconds} s`;
		if (waitMs > maxWaitMs) {
			handlers.onTrouble(`${asks}, which is too long.`);
			return response;
		}
		await discard(response);
		handlers.onTrouble(`${asks}; ${exchange?.method ?? "the request"} is sent again then.`);
		await setTimeout(waitMs, undefined, init?.signal ? { signal: init.signal } : {});
	}
}

function refuseRedirect(target: URL, response: Response): void {
	const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
	if (location === null) return;
	const next = URL.parse(location, target.href);
	if (next?.origin === target.origin) return;
	void discard(response);
	throw leavesOrigin(next);
}

function leavesOrigin(target: URL | null): HostError {
	const where =
		target === null ? "an address that is none" : oneLine(`${target.protocol}//${target.host}${target.pathname}`);
	return new HostError(
		"protocol",
		`The server points to another place, ${where}. The host does not follow: headers and tokens are meant for the ` +
			"configured address only. If that place is the intended server, use it as the URL.",
	);
}

function refuseSessionId(response: Response): void {
	const id = response.headers.get("mcp-session-id");
	if (id === null || usableSessionId.test(id)) return;
	void discard(response);
	throw new HostError(
		"protocol",
		`The server gave its session an id that the protocol does not allow (${id.length.toLocaleString("en-US")} ` +
			"characters; it must be visible ASCII).",
	);
}
