/** How many consecutive refusals are tolerated. */
const freely = 3;
/** How long the first question after them is held back, and the longest that any is, in milliseconds. */
const firstHoldMs = 1000;
const longestHoldMs = 60_000;
/** After how long a pause a server's count restarts, in milliseconds. */
const forgottenMs = 5 * 60_000;
/** How long "for now" is, in milliseconds. */
const muteMs = 10 * 60_000;

interface Record {
	refusals: number;
	lastAt: number;
	mutedUntil: number;
}

/**
 * Slows servers that ask the same user repeatedly without an answer (ELC-05, SMP-13): their questions are held back for
 * longer and longer, and the user may refuse all of them for a while. An answer ends both. A server is identified by
 * any unique text.
 */
export class Repetition {
	private readonly records = new Map<string, Record>();
	private readonly now: () => number;

	/** `now` returns the time in milliseconds. */
	constructor(now: () => number = Date.now) {
		this.now = now;
	}

	/** The servers of which all is refused now, and until when, in milliseconds since the epoch. */
	get muted(): ReadonlyMap<string, number> {
		this.forget();
		return new Map(
			[...this.records].flatMap(([server, { mutedUntil }]) => (mutedUntil === 0 ? [] : [[server, mutedUntil]])),
		);
	}

	/** Notes how a question of a server ended: with or without an answer. */
	note(server: string, isRefusal: boolean): void {
		if (!isRefusal) {
			this.records.delete(server);
			return;
		}
		const record = this.recordOf(server);
		record.refusals++;
		record.lastAt = this.now();
	}

	/** How long the next question of a server waits before it is shown to the user automatically, in milliseconds. */
	holdMs(server: string): number {
		const { refusals } = this.recordOf(server);
		return refusals < freely ? 0 : Math.min(firstHoldMs * 2 ** (refusals - freely), longestHoldMs);
	}

	/** Whether the user is offered to have all that a server asks declined. */
	isRepeated(server: string): boolean {
		return this.recordOf(server).refusals > 1;
	}

	/** Has all that a server asks refused for ten minutes. */
	mute(server: string): void {
		this.recordOf(server).mutedUntil = this.now() + muteMs;
	}

	/** Lets a server ask again, as if it had never asked without an answer. */
	unmute(server: string): void {
		this.records.delete(server);
	}

	isMuted(server: string): boolean {
		return this.recordOf(server).mutedUntil > this.now();
	}

	private recordOf(server: string): Record {
		this.forget();
		const known = this.records.get(server);
		if (known !== undefined) return known;
		const fresh = { refusals: 0, lastAt: this.now(), mutedUntil: 0 };
		this.records.set(server, fresh);
		return fresh;
	}

	/** Drops what is over, so that servers that are gone leave nothing behind. */
	private forget(): void {
		const now = this.now();
		for (const [server, record] of this.records) {
			if (record.mutedUntil <= now) {
				record.mutedUntil = 0;
				if (record.lastAt <= now - forgottenMs) this.records.delete(server);
			}
		}
	}
}
