import { type Rate, RateLimit } from "../../base/rateLimit.ts";

/** The maximum that a user can still use in a log. */
const readable: Rate = { burst: 100, perSecond: 50 };
/** How long lines are held back before their number is reported, in milliseconds. */
const reportAfterMs = 1000;

/**
 * Lets lines into a log at a bounded rate, so that a flood neither fills it nor slows VS Code (TRN-26, TRN-27). Dropped
 * lines are reported as a number.
 */
export class LineBudget {
	private readonly onSuppressed: (count: number) => void;
	private readonly limit: RateLimit;
	private suppressed = 0;
	private timer: NodeJS.Timeout | undefined;

	/** `onSuppressed` gets how many lines were held back since it was last called, at most once per second. */
	constructor(onSuppressed: (count: number) => void, rate: Rate = readable) {
		this.onSuppressed = onSuppressed;
		this.limit = new RateLimit(rate);
	}

	/** Whether no line may pass now. */
	get isSpent(): boolean {
		return this.limit.isSpent;
	}

	/** Whether one more line may pass now. */
	take(): boolean {
		if (this.limit.take()) return true;
		this.suppress(1);
		return false;
	}

	/** Counts lines that were held back without being asked for. */
	suppress(count: number): void {
		this.suppressed += count;
		// A line for a log that nobody reads any more must not keep the process alive.
		this.timer ??= setTimeout(() => this.report(), reportAfterMs).unref();
	}

	/** Reports the pending number now. */
	flush(): void {
		clearTimeout(this.timer);
		this.report();
	}

	private report(): void {
		this.timer = undefined;
		const count = this.suppressed;
		this.suppressed = 0;
		if (count > 0) this.onSuppressed(count);
	}
}
