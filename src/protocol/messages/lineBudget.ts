import { type Rate, RateLimit } from "../../base/rateLimit.ts";

/** What a user can still make use of in a log. */
const readable: Rate = { burst: 100, perSecond: 50 };
/** How long lines are held back before their number is told, in milliseconds. */
const reportAfterMs = 1000;

/**
 * Lets lines into a log at a bounded rate, so that a flood neither fills it nor slows the editor (TRN-26,
 * TRN-27). What is held back is told as a number.
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
		// A line about a log that nobody reads any more is no reason to keep the process.
		this.timer ??= setTimeout(() => this.report(), reportAfterMs).unref();
	}

	/** Tells now what is still to be told. */
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
