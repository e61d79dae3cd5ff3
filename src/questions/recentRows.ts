/**
 * For how long after a list changed on the screen a choice may refer to the former list, in milliseconds: a hand that
 * moves reacts no faster to the eye, and a user who looks first takes longer.
 */
const doubtMs = 250;

/**
 * After how long a list counts as shown without a report by VS Code, in milliseconds: rows must not stay unselectable.
 */
const longestMs = 3000;

interface Shown {
	identities: readonly unknown[];
	/** When VS Code received it, in milliseconds since the epoch. */
	readonly given: number;
	/** Whether it is on its way to VS Code: a later list replaces it until then. */
	isSent: boolean;
	/** When VS Code reported that it shows this list. */
	confirmed: number | undefined;
}

/**
 * Remembers which rows a list has shown recently, by their places. VS Code identifies a clicked row by its place alone:
 * if the rows have just moved, that may be another row than the user saw, such as another tool to run or another grant
 * to revoke. In a remote window, or on a busy machine, a list reaches the screen long after it was set. VS Code reports
 * the active row whenever it has drawn a list, and an earlier choice refers to the previous list.
 */
export class RecentRows {
	private readonly now: () => number;
	private readonly defer: (run: () => void) => void;
	/** The latest list at the end; before it those that the user may have seen a moment ago. */
	private lists: readonly Shown[] = [];

	/** `now` returns milliseconds; `defer` runs a function after VS Code received the current list. */
	constructor(now: () => number = Date.now, defer: (run: () => void) => void = (run) => void setTimeout(run)) {
		this.now = now;
		this.defer = defer;
	}

	/** The list shows these rows from now on: unique keys, headings included. */
	show(identities: readonly unknown[]): void {
		const latest = this.lists.at(-1);
		if (latest?.isSent === false) {
			latest.identities = identities;
			return;
		}
		const list: Shown = { identities, given: this.now(), isSent: false, confirmed: undefined };
		this.lists = [...this.lists.filter((_, index) => this.isRecent(index)), list];
		this.defer(() => (list.isSent = true));
	}

	/** VS Code reported the active row, as it does when it has drawn a list. */
	confirm(): void {
		const now = this.now();
		const drawn = this.lists.findIndex((list) => isAwaited(list) && list.identities.length > 0);
		for (const list of this.lists.slice(0, drawn + 1)) if (isAwaited(list)) list.confirmed = now;
	}

	/** The next rows are requested by the user, such as by typing: their choice refers to those. */
	ask(): void {
		this.lists = [];
	}

	/** Whether a choice of the row at this place (from 0) refers to the row that is there now. */
	isCertain(place: number): boolean {
		const meant = this.lists.at(-1)?.identities[place];
		return (
			meant !== undefined &&
			this.lists.every((list, index) => !this.isRecent(index) || list.identities[place] === meant)
		);
	}

	/** Whether a user may still choose from a list: until a moment after the next one was drawn. */
	private isRecent(index: number): boolean {
		const next = this.lists[index + 1];
		return next === undefined || this.now() < (next.confirmed ?? next.given + longestMs) + doubtMs;
	}
}

function isAwaited({ isSent, confirmed }: Shown): boolean {
	return isSent && confirmed === undefined;
}
