/**
 * For how long after a list changed a choice may still be meant for the list before, in milliseconds: a hand that moves is not
 * held back sooner by what the eye sees, and who looks first takes longer.
 */
const doubtMs = 250;

interface Shown {
	readonly identities: readonly unknown[];
	/** When another list took its place, in milliseconds since the epoch; infinite for the one that is shown. */
	until: number;
}

/**
 * Remembers which rows a list has shown lately, by their places. The editor names the row that a person clicked by its place
 * alone: where the rows have just moved, that may be another row than the one they saw, such as another tool to run or another
 * grant to revoke.
 */
export class RecentRows {
	private readonly now: () => number;
	/** The one that is shown last. */
	private lists: readonly Shown[] = [];

	/** `now` gives milliseconds. */
	constructor(now: () => number = Date.now) {
		this.now = now;
	}

	/** The list shows these rows from now on: what tells each from all others, headings included. */
	show(identities: readonly unknown[]): void {
		const now = this.now();
		const before = this.lists.filter(({ until }) => until > now - doubtMs);
		for (const list of before) list.until = Math.min(list.until, now);
		this.lists = [...before, { identities, until: Number.POSITIVE_INFINITY }];
	}

	/** The next rows are what the person asks for, such as by typing: what they choose is meant for those. */
	ask(): void {
		this.lists = [];
	}

	/** Whether a choice of the row at this place (from 0) means the row that stands there now. */
	isCertain(place: number): boolean {
		const meant = this.lists.at(-1)?.identities[place];
		const since = this.now() - doubtMs;
		return meant !== undefined && this.lists.every((list) => list.until <= since || list.identities[place] === meant);
	}
}
