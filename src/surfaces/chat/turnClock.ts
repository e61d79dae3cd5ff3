import { toDisposable, type Disposable as Pause } from "../../base/lifecycle.ts";

/** The time that a turn takes, without that in which the user is waited for. */
export class TurnClock implements Disposable {
	/** Aborted when the time is up. */
	readonly signal: AbortSignal;
	private readonly controller = new AbortController();
	private leftMs: number;
	private startedAt = 0;
	private timer: NodeJS.Timeout | undefined;
	private pauses = 0;

	/** Starts immediately. */
	constructor(limitMs: number) {
		this.signal = this.controller.signal;
		this.leftMs = limitMs;
		this.start();
	}

	/** Pauses until the result is disposed, and while any other pause lasts. */
	pause(): Pause {
		if (this.pauses++ === 0) this.stop();
		return toDisposable(() => {
			if (--this.pauses === 0) this.start();
		});
	}

	/** The turn is over. */
	[Symbol.dispose](): void {
		this.pauses++;
		this.stop();
	}

	private start(): void {
		this.startedAt = performance.now();
		// Longer than a timer can be set is as good as for ever.
		if (this.leftMs < 2 ** 31) this.timer = setTimeout(() => this.controller.abort(), Math.max(0, this.leftMs));
	}

	private stop(): void {
		clearTimeout(this.timer);
		this.leftMs -= performance.now() - this.startedAt;
	}
}
