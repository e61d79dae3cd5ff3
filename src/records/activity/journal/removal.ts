import type { Chain, ChainLine } from "./chain.ts";
import type { RemovedRange } from "./entry.ts";
import type { Seal } from "./seal.ts";

/** What was removed of each window's chain, by its window. */
export type Removed = ReadonlyMap<string, readonly RemovedRange[]>;

/** How much of the past is kept. */
export interface ActivityBounds {
	readonly days: number;
	/** Of all files together. */
	readonly bytes: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** To how much the files are cut when they are too large: not every entry has to remove another one. */
const share = 0.8;

/** What the chains' own records say was removed, as far as these are proven. */
export function removedOf(chains: readonly Chain[], seal: Seal): Removed {
	const all = new Map<string, Map<string, RemovedRange>>();
	for (const chain of chains) {
		for (const { entry } of chain.lines) {
			if (entry.kind !== "journal" || entry.event !== "removed") continue;
			if (!seal.holds(chain.window, entry.ranges, entry.proof)) continue;
			for (const [window, ranges] of Object.entries(entry.ranges)) {
				const known = all.get(window) ?? new Map<string, RemovedRange>();
				all.set(window, known);
				for (const range of ranges) known.set(`${range.from}-${range.to}-${range.hash}`, range);
			}
		}
	}
	return new Map([...all].map(([window, ranges]) => [window, [...ranges.values()]]));
}

/** Whether a number of a chain was removed. */
export function isRemoved(ranges: readonly RemovedRange[] | undefined, n: number): boolean {
	return (ranges ?? []).some(({ from, to }) => n >= from && n <= to);
}

/** Lines as ranges of each chain. */
export function rangesOf(chains: readonly Chain[], isChosen: (line: ChainLine, window: string) => boolean): Removed {
	const found = new Map<string, readonly RemovedRange[]>();
	for (const { window, lines } of chains) {
		const ranges: RemovedRange[] = [];
		for (const line of lines) {
			if (!isChosen(line, window)) continue;
			const { n, hash } = line;
			const before = ranges.at(-1);
			if (before?.to === n - 1) ranges[ranges.length - 1] = { from: before.from, to: n, hash };
			else ranges.push({ from: n, to: n, hash });
		}
		if (ranges.length > 0) found.set(window, ranges);
	}
	return found;
}

/** What is too old, or too much, within the bounds; empty when nothing is. Of what is too much, the oldest that nobody decided. */
export function surplusOf(
	chains: readonly { readonly chain: Chain; readonly size: number }[],
	removed: Removed,
	{ days, bytes }: ActivityBounds,
	now: number,
): Removed {
	const left = chains
		.flatMap(({ chain }) => chain.lines.map((line) => ({ line, window: chain.window })))
		.filter(({ line, window }) => !isRemoved(removed.get(window), line.n))
		.toSorted((a, b) => a.line.at - b.line.at);
	const since = now - days * dayMs;
	const old = new Set(left.filter(({ line }) => line.at < since).map(({ line }) => line));
	const kept = left.filter(({ line }) => !old.has(line));
	let size = kept.reduce((sum, { line }) => sum + sizeOf(line), 0);
	if (size > bytes) {
		// However much servers have noted, what the user decided goes last.
		for (const { line } of kept.toSorted((a, b) => Number(isDecision(a.line)) - Number(isDecision(b.line)))) {
			if (size <= bytes * share) break;
			size -= sizeOf(line);
			old.add(line);
		}
	}
	return rangesOf(
		chains.map(({ chain }) => chain),
		(line) => old.has(line),
	);
}

/** Whether an entry says what the user decided, as far as no server can have many of them noted. */
function isDecision({ entry }: ChainLine): boolean {
	if (entry.kind === "permission" || entry.kind === "configuration" || entry.kind === "account") return true;
	return (entry.kind === "call" || entry.kind === "sampling" || entry.kind === "question") && entry.by === "person";
}

function sizeOf({ text }: ChainLine): number {
	return text.length + 1;
}
