import { openRequests } from "../interrupted.ts";
import type { Chain, ChainLine } from "./chain.ts";
import type { RemovedRange } from "./entry.ts";
import type { Seal } from "./seal.ts";

/** The removed parts of each window's chain, by its window: in order, without overlaps. */
export type Removed = ReadonlyMap<string, readonly RemovedRange[]>;

/** How much of the past is kept. */
export interface ActivityBounds {
	readonly days: number;
	/** For all files together. */
	readonly bytes: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Below this number of bytes servers are treated as equally large. */
const step = 4096;
/** To which size the files are cut when they are too large: not every entry must remove another one. */
const share = 0.8;

/** The removals in the chains' own records, as far as these are proven. */
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
	return new Map([...all].map(([window, ranges]) => [window, inOrder([...ranges.values()])]));
}

function inOrder(ranges: readonly RemovedRange[]): readonly RemovedRange[] {
	const merged: RemovedRange[] = [];
	for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
		const last = merged.at(-1);
		if (last === undefined || range.from > last.to + 1) merged.push(range);
		else if (range.to > last.to) merged[merged.length - 1] = { ...range, from: last.from };
	}
	return merged;
}

/** Whether a number of a chain was removed. */
export function isRemoved(ranges: readonly RemovedRange[] = [], n: number): boolean {
	let [low, high] = [0, ranges.length - 1];
	while (low <= high) {
		const middle = (low + high) >> 1;
		const range = ranges[middle];
		if (range === undefined) return false;
		if (n < range.from) high = middle - 1;
		else if (n > range.to) low = middle + 1;
		else return true;
	}
	return false;
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
		if (ranges.length > 0) found.set(window, inOrder(ranges));
	}
	return found;
}

/**
 * The entries that are too old, or too many, within the bounds; empty when there are none. Of too many, those without a
 * user's decision are removed first, of the server with the most of them, the oldest first: no server takes room from
 * another one. Open sampling requests stay.
 */
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
	const open = openRequests(left.map(({ line }) => line.entry));
	const isOpen = ({ entry }: ChainLine): boolean => entry.kind === "sampling" && open.has(entry.id);
	const since = now - days * dayMs;
	const old = new Set(left.filter(({ line }) => line.at < since && !isOpen(line)).map(({ line }) => line));
	const kept = left.filter(({ line }) => !old.has(line));
	const lines = kept.map(({ line }) => line);
	if (totalOf(lines) > bytes) {
		// However many entries servers cause, the user's decisions are removed last.
		const decided = lines.filter(isDecision);
		let size = totalOf(lines);
		for (const line of [...inTurn(lines.filter((one) => !isDecision(one))), ...decided]) {
			if (size <= bytes * share) break;
			if (isOpen(line)) continue;
			size -= sizeOf(line);
			old.add(line);
		}
	}
	return rangesOf(
		chains.map(({ chain }) => chain),
		(line) => old.has(line),
	);
}

/** The lines in the order of their removal: first the largest excess over other servers, the oldest of it first. */
function inTurn(lines: readonly ChainLine[]): readonly ChainLine[] {
	const newer = new Map<string, number>();
	const ranked = lines.toReversed().map((line) => {
		const server = serverOf(line);
		const rank = (newer.get(server) ?? 0) + sizeOf(line);
		newer.set(server, rank);
		return { line, rank: Math.floor(rank / step) };
	});
	return ranked.toSorted((a, b) => b.rank - a.rank || a.line.at - b.line.at).map(({ line }) => line);
}

function totalOf(lines: readonly ChainLine[]): number {
	return lines.reduce((sum, line) => sum + sizeOf(line), 0);
}

function serverOf({ entry }: ChainLine): string {
	return "serverId" in entry ? (entry.serverId ?? "") : "";
}

/** Whether an entry is a decision of the user, of a kind that no server can cause in large numbers. */
function isDecision({ entry }: ChainLine): boolean {
	if (entry.kind === "permission" || entry.kind === "configuration") return true;
	if (entry.kind === "account") return entry.event === "declined";
	return (entry.kind === "call" || entry.kind === "sampling" || entry.kind === "question") && entry.by === "user";
}

function sizeOf({ text }: ChainLine): number {
	return text.length + 1;
}
