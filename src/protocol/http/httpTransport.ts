import {
	SdkErrorCode,
	SdkHttpError,
	SSEClientTransport,
	SseError,
	StreamableHTTPClientTransport,
	type FetchLike,
	type JSONRPCMessage,
	type RequestId,
	type Transport,
	type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import type { Authorizing } from "../authorization.ts";
import type { ConnectRequest } from "../connection.ts";
import { CarriedMessages } from "./carriedMessages.ts";
import { currentExchange, during, HttpExchange } from "./exchange.ts";
import { serverFetch } from "./httpFetch.ts";
import type { Sieved } from "../messages/gatedTransport.ts";
import { isAnswer, usableId } from "../messages/wireText.ts";
import type { ServerTransport } from "../messages/wrappedTransport.ts";
import { openNetwork, type Network } from "./network.ts";
import { type HttpRefusal, keepWords } from "./refusalWords.ts";
import { secretsIn } from "./responseWords.ts";
import { OutsideRequests } from "./outsideRequests.ts";
import type { Launch } from "../launch.ts";
import type { WireTap } from "../wireTap.ts";
import { tappedNetwork } from "./tappedNetwork.ts";

/** The default gives up after two tries and leaves a session that receives nothing more. */
const reconnectionOptions = {
	maxRetries: 20,
	initialReconnectionDelay: 1000,
	maxReconnectionDelay: 30_000,
	reconnectionDelayGrowFactor: 1.5,
};
/** The longest pause between streams that the server ends at once, in milliseconds. */
const longestPauseMs = 60_000;

/**
 * A stream of the server's own messages that lived this long, or brought a message, may end without being a sign of
 * trouble.
 */
const steadyMs = 10_000;

/** The callbacks for events beside the messages, and for sign-in. */
export interface HttpListener {
	/** Makes the fetch of a server that may ask for a sign-in. */
	readonly authorizing: Authorizing;
	/**
	 * The stream of the server's own messages opened, ended, failed or was refused; not called if the server does not
	 * offer it.
	 */
	readonly onStream?: (isOpen: boolean) => void;
	/** Receives every HTTP request, including those of a sign-in. */
	readonly tap?: WireTap | undefined;
}

/**
 * The SDK's transports over a network, with caps and the host's own rules (`serverFetch`). In addition: sending a
 * request resolves when its answer was delivered or can no longer arrive, and rejects with a HostError `limit` when the
 * answer is refused. A JSON answer that holds no answer counts as the end of its stream. A cancelled request's stream
 * is closed. HTTP+SSE closes when its one stream breaks, because the session ends with it.
 */
export class HttpTransport implements ServerTransport, Sieved {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	isUnwanted: Sieved["isUnwanted"];
	readonly hasPerRequestStream: boolean;
	private readonly inner: StreamableHTTPClientTransport | SSEClientTransport;
	private readonly network: Network;
	private readonly tap: WireTap | undefined;
	private readonly outside: OutsideRequests;
	private readonly closing = new AbortController();
	/** The values of the configured headers, which an answer may repeat. */
	private readonly secrets: readonly string[];
	/** The host's open requests. */
	private readonly exchanges = new Map<RequestId, HttpExchange>();
	private readonly carried: CarriedMessages;
	/**
	 * The stream of the server's own messages: when it opened last, how many arrived by then, and how often it was
	 * useless.
	 */
	private stream = { openedAt: 0, events: 0, futile: 0 };
	/** How the last stream was refused. */
	private refusal: HttpRefusal | undefined;
	/** Why the stream of HTTP+SSE did not open; the SDK keeps only words of it. */
	private streamFailure: unknown;
	private isStarted = false;
	private closed: Promise<void> | undefined;

	constructor(
		launch: Extract<Launch, { kind: "http" | "sse" }>,
		kind: "http" | "sse",
		request: ConnectRequest,
		{ authorizing, onStream, tap }: HttpListener,
	) {
		this.network = openNetwork(request.network);
		this.tap = tap;
		this.carried = new CarriedMessages((sentence) => request.handlers.onTrouble(sentence));
		this.outside = new OutsideRequests(tap === undefined ? this.network : tappedNetwork(this.network, tap, true));
		this.hasPerRequestStream = kind === "http";
		this.secrets = secretsIn(new Headers(launch.headers));
		const url = new URL(launch.url);
		const fetch = this.makeFetch(url, launch.headers, request, authorizing, kind === "http" ? onStream : undefined);
		this.inner =
			kind === "sse"
				? new SSEClientTransport(url, { fetch: (address, init) => this.fetchForStream(fetch, address, init) })
				: new StreamableHTTPClientTransport(url, {
						fetch,
						reconnectionOptions,
						reconnectionScheduler: (reconnect, delayMs) => {
							const timer = setTimeout(reconnect, this.pauseMs(delayMs));
							return () => clearTimeout(timer);
						},
					});
		this.listen();
	}

	get sessionId(): string | undefined {
		return "sessionId" in this.inner ? this.inner.sessionId : undefined;
	}

	async start(): Promise<void> {
		try {
			await this.inner.start();
			this.isStarted = true;
		} catch (error) {
			throw this.streamFailure ?? error;
		}
	}

	async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const inner: Transport = this.inner;
		const onRequestStreamEnd = (): void => {
			exchange.end();
			options?.onRequestStreamEnd?.();
		};
		const exchange = new HttpExchange(message, onRequestStreamEnd);
		const { id } = exchange;
		if (id === undefined) {
			try {
				await during(exchange, () => inner.send(message, options));
			} catch (error) {
				keepWords(error, exchange.refusal);
				throw error;
			}
			this.stopCancelled(message);
			return;
		}
		const caller = options?.requestSignal;
		const onAbort = (): void => exchange.stop(caller?.reason);
		if (caller?.aborted === true) onAbort();
		caller?.addEventListener("abort", onAbort, { once: true });
		this.exchanges.set(id, exchange);
		try {
			const requestSignal = exchange.signal;
			await during(exchange, () => inner.send(message, { ...options, requestSignal, onRequestStreamEnd }));
			if (exchange.isComplete && !exchange.isAnswered) onRequestStreamEnd();
			await exchange.ended;
		} catch (error) {
			keepWords(error, exchange.refusal);
			throw exchange.error ?? error;
		} finally {
			caller?.removeEventListener("abort", onAbort);
			this.exchanges.delete(id);
		}
	}

	close(): Promise<void> {
		return (this.closed ??= this.end());
	}

	setProtocolVersion(version: string): void {
		this.inner.setProtocolVersion(version);
	}

	/** Ends the session at the server (specification, "Session Management"). Rejects where that fails. */
	async terminateSession(): Promise<void> {
		if ("terminateSession" in this.inner) await this.inner.terminateSession();
	}

	/** Opens the stream of the server's own messages again. Rejects where that fails. */
	async resumeStream(lastEventId: string): Promise<void> {
		if ("resumeStream" in this.inner) await this.inner.resumeStream(lastEventId);
	}

	private async end(): Promise<void> {
		this.closing.abort();
		try {
			await this.inner.close();
		} finally {
			for (const exchange of this.exchanges.values()) exchange.stop();
			await this.outside.ended();
			await this.network.close();
		}
	}

	/** How long to wait until a stream is opened again: a server that ends each one at once is asked ever more seldom. */
	private pauseMs(delayMs: number): number {
		// The rest of an answer is waited for.
		if (currentExchange()?.id !== undefined) return delayMs;
		const { openedAt, events, futile } = this.stream;
		const isOfUse = performance.now() - openedAt > steadyMs || this.carried.unaskedEvents > events;
		this.stream.futile = isOfUse ? 0 : futile + 1;
		const grownMs = Math.min(reconnectionOptions.initialReconnectionDelay * 2 ** futile, longestPauseMs);
		return isOfUse ? delayMs : Math.max(delayMs, grownMs);
	}

	private makeFetch(
		url: URL,
		headers: Readonly<Record<string, string>>,
		request: ConnectRequest,
		authorizing: Authorizing,
		onStream: ((isOpen: boolean) => void) | undefined,
	): FetchLike {
		const network = this.tap === undefined ? this.network : tappedNetwork(this.network, this.tap, false);
		const findExchange = (id: RequestId): HttpExchange | undefined => this.exchanges.get(id);
		const onEndless = (error: HostError): void => {
			// With one open request, the event most likely answers that request.
			const [exchange, other] = this.exchanges.values();
			if (other === undefined) exchange?.fail(error);
		};
		const toServer = serverFetch({
			url,
			headers,
			network,
			isStreamable: this.hasPerRequestStream,
			request,
			findExchange,
			carried: this.carried,
			isUnwanted: (head) => this.isUnwanted?.(head) === true,
			onStream: (isOpen) => {
				if (isOpen) this.stream = { ...this.stream, openedAt: performance.now(), events: this.carried.unaskedEvents };
				onStream?.(isOpen);
			},
			onStreamRefused: (refusal) => (this.refusal = refusal),
			onEndless,
		});
		// A configured header is a user's choice; the server's response to it is reported unchanged.
		const isChosen = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
		return authorizing({
			serverUrl: url,
			serverFetch: toServer,
			plainFetch: this.outside.fetch,
			authorization: isChosen ? undefined : request.authorization,
			signal: this.closing.signal,
			onNote: (text) => request.handlers.onTrouble(text),
		});
	}

	private listen(): void {
		const { inner } = this;
		inner.onmessage = (standIn: JSONRPCMessage) => {
			const message = this.carried.take(standIn);
			const id = isAnswer(message) ? usableId(message) : undefined;
			// The SDK accepts an id that is returned as text.
			if (id !== undefined) (this.exchanges.get(id) ?? this.exchanges.get(Number(id)))?.answer();
			this.onmessage?.(message);
		};
		inner.onerror = (error) => {
			const isOfStream = error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpFailedToOpenStream;
			if (isOfStream) keepWords(error, this.refusal);
			this.onerror?.(error);
			// It would open another stream, which is another session that knows nothing of this one.
			if (this.isStarted && error instanceof SseError) this.closeSoon();
		};
		inner.onclose = () => this.onclose?.();
	}

	/** Later messages on a cancelled request's stream would be discarded. */
	private stopCancelled(message: JSONRPCMessage): void {
		if (!("method" in message) || message.method !== "notifications/cancelled") return;
		const id: unknown = message.params?.["requestId"];
		if (typeof id === "string" || typeof id === "number") this.exchanges.get(id)?.stop();
	}

	/** Closes once the requests that already failed have reported their reasons. */
	private closeSoon(): void {
		setImmediate(() => void this.close());
	}

	/** As `fetch`, but responses of which the transport of HTTP+SSE would keep only words are passed on unchanged. */
	private async fetchForStream(fetch: FetchLike, address: string | URL, init?: RequestInit): Promise<Response> {
		if (init?.method !== "POST") {
			try {
				const response = await fetch(address, init);
				if (response.status < 400) return response;
				const refusal = await refusalOf(response);
				keepWords(refusal, { headers: response.headers, secrets: this.secrets });
				throw refusal;
			} catch (error) {
				this.streamFailure = error;
				throw error;
			}
		}
		const response = await fetch(address, init);
		if (response.ok) return response;
		const refusal = await refusalOf(response);
		if (response.status !== 404 && response.status !== 410) throw refusal;
		// Its stream broke, as we are about to see.
		this.closeSoon();
		if (currentExchange()?.isRepeatable === false) throw refusal;
		throw new HostError("not-connected", "The server no longer knows the session.");
	}
}

/** An error response, as the SDK's transport of Streamable HTTP throws it. */
async function refusalOf(response: Response): Promise<SdkHttpError> {
	const { status, statusText } = response;
	const text = await response.text().catch(() => "");
	return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `Error POSTing to endpoint: ${text}`, {
		status,
		statusText,
		text,
	});
}
