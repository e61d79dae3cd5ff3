/** Waiting times between an end and the next start: twice the former one, within these bounds, in milliseconds. */
const firstDelayMs = 1000;
const longestDelayMs = 60_000;
/** So many ends within this time are a loop (PRC-05). */
const crashLimit = 5;
const crashWindowMs = 120_000;
/** A run that lasted this long was successful; earlier failures do not count. */
const soundRunMs = 60_000;

/**
 * When a server that ended unexpectedly is restarted: after 1, 2, 4 … 60 s, and no more after five ends within two
 * minutes (specification, "stdio"; PRC-05). Times are in milliseconds of a monotonic clock.
 */
export class Restarts {
	private ends: number[] = [];
	private delayMs = firstDelayMs;
	private timer: NodeJS.Timeout | undefined;

	/** Forgets the earlier ends and the pending restart, because a user started or stopped the server. */
	reset(): void {
		clearTimeout(this.timer);
		this.forget();
	}

	/** Notes an end as `next` does, and calls `start` at the end of the wait. Returns the wait, or undefined. */
	schedule(start: () => void, ranMs: number, isRemote: boolean): number | undefined {
		const delay = this.next(performance.now(), ranMs, isRemote);
		clearTimeout(this.timer);
		if (delay !== undefined) this.timer = setTimeout(start, delay).unref();
		return delay;
	}

	/**
	 * Notes that a run ended or could not start; returns how long to wait before the next, or undefined when the server
	 * stays down. `ranMs`: how long it had run. `isRemote`: it is not our process that fails, and asking again costs little;
	 * it is asked for ever, each time a little later than the clock says, so that a team does not ask in step.
	 */
	next(now: number, ranMs: number, isRemote: boolean): number | undefined {
		if (ranMs >= soundRunMs) this.forget();
		this.ends = [...this.ends.filter((end) => now - end < crashWindowMs), now];
		if (!isRemote && this.ends.length >= crashLimit) return undefined;
		const delay = this.delayMs;
		this.delayMs = Math.min(this.delayMs * 2, longestDelayMs);
		return isRemote ? delay * (1 + Math.random() / 4) : delay;
	}

	private forget(): void {
		this.ends = [];
		this.delayMs = firstDelayMs;
	}
}

/** The message to the user about a server that was given up. */
export const givenUp = `It stopped ${crashLimit} times within ${crashWindowMs / 60_000} minutes and is not restarted automatically. Start it to try again.`;
