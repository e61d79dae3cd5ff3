import { HostError, messageOf, StoppedHere } from "../../base/errors.ts";
import { Emitter } from "../../base/event.ts";
import { oneLine } from "../../base/text.ts";
import type { RequestControl } from "../../protocol/connection.ts";
import { ServerGone } from "../../protocol/followedTask.ts";
import type { RequestLog } from "./requestLog.ts";
import { RequestTimer } from "../../base/requestTimer.ts";
import type { CallOptions } from "./session.ts";
import type { FollowedCall, ServerTap } from "../../protocol/wireTap.ts";

/** How long a call may take, in milliseconds; read at each call. */
export interface CallTimeouts {
	/** Without an answer or progress. */
	readonly requestMs: number;
	/** In total. */
	readonly maxRequestMs: number;
}

/** The facts about a request beforehand. */
export interface RequestKind {
	/** The host makes it for itself; it is not shown as an action of the user. */
	readonly isBackground?: boolean;
	/** It may change something at the server, so that an end of the connection leaves open whether it did. */
	readonly mayHaveEffect?: boolean;
}

/** The clock of one request: its limits, and how its time is spent. */
interface Clocks {
	readonly timer: RequestTimer;
	readonly call: FollowedCall | undefined;
}

function pause({ timer, call }: Clocks): void {
	timer.pause();
	call?.asked();
}

function resume({ timer, call }: Clocks): void {
	timer.resume();
	call?.answered();
}

/** The running calls of one run of a server: their clocks, their names, their cancellation and errors. */
export class SessionCalls {
	private readonly server: string;
	private readonly requestLog: RequestLog;
	private readonly timeouts: CallTimeouts;
	private readonly tap: ServerTap | undefined;
	/** Those that a user, a model or an app started; reading lists is not among them. */
	private readonly running = new Map<RequestTimer, string>();
	/** Those of them that an app of the server started, or that nobody asked for just now. */
	private readonly unasked = new WeakSet<RequestTimer>();
	/**
	 * How each running request is aborted, and its clock. One signal per request: joined signals cost more than the
	 * request.
	 */
	private readonly open = new Map<AbortController, Clocks>();
	/** The clocks that each open question to a user has stopped. */
	private readonly questions = new Set<Set<Clocks>>();
	/** A call ended; the value says so if it was stopped here. */
	private readonly ended = new Emitter<StoppedHere | undefined>();

	/** `requestLog` is the account that every call is entered in; `tap` follows them on the wire. */
	constructor(server: string, requestLog: RequestLog, timeouts: CallTimeouts, tap?: ServerTap) {
		this.tap = tap;
		this.server = server;
		this.requestLog = requestLog;
		this.timeouts = timeouts;
	}

	/** The running call, in words such as `tools/call bookHotel`; undefined when there is none. */
	get during(): string | undefined {
		return this.running.size === 0 ? undefined : [...new Set(this.running.values())].join(", ");
	}

	/** Whether a call of the user or of their model is among them. */
	get isForUser(): boolean {
		return [...this.running.keys()].some((timer) => !this.unasked.has(timer));
	}

	/** The same, each call by an object that is its own for as long as it runs. */
	get underWay(): readonly object[] {
		return [...this.running.keys()];
	}

	/**
	 * Asks a user something on behalf of the server. Meanwhile the clocks of all requests to it are paused, including
	 * later ones: the server may not handle them before it has the answer. The question's signal is aborted when every
	 * call in which it was asked has ended: nobody waits for the answer then.
	 */
	async pausedWhile<T>(question: (orphaned: AbortSignal) => Promise<T>): Promise<T> {
		const calls = [...this.running.keys()];
		const clocks = new Set(this.open.values());
		const orphaned = new AbortController();
		const subscription = this.ended.event((stopped) => {
			if (calls.length === 0 || calls.some((timer) => this.running.has(timer))) return;
			orphaned.abort(stopped ?? new HostError("cancelled", "The call that this request belongs to has ended."));
		});
		this.questions.add(clocks);
		for (const clock of clocks) pause(clock);
		try {
			return await question(orphaned.signal);
		} finally {
			subscription.dispose();
			this.questions.delete(clocks);
			for (const clock of clocks) resume(clock);
		}
	}

	/** Ends every running request, because the server disconnected. */
	endAll(reason: HostError): void {
		for (const controller of this.open.keys()) controller.abort(new ServerGone(reason));
	}

	/**
	 * Carries one request and enters it in the log of requests.
	 * @throws HostError as `Session` promises.
	 */
	async run<T>(
		label: string,
		{ signal, onProgress, asker = "user", client, isUnasked = false, onFollowed, onTask }: CallOptions,
		send: (control: RequestControl) => Promise<T>,
		{ isBackground = false, mayHaveEffect = false }: RequestKind = {},
	): Promise<T> {
		const controller = new AbortController();
		const { requestMs, maxRequestMs } = this.timeouts;
		const timer = new RequestTimer(`${this.server}: ${label}`, requestMs, maxRequestMs, (error) =>
			controller.abort(error),
		);
		const entry = this.requestLog.begin(label, isBackground);
		if (!isBackground) this.running.set(timer, label);
		if (asker === "app" || isUnasked) this.unasked.add(timer);
		const call = this.tap?.begin(label, isBackground ? "host" : asker, client);
		if (call !== undefined) onFollowed?.(call);
		const clocks: Clocks = { timer, call };
		this.open.set(controller, clocks);
		for (const stopped of this.questions) {
			pause(clocks);
			stopped.add(clocks);
		}
		const onAbort = (): void => controller.abort(new StoppedHere(`${label} was cancelled.`));
		if (signal?.aborted === true) onAbort();
		signal?.addEventListener("abort", onAbort, { once: true });
		const isSent = !controller.signal.aborted;
		try {
			const control: RequestControl = {
				signal: controller.signal,
				call,
				...(onTask === undefined ? {} : { onTask }),
				onProgress({ progress, total, message }) {
					timer.touch();
					const reported = {
						progress,
						...(total === undefined ? {} : { total }),
						...(message === undefined ? {} : { message: oneLine(message) }),
					};
					entry.note(reported);
					onProgress?.(reported);
				},
			};
			const result = await send(control);
			entry.end();
			call?.end();
			return result;
		} catch (error) {
			const failure = this.failureOf(label, error, mayHaveEffect && isSent);
			if (call !== undefined) failure.exchange = call.exchange;
			entry.end(failure);
			call?.end(failure);
			throw failure;
		} finally {
			signal?.removeEventListener("abort", onAbort);
			timer.dispose();
			this.open.delete(controller);
			for (const stopped of this.questions) stopped.delete(clocks);
			const { reason } = controller.signal as { readonly reason: unknown };
			if (this.running.delete(timer)) this.ended.fire(reason instanceof StoppedHere ? reason : undefined);
		}
	}

	private failureOf(label: string, thrown: unknown, mayHaveEffect: boolean): HostError {
		const isGone = thrown instanceof ServerGone;
		const error = isGone ? thrown.reason : thrown;
		// Those two name the call already; the others only name the event.
		if (HostError.is(error, "timeout") || HostError.is(error, "cancelled")) return error;
		const code = HostError.is(error) ? error.code : "protocol";
		if (!isGone || !mayHaveEffect) return new HostError(code, `${this.server}: ${messageOf(error)}`, { cause: error });
		return new HostError(
			"outcome-unknown",
			`${this.server}: ${messageOf(error)} ${label} may have taken effect. Check before you repeat it.`,
			{ cause: error },
		);
	}
}
