import {
	isJSONRPCErrorResponse,
	ProtocolError,
	SdkHttpError,
	type JSONRPCErrorResponse,
	type JSONRPCMessage,
	type JSONRPCRequest,
	type RequestId,
	type Transport,
	type TransportSendOptions,
} from "@modelcontextprotocol/client";
import type { Json } from "../base/json.ts";
import { HeldAnswers } from "./heldAnswers.ts";

/** The server no longer knows the session, so it has carried nothing out (specification, "Session Management"). */
export class LostSession extends Error {}

/** The stream of an answer ended without the answer (security.md TRN-41). */
export class CutAnswer extends Error {}

/** Statuses that sign-in and session handling give a meaning of their own, whatever the body says. */
const statusesWithMeaning: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * A transport that tells what the SDK leaves open: an answer whose stream was cut fails at once instead of at the end of
 * the request's time, a forgotten session is told from a refusal, and silence can be measured.
 */
export class WatchedTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	readonly hasPerRequestStream: boolean;
	private readonly inner: Transport;
	/** The requests on their way, and how their sending ends. */
	private readonly open = new Map<RequestId, PromiseWithResolvers<void>>();
	private heardAt = performance.now();
	private answeredRevision: string | undefined;
	/** The requests that asked for the era, and whether the legacy handshake followed. */
	private readonly probes = new Set<RequestId>();
	private readonly held = new HeldAnswers();
	private wasInitialized = false;
	private offeredLate: readonly unknown[] = [];

	constructor(inner: Transport) {
		this.inner = inner;
		this.hasPerRequestStream = inner.hasPerRequestStream === true;
		inner.onmessage = (message, extra) => {
			// Before it is noted, which forgets the request.
			const taken = this.held.take(message);
			if (this.note(message)) this.onmessage?.(taken, extra);
		};
		inner.onerror = (error) => this.onerror?.(error);
		inner.onclose = () => {
			for (const { resolve } of this.open.values()) resolve();
			this.open.clear();
			this.onclose?.();
		};
	}

	get sessionId(): string | undefined {
		return this.inner.sessionId;
	}

	/** When the server was last heard, on the clock of `performance.now`. */
	get lastHeard(): number {
		return this.heardAt;
	}

	/** How many requests of ours are not answered yet; a subscription counts for as long as it is open. */
	get openRequests(): number {
		return this.open.size;
	}

	/** The revision with which the server answered `initialize`. Untrusted text. */
	get initializedRevision(): string | undefined {
		return this.answeredRevision;
	}

	/** The revisions that the server offered when it had been taken for a legacy one already: it is slow, not old. Untrusted. */
	get revisionsOfferedLate(): readonly unknown[] {
		return this.offeredLate;
	}

	start(): Promise<void> {
		return this.inner.start();
	}

	close(): Promise<void> {
		return this.inner.close();
	}

	setProtocolVersion(version: string): void {
		this.inner.setProtocolVersion?.(version);
	}

	/**
	 * For a request over HTTP, resolves when its answer has come.
	 * @throws LostSession, CutAnswer, ProtocolError for an error in the body of a refusal, or what the transport throws.
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
		// Its end may come when nobody looks any more, as after a send that failed.
		answer.promise.catch(() => undefined);
		this.open.set(id, answer);
		options?.requestSignal?.addEventListener("abort", () => this.settle(id), { once: true });
		const onRequestStreamEnd = (): void => {
			options?.onRequestStreamEnd?.();
			this.held.forget(id);
			if (!this.open.delete(id)) return;
			// A subscription hears of its end by its own callback.
			if (options?.onRequestStreamEnd === undefined) answer.reject(new CutAnswer("The connection broke."));
			else answer.resolve();
		};
		try {
			await this.inner.send(message, { ...options, onRequestStreamEnd });
		} catch (error) {
			this.settle(id);
			this.refuse(error, id);
		}
		if (this.hasPerRequestStream) await answer.promise;
	}

	/** Leaves the session, so that the server need not keep it (spec.md H8). Never rejects. */
	async terminateSession(): Promise<void> {
		const { inner } = this;
		if (!("terminateSession" in inner) || typeof inner.terminateSession !== "function") return;
		// The server may be gone or not know the request; leaving is all that matters.
		await (inner.terminateSession as () => Promise<void>)().catch(() => undefined);
	}

	/** Opens the stream of the server's own messages again, after it ended for good. Rejects when that fails. */
	async listenAgain(): Promise<void> {
		const { inner } = this;
		if (!("resumeStream" in inner) || typeof inner.resumeStream !== "function") return;
		await (inner.resumeStream as (lastEventId: string) => Promise<void>)("");
	}

	/** Takes note of what arrives; false for an answer that came too late for anybody to want it. */
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

	/** Takes note of a request that is sent: the answer to the question for the era may come after the next one. */
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

	/** Throws what a failure to send means. `id` is the request's. */
	private refuse(error: unknown, id: RequestId | undefined): never {
		if (!(error instanceof SdkHttpError)) throw error;
		const hasSession = this.sessionId !== undefined;
		const answer = errorIn(error.data["text"]);
		const isOwn = id !== undefined && answer?.id === id;
		if (isOwn && !statusesWithMeaning.has(error.status)) {
			throw ProtocolError.fromError(answer.error.code, answer.error.message, answer.error.data);
		}
		// Some servers answer 400 with an error that names no request to a session that they do not know.
		if (hasSession && (error.status === 404 || error.status === 400)) {
			throw new LostSession("The server forgot the session.", { cause: error });
		}
		throw error;
	}
}

/** A watched process: the SDK tells stdio by these two members, and then asks for the era in place. */
export class WatchedProcess extends WatchedTransport {
	readonly stderr = null;
	private readonly process: Transport & { readonly pid: number | null };
	private readonly onAsked: () => void;

	/** `onAsked` is called when a message was written. */
	constructor(inner: Transport & { readonly pid: number | null }, onAsked: () => void) {
		super(inner);
		this.process = inner;
		this.onAsked = onAsked;
	}

	/** Straight through: the end of the process ends its requests, and there is no session to lose. */
	override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		if ("method" in message && "id" in message) this.noteRequest(message);
		else this.noteCancellation(message);
		await this.process.send(message, options);
		this.onAsked();
	}

	get pid(): number | null {
		return this.process.pid;
	}
}

/** The JSON-RPC error in the body of a refusal. */
function errorIn(text: unknown): JSONRPCErrorResponse | undefined {
	if (typeof text !== "string") return undefined;
	try {
		const body = JSON.parse(text) as Json;
		return isJSONRPCErrorResponse(body) ? body : undefined;
	} catch {
		return undefined;
	}
}
