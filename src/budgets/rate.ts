const minuteMs = 60_000;

/** Counts what each of several askers did within the last minute, whenever that minute began. */
export class Rate {
	private readonly times = new Map<string, readonly number[]>();
	private readonly now: () => number;

	/** `now` tells the time in milliseconds since the epoch. */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Notes one more, now. */
	note(asker: string): void {
		this.times.set(asker, [...this.recent(asker), this.now()]);
	}

	/** How many there were within the last minute. */
	count(asker: string): number {
		return this.recent(asker).length;
	}

	/** In how many milliseconds there is room for another, where at most `most` are allowed in a minute. */
	waitMs(asker: string, most: number): number {
		const recent = this.recent(asker);
		if (recent.length < most) return 0;
		const freeing = recent.at(recent.length - Math.max(1, most));
		return freeing === undefined ? minuteMs : Math.max(0, freeing + minuteMs - this.now());
	}

	private recent(asker: string): readonly number[] {
		const now = this.now();
		// What lies ahead was noted before the clock was set back.
		const recent = (this.times.get(asker) ?? []).filter((time) => time > now - minuteMs && time <= now);
		if (recent.length === 0) this.times.delete(asker);
		else this.times.set(asker, recent);
		return recent;
	}
}
