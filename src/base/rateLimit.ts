/** How often something may happen: in a burst, and on average. */
export interface Rate {
	readonly burst: number;
	readonly perSecond: number;
}

/** Limits how often something happens, as a bucket of tokens that fills up with time. */
export class RateLimit {
	private readonly rate: Rate;
	private readonly now: () => number;
	private left: number;
	private at: number;

	/** `now` is a clock in milliseconds. */
	constructor(rate: Rate, now: () => number = () => performance.now()) {
		this.rate = rate;
		this.now = now;
		this.left = rate.burst;
		this.at = now();
	}

	/** Whether none is left for now. */
	get isSpent(): boolean {
		const now = this.now();
		const { burst, perSecond } = this.rate;
		this.left = Math.min(burst, this.left + ((now - this.at) * perSecond) / 1000);
		this.at = now;
		return this.left < 1;
	}

	/** Takes one; false when none is left for now. */
	take(): boolean {
		if (this.isSpent) return false;
		this.left -= 1;
		return true;
	}
}
