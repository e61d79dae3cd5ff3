/**
 * The text of an answer as it arrives, joined from the host's messages. For a long answer these are its end, which
 * moves on while a reader may have scrolled back.
 */
export class StreamText {
	private whole = "";
	private last = "";

	/** All that has been seen of the answer. */
	get text(): string {
		return this.whole;
	}

	/** Takes the answer so far, or the end of it. Text between two ends that do not touch is unknown. */
	take(next: string): void {
		const at = this.last === "" ? -1 : beginningIn(this.last, next);
		this.whole = at < 0 ? next : this.whole + next.slice(this.last.length - at);
		this.last = next;
	}
}

/** The minimum common part of two ends, and in how many places it is looked for: a text may repeat itself. */
const leastShared = 40;
const mostTries = 500;

/** Where a text begins within the one before it, up to the end of that one; less than 0 when it does not. */
function beginningIn(last: string, next: string): number {
	const probe = next.slice(0, Math.min(leastShared, last.length));
	let at = last.indexOf(probe);
	for (let tries = 0; at >= 0 && tries < mostTries; tries++) {
		if (next.startsWith(last.slice(at))) return at;
		at = last.indexOf(probe, at + 1);
	}
	return -1;
}
