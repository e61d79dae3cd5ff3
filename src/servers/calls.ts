import { HostError, messageOf } from "../base/errors.ts";
import { Emitter } from "../base/event.ts";
import { oneLine } from "../base/text.ts";
import type { RequestControl } from "./connection.ts";
import { RequestTimer } from "./requestTimer.ts";
import type { CallOptions } from "./session.ts";

/** How long a call may take, in milliseconds; read at each call. */
export interface CallTimeouts {
	/** Without an answer or progress. */
	readonly requestMs: number;
	/** In all. */
	readonly maxRequestMs: number;
}

/** The calls to one server that are under way: their clocks, their names, their cancellation and their errors. */
export class Calls {
	private readonly server: string;
	private readonly timeouts: CallTimeouts;
	/** Those that a person or a model started; reading lists is not among them. */
	private readonly running = new Map<RequestTimer, string>();
	private readonly ended = new Emitter<void>();

	constructor(server: string, timeouts: CallTimeouts) {
		this.server = server;
		this.timeouts = timeouts;
	}

	/** What is under way, in words such as `tools/call bookHotel`; undefined when nothing is. */
	get during(): string | undefined {
		return this.running.size === 0 ? undefined : [...new Set(this.running.values())].join(", ");
	}

	/**
	 * Asks a person something on behalf of the server; meanwhile the clocks of the calls to it stand still (spec.md P1).
	 * The question's signal is aborted when every call in which it came up has ended: nobody waits for the answer then.
	 */
	async pausedWhile<T>(question: (orphaned: AbortSignal) => Promise<T>): Promise<T> {
		const paused = [...this.running.keys()];
		const orphaned = new AbortController();
		const subscription = this.ended.event(() => {
			if (paused.length === 0 || paused.some((timer) => this.running.has(timer))) return;
			orphaned.abort(new HostError("cancelled", "The call in which this was asked has ended."));
		});
		for (const timer of paused) timer.pause();
		try {
			return await question(orphaned.signal);
		} finally {
			subscription.dispose();
			for (const timer of paused) timer.resume();
		}
	}

	/**
	 * Carries one request. `ended` is aborted when the server goes away; `isBackground`: not named to people as what they do.
	 * @throws HostError as `Session` promises.
	 */
	async run<T>(
		label: string,
		{ signal, onProgress }: CallOptions,
		ended: AbortSignal,
		send: (control: RequestControl) => Promise<T>,
		isBackground = false,
	): Promise<T> {
		const timer = new RequestTimer(`${this.server}: ${label}`, this.timeouts.requestMs, this.timeouts.maxRequestMs);
		if (!isBackground) this.running.set(timer, label);
		const cancelled = new AbortController();
		const onAbort = (): void => cancelled.abort(new HostError("cancelled", `${label} was cancelled.`));
		if (signal?.aborted === true) onAbort();
		signal?.addEventListener("abort", onAbort, { once: true });
		try {
			return await send({
				signal: AbortSignal.any([timer.signal, ended, cancelled.signal]),
				onProgress({ progress, total, message }) {
					timer.touch();
					onProgress?.({
						progress,
						...(total === undefined ? {} : { total }),
						...(message === undefined ? {} : { message: oneLine(message) }),
					});
				},
			});
		} catch (error) {
			// Those two name the call already; the others only say what happened.
			if (HostError.is(error, "timeout") || HostError.is(error, "cancelled")) throw error;
			throw new HostError(HostError.is(error) ? error.code : "protocol", `${this.server}: ${messageOf(error)}`, {
				cause: error,
			});
		} finally {
			signal?.removeEventListener("abort", onAbort);
			timer.dispose();
			if (this.running.delete(timer)) this.ended.fire();
		}
	}
}
