import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { orAborted } from "../../base/abort.ts";
import { HostError } from "../../base/errors.ts";
import { nextAttempt, type Attempt, type Failed } from "./attempts.ts";
import { SdkConnection } from "./sdkConnection.ts";
import { describeFailure } from "./connectFailure.ts";
import type { Connection, ConnectRequest, ConnectionHandlers } from "../connection.ts";
import { ConnectedClient } from "./connectedClient.ts";
import { makeTransport, type ConnectionEnd, type OpenProcess, type TransportListener } from "./makeTransport.ts";
import { shareWords } from "../http/refusalWords.ts";
import { hostErrorIn, revisionFault } from "./requestFailure.ts";
import { wireTimeoutMs } from "./requests.ts";
import { makeClient } from "./sdkClient.ts";
import type { WatchedTransport } from "./watchedTransport.ts";
import type { Authorization } from "../authorization.ts";
import { RequestTimer } from "../../base/requestTimer.ts";

export { revoke } from "../authorization/signOut.ts";
// The errors that cross this module, so that who loads its bundle beside the sources (test/faults) has them once.
export * from "../../base/errors.ts";
export * from "../../base/refusal.ts";

/** How long the handshake of a session in place of a forgotten one may take, in milliseconds. */
const renewTimeoutMs = 30_000;

/**
 * Connects to a server: spawn or dial, negotiate the era, shake hands. The only module that creates SDK clients; it is
 * a bundle of its own, loaded when the first server starts. See `attempts.ts` for what is tried in which order. `process`
 * makes the transport to a process in place of the usual one.
 * @throws HostError fit to show, such as `start-failed`, `unreachable`, `timeout`, `needs-sign-in` or `protocol`; the
 * signal's reason when aborted.
 */
export async function connect(request: ConnectRequest, process?: OpenProcess): Promise<Connection> {
	const { handlers } = request;
	using clock = new HandshakeClock(request.handshakeTimeoutMs);
	const signal = AbortSignal.any([request.signal, clock.signal]);
	let failed: Failure | undefined;
	for (;;) {
		const attempt = nextAttempt(request, failed);
		if (attempt === undefined) throw failed?.shown ?? new HostError("protocol", "No connection was attempted.");
		const why = `${failed?.shown.message ?? ""} ${attempt.why}`;
		const held =
			failed?.exit === undefined
				? undefined
				: new HeldStderr(handlers, () => handlers.onRetry?.(why), failed.elapsedMs);
		if (failed !== undefined && held === undefined) handlers.onRetry?.(why);
		const startedAt = performance.now();
		try {
			const connection = await tryConnect(request, { attempt, clock, signal, held, process });
			held?.release();
			return connection;
		} catch (error) {
			if (signal.aborted) held?.release();
			signal.throwIfAborted();
			const exit = exitOf(error);
			// A server that ends in the same way however it is spoken to has reasons of its own, and gave them the first time.
			if (failed !== undefined && held !== undefined && exit?.reason === failed.exit?.reason) {
				held.drop();
				throw failed.shown;
			}
			held?.release();
			// The failure of a mere guess is less informative than the failure before it.
			const shown =
				failed !== undefined && attempt.isGuess
					? failed.shown
					: (hostErrorIn(error) ?? describeFailure(error, attempt.transport));
			// A process that ended before it was asked anything did not end because of the question.
			if (exit?.wasAsked === false) throw shown;
			failed = { attempt, error, elapsedMs: performance.now() - startedAt, exit, shown };
		}
	}
}

/** How an attempt failed, and what is shown of it. */
interface Failure extends Failed {
	/** How its process ended, if it did. */
	readonly exit: ReturnType<typeof exitOf>;
	readonly shown: HostError;
}

/** The inputs of one attempt beside the request. */
interface Trial {
	readonly attempt: Attempt;
	readonly clock: HandshakeClock;
	readonly signal: AbortSignal;
	/** Takes the process's standard error in place of the handlers. */
	readonly held: HeldStderr | undefined;
	readonly process: OpenProcess | undefined;
}

async function tryConnect(
	request: ConnectRequest,
	{ attempt, clock, signal, held, process }: Trial,
): Promise<Connection> {
	signal.throwIfAborted();
	const end: ConnectionEnd = { exit: undefined, wasAsked: false };
	let connection: SdkConnection | undefined;
	let client: ConnectedClient | undefined;
	const open = (paced: ConnectRequest, era: Attempt["era"], until: AbortSignal): Promise<ConnectedClient> => {
		const listener: TransportListener = {
			onStderr: (text) => (held ?? request.handlers).onStderr(text),
			onStream: (isOpen) => connection?.noteStream(made, isOpen),
		};
		const made: WatchedTransport = makeTransport(paced, attempt.transport, end, listener, process);
		return shakeHands(paced, { ...attempt, era }, made, until);
	};
	try {
		client = await open(clock.pacing(request), attempt.era, signal);
		const openAgain = async (until: AbortSignal): Promise<ConnectedClient> => {
			request.handlers.onTrouble("The server no longer knows the session. A new session is opened.");
			using again = new HandshakeClock(renewTimeoutMs);
			return await open(again.pacing(request), { kind: "legacy" }, AbortSignal.any([until, again.signal]));
		};
		connection = new SdkConnection({ request, client, openAgain, end });
		await orAborted(connection.listenForLists(), signal);
		if (end.exit !== undefined) throw new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");
		return connection;
	} catch (error) {
		await (connection ?? client)?.close().catch(() => undefined);
		if (end.exit === undefined) throw error;
		const message = `The server ${end.exit} during the handshake.`;
		throw new SdkError(SdkErrorCode.ConnectionClosed, message, { ...end }, { cause: error });
	}
}

/** Shakes hands over a transport; when that fails or the signal is aborted, nothing is left of it. */
async function shakeHands(
	request: ConnectRequest,
	{ era, transport: kind, probeTimeoutMs, revision }: Attempt,
	transport: WatchedTransport,
	signal: AbortSignal,
): Promise<ConnectedClient> {
	// The clock of the handshake, which is paused while a user signs in, ends it; the SDK's must not end it first.
	const timeout = wireTimeoutMs;
	const sdk = makeClient(request, { era, probeTimeoutMs: kind === "stdio" ? probeTimeoutMs : timeout, revision });
	const prior = era !== "probe" && era.kind === "modern" ? era.discover : undefined;
	const options = { timeout, ...(prior === undefined ? {} : { prior: { kind: "modern" as const, discover: prior } }) };
	try {
		// Not every transport of the SDK gives up when it is closed, so the signal is watched here.
		await orAborted(sdk.connect(transport, options), signal);
		return new ConnectedClient(sdk, transport, kind);
	} catch (error) {
		await sdk.close().catch(() => undefined);
		await transport.close().catch(() => undefined);
		shareWords(error, transport.refusal);
		throw revisionFault(error, transport.initializedRevision) ?? error;
	}
}

/** How the process of a failed attempt ended, if it did. */
function exitOf(error: unknown): { readonly reason: string; readonly wasAsked: boolean } | undefined {
	if (!(error instanceof SdkError) || error.code !== SdkErrorCode.ConnectionClosed) return undefined;
	const { exit, wasAsked } = (error.data ?? {}) as Partial<ConnectionEnd>;
	return exit === undefined ? undefined : { reason: exit, wasAsked: wasAsked !== false };
}

/** The time that a handshake may take. It is paused while a user signs in. */
export class HandshakeClock implements Disposable {
	private readonly timer: RequestTimer;
	private readonly controller = new AbortController();

	constructor(timeoutMs: number) {
		this.timer = new RequestTimer("The handshake", timeoutMs, timeoutMs, () => {
			const seconds = Math.round(timeoutMs / 1000);
			const message = `The server did not answer the handshake within ${seconds} s. Its log may say why.`;
			this.controller.abort(new HostError("timeout", message));
		});
	}

	/** Aborted with a HostError `timeout` when the time is up. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** The same request, whose questions to a user stop the clock. */
	pacing(request: ConnectRequest): ConnectRequest {
		const { authorization } = request;
		if (authorization === undefined) return request;
		const whileAsking: Authorization["whileAsking"] = async (ask, signal) => {
			this.timer.pause();
			try {
				return await authorization.whileAsking(ask, signal);
			} finally {
				this.timer.resume();
			}
		};
		return { ...request, authorization: { ...authorization, whileAsking } };
	}

	[Symbol.dispose](): void {
		this.timer.dispose();
	}
}

/** Beyond the life of the first process, how long the second one must live to count as another one, in milliseconds. */
const longerMs = 1000;
/** One that says more than this, in characters, counts as another one too; that much is held at most (TRN-27). */
const maxHeld = 64 * 1024;

/**
 * Holds back the output of a process that was started on the assumption that another era fits better. If it ends as the
 * first one did, none of it is reported: the user sees the output of the first one.
 */
export class HeldStderr {
	private readonly handlers: Pick<ConnectionHandlers, "onStderr">;
	private readonly announce: () => void;
	private readonly timer: NodeJS.Timeout;
	private held: string[] | undefined = [];
	private heldLength = 0;
	private isDropped = false;

	/** `announce` reports the second start; `formerMs`: how long the first process lived. */
	constructor(handlers: Pick<ConnectionHandlers, "onStderr">, announce: () => void, formerMs: number) {
		this.handlers = handlers;
		this.announce = announce;
		this.timer = setTimeout(() => this.release(), 2 * formerMs + longerMs).unref();
	}

	/** Takes a piece of the second process's standard error. */
	onStderr(text: string): void {
		if (this.held === undefined) {
			if (!this.isDropped) this.handlers.onStderr(text);
			return;
		}
		this.held.push(text);
		this.heldLength += text.length;
		if (this.heldLength > maxHeld) this.release();
	}

	/** Reports the second process and all its output; later output is reported immediately. */
	release(): void {
		const { held } = this;
		clearTimeout(this.timer);
		this.held = undefined;
		if (held === undefined) return;
		this.announce();
		for (const text of held) this.handlers.onStderr(text);
	}

	/** Forgets the second process. */
	drop(): void {
		clearTimeout(this.timer);
		this.isDropped = true;
		this.held = undefined;
	}
}
