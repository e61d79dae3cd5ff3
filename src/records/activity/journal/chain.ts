import { isWhole } from "../../../base/guards.ts";
import { sha256 } from "../../../base/hash.ts";
import { parseJsonObject } from "../../../base/json.ts";
import type { Seal } from "./seal.ts";
import { type ActivityEntry, type ChainHead, isActivityEntry, type RemovedRange } from "./entry.ts";

/**
 * The chain of one window. Each line contains the SHA-256 of the previous line, the first one that of the window's
 * name, and counts from 1: to change, remove or add a line, all later ones must be rewritten. Removed lines are
 * replaced by a line that says so, with a proof of it (`Seal`), and continues the hash of the last of them.
 */
const version = 1;

/** An entry in its place. */
export interface ChainLine {
	readonly n: number;
	/** When, in milliseconds since the epoch. */
	readonly at: number;
	readonly entry: ActivityEntry;
	readonly text: string;
	readonly hash: string;
}

/** The problem of a chain and its place: between which numbers. */
export interface ChainFault {
	/** `cut`: the last line has no end, as when its process was killed while it wrote. */
	readonly kind: "damaged" | "changed" | "missing" | "cut";
	readonly from: number;
	readonly to: number;
}

/** A chain as far as it was read. */
export interface Chain {
	readonly window: string;
	readonly lines: ChainLine[];
	/** Lines are missing here; they were removed if the proof is valid. */
	readonly gaps: Gap[];
	readonly faults: ChainFault[];
	/** Lines of a later version of the extension, which count in the chain and are not shown. */
	readonly foreign: ChainPart[];
	/** The last line. */
	n: number;
	hash: string;
	/** Lines that could not be read since the last that could. */
	unread: number;
}

/** The entry that replaces removed lines. */
export interface Gap {
	readonly range: RemovedRange;
	readonly proof: string | undefined;
}

/** A line of which only the place matters. */
interface ChainPart {
	readonly n: number;
	readonly hash: string;
	readonly text: string;
}

/** A chain of which nothing was read. */
export function newChain(window: string): Chain {
	return { window, lines: [], gaps: [], faults: [], foreign: [], n: 0, hash: sha256(window), unread: 0 };
}

/** Writes the line that follows a head. */
export function lineAfter({ n, hash }: ChainHead, at: number, entry: ActivityEntry): string {
	return JSON.stringify({ v: version, n: n + 1, prev: hash, at, entry });
}

function gapLine({ range: { from, to, hash }, proof }: Gap): string {
	return JSON.stringify({ v: version, removed: [from, to], hash, proof });
}

/** Reads the next line of a chain into it, and notes its problem. */
export function takeLine(chain: Chain, text: string): void {
	const value = parse(text);
	if (value === undefined) {
		chain.unread++;
		chain.faults.push({ kind: "damaged", from: chain.n + chain.unread, to: chain.n + chain.unread });
		return;
	}
	const expected = chain.n + chain.unread + 1;
	if ("removed" in value) {
		const { removed: range, proof } = value;
		if (range.from !== expected) noteJump(chain, expected, range.from);
		chain.gaps.push({ range, proof });
		[chain.n, chain.hash, chain.unread] = [range.to, range.hash, 0];
		return;
	}
	const { n, prev, at, entry } = value;
	if (n !== expected) noteJump(chain, expected, n);
	// The line after an unreadable one contains the hash of the original line.
	else if (prev !== chain.hash && chain.unread === 0)
		chain.faults.push({ kind: "changed", from: Math.max(1, chain.n), to: n });
	const hash = sha256(text);
	if (isActivityEntry(entry)) chain.lines.push({ n, at, entry, text, hash });
	else chain.foreign.push({ n, hash, text });
	[chain.n, chain.hash, chain.unread] = [n, hash, 0];
}

function noteJump(chain: Chain, expected: number, found: number): void {
	const isMissing = found > expected;
	chain.faults.push({ kind: isMissing ? "missing" : "changed", from: expected, to: isMissing ? found - 1 : expected });
}

type Parsed =
	| { readonly n: number; readonly prev: string; readonly at: number; readonly entry: unknown }
	| { readonly removed: RemovedRange; readonly proof: string | undefined };

function parse(text: string): Parsed | undefined {
	const value = parseJsonObject(text);
	if (value === undefined) return undefined;
	const { n, prev, at, entry, removed, hash, proof } = value as Readonly<Record<string, unknown>>;
	if (Array.isArray(removed)) {
		const [from, to] = removed as readonly unknown[];
		if (!isPosition(from) || !isPosition(to) || to < from || typeof hash !== "string") return undefined;
		return { removed: { from, to, hash }, proof: typeof proof === "string" ? proof : undefined };
	}
	if (!isPosition(n) || typeof prev !== "string" || typeof at !== "number") return undefined;
	return { n, prev, at, entry };
}

function isPosition(value: unknown): value is number {
	return isWhole(value, 1);
}

/**
 * The lines of a chain in its file after a removal: unchanged lines, and gaps with their proofs. Undefined when the
 * file is already in this form. Problems of the chain remain, because numbers and hashes stay.
 */
export function withoutRemoved(
	chain: Chain,
	isRemoved: (n: number) => boolean,
	seal: Seal,
): readonly string[] | undefined {
	const parts: readonly (ChainPart | Gap)[] = [...chain.lines, ...chain.foreign, ...chain.gaps].toSorted(
		(a, b) => startOf(a) - startOf(b),
	);
	if (!parts.some((part) => "n" in part && isRemoved(part.n))) return undefined;
	const texts: string[] = [];
	let gap: RemovedRange | undefined;
	const close = (): void => {
		if (gap !== undefined) texts.push(gapLine({ range: gap, proof: seal.over(chain.window, gap) }));
		gap = undefined;
	};
	for (const part of parts) {
		const isOpen = "n" in part ? !isRemoved(part.n) : !seal.holds(chain.window, part.range, part.proof);
		if (isOpen) {
			close();
			texts.push("n" in part ? part.text : gapLine(part));
			continue;
		}
		const { from, to, hash } = "n" in part ? { from: part.n, to: part.n, hash: part.hash } : part.range;
		// Lines that are missing in between were not removed.
		if (gap !== undefined && gap.to !== from - 1) close();
		gap = { from: gap?.from ?? from, to, hash };
	}
	close();
	return texts;
}

function startOf(part: ChainPart | Gap): number {
	return "n" in part ? part.n : part.range.from;
}
