/**
 * Counts requests that were not shown to the user. The first one is noted, then the number at each tenfold, so that a flood is
 * a few lines of the activity (JRN-13).
 */
export class UnseenCount {
	private readonly counts = new Map<string, number>();

	/** The text to add to the reason of a request of this kind; undefined if it is only counted. */
	add(kind: string): string | undefined {
		const count = (this.counts.get(kind) ?? 0) + 1;
		this.counts.set(kind, count);
		if (!/^10*$/.test(`${count}`)) return undefined;
		return count === 1 ? "" : `${count.toLocaleString("en-US")} such requests since the window began`;
	}
}
