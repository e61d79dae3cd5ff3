import { HostError } from "./errors.ts";

/** The maximum time of a timer in Node; a longer one would fire immediately. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Ends a request that neither answers nor makes progress. The time in which a user is asked something by the same
 * server does not count: a tool that waits for a review must not time out meanwhile.
 */
export class RequestTimer {
	private readonly idleMs: number;
	private readonly maxMs: number;
	private readonly label: string;
	private readonly onTimeout: (error: HostError) => void;
	private readonly startedAt = performance.now();
	private pausedMs = 0;
	private pausedAt: number | undefined;
	private pauses = 0;
	private timer: NodeJS.Timeout | undefined;

	/**
	 * `idleMs`: without answer or progress; `maxMs`: in total, with or without progress (specification, "Timeouts").
	 * `onTimeout` receives a HostError `timeout` that names the request, once.
	 */
	constructor(label: string, idleMs: number, maxMs: number, onTimeout: (error: HostError) => void) {
		this.label = label;
		this.onTimeout = onTimeout;
		this.idleMs = Math.min(idleMs, longestTimerMs);
		this.maxMs = Math.min(maxMs, longestTimerMs);
		this.arm();
	}

	/** Notes progress: the idle time restarts, the maximum does not. */
	touch(): void {
		if (this.pauses === 0) this.arm();
	}

	/** Stops the clock; every pause needs its resume. */
	pause(): void {
		if (this.pauses++ > 0) return;
		this.pausedAt = performance.now();
		clearTimeout(this.timer);
	}

	resume(): void {
		if (--this.pauses > 0 || this.pausedAt === undefined) return;
		this.pausedMs += performance.now() - this.pausedAt;
		this.pausedAt = undefined;
		this.arm();
	}

	dispose(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		this.pauses = Number.POSITIVE_INFINITY;
	}

	private arm(): void {
		clearTimeout(this.timer);
		const left = this.maxMs - (performance.now() - this.startedAt - this.pausedMs);
		const isLast = left <= this.idleMs;
		this.timer = setTimeout(
			() => {
				const seconds = Math.round((isLast ? this.maxMs : this.idleMs) / 1000);
				const what = isLast ? `did not end within ${seconds} s` : `gave no answer and no progress for ${seconds} s`;
				this.onTimeout(new HostError("timeout", `${this.label} ${what}.`));
			},
			Math.max(0, Math.min(this.idleMs, left)),
		);
	}
}
