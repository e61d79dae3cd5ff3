import type { Chain, ChainFault } from "./chain.ts";
import type { KnownChain } from "./chains.ts";
import type { ChainHead } from "./entry.ts";
import { isRemoved, removedOf } from "./removal.ts";
import type { Seal } from "./seal.ts";

/** Heads that were written into a file outside of the journal. */
export interface Anchor {
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly heads: Readonly<Record<string, ChainHead>>;
}

/** The inputs of verifying. */
export interface VerifyServices {
	readonly chains: readonly KnownChain[];
	readonly anchors: readonly Anchor[];
	readonly seal: Seal;
	/** The expected end of this window's file, if it wrote any. */
	readonly own?: { readonly window: string; readonly head: ChainHead };
}

/** The result. */
export interface Verified {
	/** Our sentences; empty when nothing was changed and nothing is missing, as far as chains can show. */
	readonly findings: readonly string[];
	/** Notes that are not faults. */
	readonly remarks: readonly string[];
	readonly entries: number;
	readonly windows: number;
	/** How many heads of anchors and of other windows match the current lines. */
	readonly confirmed: number;
}

/** The relation of a head to its chain. */
type Standing = "fits" | "removed" | "unknown" | "changed" | "missing" | "added";

/**
 * Checks whether entries were changed or are missing: by each chain itself, by the entries of this window, by windows'
 * notes about each other's chains, and by anchors. Removals must be proven. A writer of all files can make new chains
 * of them; only an anchor that is kept elsewhere detects that.
 */
export function verify({ chains, anchors, seal, own }: VerifyServices): Verified {
	const removed = removedOf(
		chains.map(({ chain }) => chain),
		seal,
	);
	const findings: string[] = [];
	const remarks: string[] = [];
	let confirmed = 0;
	for (const { chain, isGone } of chains) {
		for (const fault of chain.faults) {
			if (fault.kind !== "cut") findings.push(faultSentence(chain, fault));
			else if (isGone)
				remarks.push(`The last line of ${nameOf(chain)} is incomplete: the process ended while writing it.`);
		}
		for (const { range, proof } of chain.gaps)
			if (!seal.holds(chain.window, range, proof))
				findings.push(
					`${entriesOf(range)} of ${nameOf(chain)} ${isOne(range) ? "was" : "were"} removed, but not by MCP Host.`,
				);
		for (const { n, entry } of chain.lines) {
			if (entry.kind === "journal" && entry.event === "removed" && !seal.holds(chain.window, entry.ranges, entry.proof))
				findings.push(`Entry ${n} of ${nameOf(chain)} records a removal, but was not written by MCP Host.`);
			if (entry.kind === "journal" && entry.event === "lost")
				remarks.push(`${entry.count} entries could not be written before entry ${n} of ${nameOf(chain)} (disk error).`);
		}
	}
	const byWindow = new Map(chains.map(({ chain }) => [chain.window, chain]));
	const check = (heads: Readonly<Record<string, ChainHead>>, source: string): void => {
		for (const [window, head] of Object.entries(heads)) {
			const standing = standingOf(head, byWindow.get(window));
			if (standing === "fits") confirmed++;
			const sentence = standingSentence(standing, window, head, source);
			if (sentence !== undefined) findings.push(sentence);
		}
	};
	if (own !== undefined && own.head.n > 0) check({ [own.window]: own.head }, "this window recorded");
	for (const { chain } of chains)
		for (const { n, entry } of chain.lines)
			if (entry.kind === "journal" && entry.event === "witnessed" && !isRemoved(removed.get(chain.window), n))
				check(entry.heads, `${nameOf(chain)} recorded`);
	for (const { at, heads } of anchors) check(heads, `the anchor of ${new Date(at).toISOString()} recorded`);
	return {
		findings: [...new Set(findings)],
		remarks: [...new Set(remarks)],
		entries: chains.reduce((sum, { chain }) => sum + chain.lines.length, 0),
		windows: chains.length,
		confirmed,
	};
}

function standingOf(head: ChainHead, chain: Chain | undefined): Standing {
	if (chain === undefined) return "missing";
	const gap = chain.gaps.find(({ range: { from, to } }) => head.n >= from && head.n <= to)?.range;
	const part =
		chain.lines.find(({ n }) => n === head.n) ??
		chain.foreign.find(({ n }) => n === head.n) ??
		(gap?.to === head.n ? gap : undefined);
	if (part !== undefined) {
		if (part.hash !== head.hash) return "changed";
		return head.isGone === true && chain.n > head.n ? "added" : "fits";
	}
	if (gap !== undefined) return "removed";
	// A damaged line is reported by its chain.
	return chain.n + chain.unread < head.n ? "missing" : "unknown";
}

function standingSentence(standing: Standing, window: string, { n }: ChainHead, source: string): string | undefined {
	switch (standing) {
		case "missing":
			return `Entries of window ${window} are missing: ${source} ${n} entries.`;
		case "changed":
			return `Entries of window ${window} up to ${n} were changed: ${source} another hash.`;
		case "added":
			return `Entries were added to the log of window ${window} after it had closed: ${source} entry ${n} as the last one.`;
		case "fits":
		case "removed":
		case "unknown":
			return undefined;
	}
}

function faultSentence(chain: Chain, fault: ChainFault): string {
	const what = {
		damaged: "cannot be read",
		changed: "do not match: one of them was changed or inserted",
		missing: "are missing",
		cut: "were cut",
	}[fault.kind];
	const single = {
		damaged: "cannot be read",
		changed: "was changed or inserted",
		missing: "is missing",
		cut: "was cut",
	};
	return `${entriesOf(fault)} of ${nameOf(chain)} ${isOne(fault) ? single[fault.kind] : what}.`;
}

function entriesOf({ from, to }: { readonly from: number; readonly to: number }): string {
	return isOne({ from, to }) ? `Entry ${from}` : `Entries ${from} to ${to}`;
}

function isOne({ from, to }: { readonly from: number; readonly to: number }): boolean {
	return from === to;
}

function nameOf({ window }: Pick<Chain, "window">): string {
	return `window ${window}`;
}
