import { type Line, outranks } from "../../base/store/line.ts";
import { type EntryLine, readEntry } from "./entryLines.ts";
import type { RecordedEnd, SamplingEntry } from "./samplingRecord.ts";

/** How much of the past is kept. The oldest entries go first. */
export interface RecordBounds {
	readonly entries: number;
	readonly bytes: number;
	readonly days: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Whether one line of an entry takes precedence over another: the one that knows more of it. Neither the order of the
 * lines nor repetitions make a difference, so that windows can end each other's entries without waiting for each other.
 */
export function entryOrder(one: Line, other: Line): boolean {
	const [mine, theirs] = [readEntry(one), readEntry(other)];
	if (mine === undefined || theirs === undefined)
		return theirs === undefined && (mine !== undefined || outranks(one, other));
	if (knowsMore(mine.entry, theirs.entry)) return true;
	return !knowsMore(theirs.entry, mine.entry) && outranks(one, other);
}

function knowsMore(one: SamplingEntry, other: SamplingEntry): boolean {
	const difference = certainty(one) - certainty(other);
	if (difference !== 0) return difference > 0;
	if (one.attempts.length !== other.attempts.length) return one.attempts.length > other.attempts.length;
	return (one.end?.at ?? 0) < (other.end?.at ?? 0);
}

/** The report of a review's own window is more certain than another window's assumption. */
function certainty({ end }: SamplingEntry): number {
	if (end === undefined) return 0;
	return end.kind === "interrupted" ? 1 : 2;
}

/** The lines that are kept, newest first. Open entries stay, regardless of the bounds. */
export function withinBounds(
	lines: readonly EntryLine[],
	{ entries, bytes, days }: RecordBounds,
	now: number,
): readonly EntryLine[] {
	const since = now - days * dayMs;
	let count = 0;
	let size = 0;
	let isFull = false;
	return newestFirst(lines).filter(({ entry, bytes: own }) => {
		if (entry.end === undefined) return true;
		isFull ||= count + 1 > entries || size + own > bytes;
		if (isFull || entry.at < since) return false;
		count++;
		size += own;
		return true;
	});
}

/** The newest first; those of the same moment always in the same order. */
function newestFirst(lines: readonly EntryLine[]): readonly EntryLine[] {
	return lines.toSorted(({ entry: one }, { entry: other }) =>
		one.at === other.at ? (one.id < other.id ? 1 : -1) : other.at - one.at,
	);
}

/** How an entry ends whose window is gone. */
export function interruption(at: number): RecordedEnd {
	return { at, kind: "interrupted", by: "MCP Host", reason: "The window was closed or reloaded during the review." };
}
