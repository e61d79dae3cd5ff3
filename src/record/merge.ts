import type { EntryLine } from "./entryLines.ts";
import type { RecordedEnd, SamplingEntry } from "./samplingRecord.ts";

/** How much of the past is kept. The oldest entries go first. */
export interface RecordBounds {
	readonly entries: number;
	readonly bytes: number;
	readonly days: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * One line for each entry: the one that knows most of it. The order of the lines and how often one occurs make no
 * difference, so that windows can take over each other's journals without waiting for each other.
 */
export function mergeLines(lines: Iterable<EntryLine>): readonly EntryLine[] {
	const byId = new Map<string, EntryLine>();
	for (const line of lines) {
		const known = byId.get(line.entry.id);
		if (known === undefined || knowsMore(line.entry, known.entry)) byId.set(line.entry.id, line);
	}
	return [...byId.values()];
}

function knowsMore(one: SamplingEntry, other: SamplingEntry): boolean {
	const difference = certainty(one) - certainty(other);
	if (difference !== 0) return difference > 0;
	if (one.attempts.length !== other.attempts.length) return one.attempts.length > other.attempts.length;
	return (one.end?.at ?? 0) < (other.end?.at ?? 0);
}

/** What the window of a review tells is more certain than what another one took it for. */
function certainty({ end }: SamplingEntry): number {
	if (end === undefined) return 0;
	return end.kind === "interrupted" ? 1 : 2;
}

/** The lines that are kept, newest first. Entries that are open stay whatever the bounds are. */
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
