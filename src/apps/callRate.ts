/** How many calls an app may make, at once and in the long run. */
export interface CallRate {
	readonly burst: number;
	readonly perMinute: number;
}

/** An app that shows a machine's load asks twice a second; one that asks for more is slowed down. */
const usualRate: CallRate = { burst: 60, perMinute: 180 };

/** Counts the calls of an app, which nobody but this would slow down where they are granted. */
export class RateLimit {
	private readonly rate: CallRate;
	private readonly now: () => number;
	private left: number;
	private at: number;

	/** `now` is a clock in milliseconds. */
	constructor(now: () => number = () => performance.now(), rate: CallRate = usualRate) {
		this.rate = rate;
		this.now = now;
		this.left = rate.burst;
		this.at = now();
	}

	/** Takes one call; false when there is none left for now. */
	take(): boolean {
		const now = this.now();
		const { burst, perMinute } = this.rate;
		this.left = Math.min(burst, this.left + ((now - this.at) * perMinute) / 60_000);
		this.at = now;
		if (this.left < 1) return false;
		this.left -= 1;
		return true;
	}
}
