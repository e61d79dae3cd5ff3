/** The pauses between messages of progress in the chat, in milliseconds: each twice as long as the one before. */
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * Tells which messages of progress deserve a line: in a response they stand below each other and stay there, so that a
 * long call must not fill it. The status bar shows the others.
 */
export class ProgressPace {
	private due = 0;
	private pauseMs = firstPauseMs;

	/** Whether a message at this time, in milliseconds, is to be shown; it counts as shown then. */
	take(now: number): boolean {
		if (now < this.due) return false;
		this.due = now + this.pauseMs;
		this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
		return true;
	}

	/** Something else was shown: the next message is due at once. */
	reset(): void {
		this.due = 0;
		this.pauseMs = firstPauseMs;
	}
}
