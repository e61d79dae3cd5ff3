import {
	isJSONRPCErrorResponse,
	METHOD_NOT_FOUND,
	PROTOCOL_VERSION_META_KEY,
	ProtocolError,
	SdkHttpError,
	type JSONRPCErrorResponse,
	type JSONRPCMessage,
	type JSONRPCRequest,
	type MessageExtraInfo,
	type RequestId,
	type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { type Json, parseJsonObject } from "../../base/json.ts";
import { keepWait } from "../http/refusalWords.ts";
import { WrappedTransport, type ServerTransport } from "../messages/wrappedTransport.ts";
import { HeldAnswers } from "./heldAnswers.ts";

/**
 * The server no longer knows the session (specification, "Session Management"). Whether the request had an effect is
 * unknown.
 */
export class LostSession extends Error {
	constructor(options: ErrorOptions) {
		super("The server no longer knows the session.", options);
	}
}

/** The stream of an answer ended without the answer (TRN-41). */
export class CutAnswer extends Error {}

/** Statuses that sign-in gives its own meaning, regardless of the body. */
const statusesOfSignIn: ReadonlySet<number> = new Set([401, 403]);

/**
 * A transport that adds what the SDK leaves open: a request whose answer stream was cut fails immediately instead of at
 * its timeout, a forgotten session is distinguished from a refusal, and silence can be measured.
 */
export class WatchedTransport extends WrappedTransport {
	/** The requests on their way, and how their sending ends. */
	private readonly open = new Map<RequestId, PromiseWithResolvers<void>>();
	private heardAt = performance.now();
	private answeredRevision: string | undefined;
	/** The requests that asked for the era, and whether the legacy handshake followed. */
	private readonly probes = new Set<RequestId>();
	private readonly held = new HeldAnswers();
	private wasInitialized = false;
	private offeredLate: readonly unknown[] = [];
	private lastRefusal: SdkHttpError | undefined;

	/** When the last message of the server arrived, on the clock of `performance.now`. */
	get lastHeard(): number {
		return this.heardAt;
	}

	/** The last HTTP error that arrived in place of an answer. */
	get refusal(): SdkHttpError | undefined {
		return this.lastRefusal;
	}

	/** The revision with which the server answered `initialize`. Untrusted text. */
	get initializedRevision(): string | undefined {
		return this.answeredRevision;
	}

	/** The revisions that the server offered when it had been taken for a legacy one already: it is slow, not old. Untrusted. */
	get revisionsOfferedLate(): readonly unknown[] {
		return this.offeredLate;
	}

	/**
	 * For a request over HTTP, resolves when its answer has arrived.
	 * @throws LostSession, CutAnswer, ProtocolError for an error in the body of a refusal, or an error of the transport.
	 */
	async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		if (!("method" in message) || !("id" in message)) {
			this.noteCancellation(message);
			await this.inner.send(message, options).catch((error: unknown) => this.refuse(error, undefined));
			return;
		}
		this.noteRequest(message);
		const { id } = message;
		const answer = Promise.withResolvers<void>();
		// It may end when nobody observes it any more, as after a send that failed.
		answer.promise.catch(() => undefined);
		this.open.set(id, answer);
		options?.requestSignal?.addEventListener("abort", () => this.settle(id), { once: true });
		const onRequestStreamEnd = (): void => {
			options?.onRequestStreamEnd?.();
			this.held.forget(id);
			if (!this.open.delete(id)) return;
			// A subscription is notified of its end by its own callback.
			if (options?.onRequestStreamEnd === undefined) answer.reject(new CutAnswer("The connection was lost."));
			else answer.resolve();
		};
		try {
			await this.inner.send(message, { ...options, onRequestStreamEnd });
			if (this.hasPerRequestStream) await answer.promise;
		} catch (error) {
			this.settle(id);
			const isUnknown = message.method === "server/discover" ? asUnknownMethod(error, id) : undefined;
			if (isUnknown === undefined) this.refuse(error, message);
			this.receive({ jsonrpc: "2.0", id, error: isUnknown }, undefined);
		}
	}

	/** Leaves the session, so that the server need not keep it (specification, "Session Management"). Never rejects. */
	override async terminateSession(): Promise<void> {
		// The server may be gone or not know the request; leaving is all that matters.
		await super.terminateSession().catch(() => undefined);
	}

	/** Opens the stream of the server's own messages again, after it ended for good. Rejects when that fails. */
	listenAgain(): Promise<void> {
		return this.resumeStream("");
	}

	protected receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		// Before it is noted, which forgets the request.
		const taken = this.held.take(message);
		if (this.note(message)) this.onmessage?.(taken, extra);
	}

	protected handleClose(): void {
		for (const { resolve } of this.open.values()) resolve();
		this.open.clear();
		this.onclose?.();
	}

	/** Takes note of a message that arrives; false for an answer that arrived too late to be used. */
	private note(message: JSONRPCMessage): boolean {
		this.heardAt = performance.now();
		if ("method" in message || !("id" in message) || message.id === undefined) return true;
		this.settle(message.id);
		const isLate = this.wasInitialized && this.probes.has(message.id);
		if (!("result" in message)) return !isLate;
		const { protocolVersion, supportedVersions } = message.result;
		if (typeof protocolVersion === "string") this.answeredRevision ??= protocolVersion;
		if (isLate && Array.isArray(supportedVersions)) this.offeredLate = supportedVersions;
		return !isLate;
	}

	/** Takes note of a request that is sent: the answer to the era probe may arrive after the next one. */
	protected noteRequest(request: JSONRPCRequest): void {
		const { method, id } = request;
		this.held.note(request);
		if (method === "server/discover") this.probes.add(id);
		else if (method === "initialize") this.wasInitialized = true;
	}

	private settle(id: RequestId): void {
		this.held.forget(id);
		this.open.get(id)?.resolve();
		this.open.delete(id);
	}

	/** Nobody waits any longer for the answer to a request that was cancelled. */
	protected noteCancellation(message: JSONRPCMessage): void {
		if (!("method" in message) || message.method !== "notifications/cancelled") return;
		const id: unknown = message.params?.["requestId"];
		if (typeof id === "string" || typeof id === "number") this.settle(id);
	}

	/** Throws what a failure to send means. */
	private refuse(error: unknown, request: JSONRPCRequest | undefined): never {
		if (!(error instanceof SdkHttpError)) throw error;
		this.lastRefusal = error;
		const { status } = error;
		const answer = refusalIn(error);
		const own =
			answer !== undefined && answer.id === request?.id && !statusesOfSignIn.has(status) ? answer.error : undefined;
		const isUnknownMethod = own?.code === METHOD_NOT_FOUND && status === 404;
		// Whether a call with such a status took effect is unknown, regardless of the answer (TRN-57).
		const isOpen = request?.method === "tools/call" && !(isUnknownMethod && isModern(request));
		if (own !== undefined && !isOpen && (status !== 404 || isUnknownMethod)) {
			const failure = ProtocolError.fromError(own.code, own.message, own.data);
			keepWait(failure, error);
			throw failure;
		}
		// Some servers answer 400 to a session that they do not know.
		const isLost = status === 404 || status === 410 || (status === 400 && own === undefined);
		if (this.sessionId !== undefined && isLost) throw new LostSession({ cause: error });
		throw error;
	}
}

/** Says of a process that another window runs it. */
export interface Elsewhere {
	readonly isElsewhere: boolean;
}

/** A watched process. The SDK recognizes stdio by these two members, and then probes the era in place. */
export class WatchedProcess extends WatchedTransport {
	readonly stderr = null;
	private readonly process: { readonly pid: number | null } & Partial<Elsewhere>;
	private readonly onAsked: () => void;

	/** `inner` carries the messages of `process`; `onAsked` is called when one was written to it. */
	constructor(inner: ServerTransport, process: WatchedProcess["process"], onAsked: () => void) {
		super(inner);
		this.process = process;
		this.onAsked = onAsked;
	}

	/** Straight through: the end of the process ends its requests, and there is no session to lose. */
	override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		if ("method" in message && "id" in message) this.noteRequest(message);
		else this.noteCancellation(message);
		await this.inner.send(message, options);
		this.onAsked();
	}

	get pid(): number | null {
		return this.process.pid;
	}

	/** Whether another window runs it. */
	get isElsewhere(): boolean {
		return this.process.isElsewhere === true;
	}
}

/** Whether a request is of revision 2026-07-28, in which statuses beside errors are part of the protocol. */
function isModern({ params }: JSONRPCRequest): boolean {
	return params?._meta !== undefined && PROTOCOL_VERSION_META_KEY in params._meta;
}

/**
 * The answer of a server that does not support the era probe, with any HTTP status: nothing, an error of the protocol
 * that names the probe, or one with a status of its own fault. Undefined for other answers, such as a refusal for a
 * missing sign-in.
 */
function asUnknownMethod(error: unknown, id: RequestId): JSONRPCErrorResponse["error"] | undefined {
	if (error instanceof CutAnswer) return { code: METHOD_NOT_FOUND, message: "The server does not answer." };
	if (!(error instanceof SdkHttpError) || statusesOfSignIn.has(error.status)) return undefined;
	const answer = refusalIn(error);
	return error.status >= 500 || answer?.id === id ? answer?.error : undefined;
}

/** The protocol error of a server in the body of an HTTP error. `id` names the request, if it is about one. */
interface Refusal {
	readonly id: Json | undefined;
	readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The JSON-RPC error in the body of an HTTP error (specification, "Streamable HTTP"), of one request or of none. */
export function refusalIn(error: SdkHttpError): Refusal | undefined {
	const { text } = error.data;
	if (typeof text !== "string") return undefined;
	const body = parseJsonObject(text);
	if (body === undefined) return undefined;
	// The SDK does not support an error without an id, with which a server answers a request outside a session.
	const { id = null } = body;
	const response: unknown = { ...body, id: id ?? 0 };
	return isJSONRPCErrorResponse(response) ? { id, error: response.error } : undefined;
}
