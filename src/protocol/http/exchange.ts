import { AsyncLocalStorage } from "node:async_hooks";
import { PROTOCOL_VERSION_META_KEY, type JSONRPCMessage, type RequestId } from "@modelcontextprotocol/client";
import type { HostError } from "../../base/errors.ts";
import type { HttpRefusal } from "./refusalWords.ts";

/** For how long, and how often, the rest of an answer is asked for without success before it counts as lost (TRN-58). */
const givesUp = { afterMs: 5000, attempts: 3 };

/** A message that is sent to a server over HTTP and, for a request, its answer. */
export class HttpExchange {
	/** The request's id; undefined for a notification and for an answer of the host. */
	readonly id: RequestId | undefined;
	/** The JSON-RPC method; undefined for an answer of the host. */
	readonly method: string | undefined;
	/** It is of revision 2026-07-28, which has only the answer's stream. */
	readonly isStateless: boolean;
	/** The answer's HTTP message arrived as one piece: anything missing from it will not arrive. */
	isComplete = false;
	/** The explanation in an HTTP error response. */
	refusal: HttpRefusal | undefined;
	private readonly onLost: () => void;
	private hasAnswer = false;
	private failure: HostError | undefined;
	/** The attempts in a row that did not resume its stream, and when the first of them failed. */
	private failed: { count: number; readonly since: number } | undefined;
	private readonly stopping = new AbortController();
	private readonly settled = Promise.withResolvers<void>();

	/** `onLost` is called when the answer can no longer arrive. */
	constructor(message: JSONRPCMessage, onLost: () => void = () => undefined) {
		this.onLost = onLost;
		this.method = "method" in message ? message.method : undefined;
		this.id = "method" in message && "id" in message ? message.id : undefined;
		const meta = "method" in message ? message.params?._meta : undefined;
		this.isStateless = meta !== undefined && PROTOCOL_VERSION_META_KEY in meta;
		// It may fail when nobody waits any longer.
		this.settled.promise.catch(() => undefined);
	}

	/** Whether the server may get the message twice without harm. A tool may have effects. */
	get isRepeatable(): boolean {
		return this.method !== "tools/call";
	}

	/** Whether it asks which protocol is spoken. */
	get isHandshake(): boolean {
		return this.method === "initialize" || this.method === "server/discover";
	}

	get isNotification(): boolean {
		return this.id === undefined && this.method !== undefined;
	}

	get isAnswered(): boolean {
		return this.hasAnswer;
	}

	/** Why it failed, if `fail` was called. */
	get error(): HostError | undefined {
		return this.failure;
	}

	/** Aborted when nothing more is wanted of the server. */
	get signal(): AbortSignal {
		return this.stopping.signal;
	}

	/** Resolves when the answer arrived or will not arrive; rejects with the argument of `fail`. */
	get ended(): Promise<void> {
		return this.settled.promise;
	}

	/** The answer was delivered. */
	answer(): void {
		this.hasAnswer = true;
		this.settled.resolve();
	}

	/** Nobody waits any longer. */
	end(): void {
		this.settled.resolve();
	}

	/**
	 * The server answered an attempt to resume the stream of the answer with `status`, or did not answer: one that stays
	 * away, or has forgotten the stream, takes the answer with it.
	 */
	noteResumed(status: number | undefined): void {
		if (status !== undefined && status < 300) {
			this.failed = undefined;
			return;
		}
		// The SDK would go on asking.
		if (status === 400 || status === 404 || status === 410) return this.abandon();
		this.failed ??= { count: 0, since: performance.now() };
		this.failed.count++;
		if (this.failed.count < givesUp.attempts || performance.now() - this.failed.since < givesUp.afterMs) return;
		this.abandon();
	}

	/** The answer was lost for good. */
	private abandon(): void {
		this.onLost();
		this.stop();
	}

	/** Nobody waits any longer, for any reason, and the rest of the answer is not read. */
	stop(reason?: unknown): void {
		this.end();
		this.stopping.abort(reason);
	}

	/** The answer is refused; the rest of it is not read. */
	fail(error: HostError): void {
		this.failure ??= error;
		this.settled.reject(error);
		this.stopping.abort();
	}
}

const current = new AsyncLocalStorage<HttpExchange>();

/** Runs `send` so that `currentExchange` returns the exchange in everything that it causes, however late. */
export function during<T>(exchange: HttpExchange, send: () => T): T {
	return current.run(exchange, send);
}

/** The exchange for which a `fetch` is made: the SDK's transports do not pass on which message it carries. */
export function currentExchange(): HttpExchange | undefined {
	return current.getStore();
}
