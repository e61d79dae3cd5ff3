import type { Chain, ChainFault } from "./chain.ts";
import type { KnownChain } from "./chains.ts";
import type { ChainHead, RemovedRange } from "./entry.ts";
import { isExplained, isRemoved, removedOf } from "./removal.ts";

/** Heads that were written into a file outside of the journal. */
export interface Anchor {
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly heads: Readonly<Record<string, ChainHead>>;
}

/** What verifying looks at. */
export interface VerifyServices {
	readonly chains: readonly KnownChain[];
	readonly anchors: readonly Anchor[];
	/** The digest of the record of a sampling request as it is now; undefined when there is none. */
	readonly samplingDigest: (id: string) => string | undefined;
}

/** What was found. */
export interface Verified {
	/** Sentences of ours; empty when nothing was changed and nothing is missing, as far as chains can tell. */
	readonly findings: readonly string[];
	/** What is no fault and worth knowing. */
	readonly remarks: readonly string[];
	readonly entries: number;
	readonly windows: number;
	/** How many heads of anchors and of other windows fit what is there. */
	readonly confirmed: number;
}

/** How a head stands to the chain that it is of. */
type Standing = "fits" | "removed" | "unknown" | "changed" | "missing" | "added";

/**
 * Says whether entries were changed or are missing: by each chain in itself, by what windows saw of each other's chains, and
 * by anchors. Whoever can write all files can make new chains of them; only an anchor that is elsewhere tells then.
 */
export function verify({ chains, anchors, samplingDigest }: VerifyServices): Verified {
	const removed = removedOf(chains.map(({ chain }) => chain));
	const findings: string[] = [];
	const remarks: string[] = [];
	let confirmed = 0;
	for (const { chain, isGone } of chains) {
		for (const fault of chain.faults) {
			if (fault.kind !== "cut") findings.push(faultSentence(chain, fault));
			else if (isGone)
				remarks.push(
					`The last line of ${nameOf(chain)} was cut: its process ended while it wrote, as when it is killed.`,
				);
		}
		for (const gap of chain.gaps)
			if (!isExplained(gap, removed.get(chain.window)))
				findings.push(
					`${entriesOf(gap)} of ${nameOf(chain)} were taken out, and no record says that they were removed.`,
				);
		for (const { n, entry } of chain.lines) {
			if (entry.kind === "sampling" && entry.digest !== undefined) {
				const now = samplingDigest(entry.id);
				if (now !== undefined && now !== entry.digest)
					findings.push(
						`The record of a sampling request of ${entry.server} was changed (entry ${n} of ${nameOf(chain)}).`,
					);
			}
			if (entry.kind === "journal" && entry.event === "lost")
				remarks.push(
					`${entry.count} entries could not be written before entry ${n} of ${nameOf(chain)}: the disk could not be written.`,
				);
		}
	}
	const byWindow = new Map(chains.map(({ chain }) => [chain.window, chain]));
	const check = (heads: Readonly<Record<string, ChainHead>>, source: string): void => {
		for (const [window, head] of Object.entries(heads)) {
			const standing = standingOf(head, byWindow.get(window), removed.get(window) ?? []);
			if (standing === "fits") confirmed++;
			const sentence = standingSentence(standing, window, head, source);
			if (sentence !== undefined) findings.push(sentence);
		}
	};
	for (const { chain } of chains)
		for (const { n, entry } of chain.lines)
			if (entry.kind === "journal" && entry.event === "witnessed" && !isRemoved(removed.get(chain.window), n))
				check(entry.heads, `${nameOf(chain)} saw`);
	for (const { at, heads } of anchors) check(heads, `the anchor of ${new Date(at).toISOString()} says`);
	return {
		findings: [...new Set(findings)],
		remarks: [...new Set(remarks)],
		entries: chains.reduce((sum, { chain }) => sum + chain.lines.length, 0),
		windows: chains.length,
		confirmed,
	};
}

function standingOf(head: ChainHead, chain: Chain | undefined, ranges: readonly RemovedRange[]): Standing {
	const isThere = (n: number): boolean => isRemoved(ranges, n);
	if (chain === undefined) return isThere(head.n) ? "removed" : "missing";
	const part =
		chain.lines.find(({ n }) => n === head.n) ??
		chain.foreign.find(({ n }) => n === head.n) ??
		chain.gaps.find(({ to }) => to === head.n);
	if (part !== undefined) {
		if (part.hash !== head.hash) return "changed";
		return head.isGone === true && chain.n > head.n ? "added" : "fits";
	}
	if (chain.gaps.some(({ from, to }) => head.n >= from && head.n <= to) || isThere(head.n)) return "removed";
	// A damaged line is told of by its chain.
	return chain.n + chain.unread < head.n ? "missing" : "unknown";
}

function standingSentence(standing: Standing, window: string, { n }: ChainHead, source: string): string | undefined {
	switch (standing) {
		case "missing":
			return `Entries of window ${window} are missing: ${source} that there were ${n}.`;
		case "changed":
			return `Entries of window ${window} up to ${n} are not what they were: ${source} that they ended differently.`;
		case "added":
			return `Entries were added to window ${window} after it was gone: ${source} that it ended with entry ${n}.`;
		case "fits":
		case "removed":
		case "unknown":
			return undefined;
	}
}

function faultSentence(chain: Chain, fault: ChainFault): string {
	const what = {
		damaged: "cannot be read",
		changed: "do not belong together: one of them was changed, or inserted",
		missing: "are missing",
		cut: "were cut",
	}[fault.kind];
	const isOne = fault.from === fault.to;
	const single = {
		damaged: "cannot be read",
		changed: "was changed, or inserted",
		missing: "is missing",
		cut: "was cut",
	};
	return `${entriesOf(fault)} of ${nameOf(chain)} ${isOne ? single[fault.kind] : what}.`;
}

function entriesOf({ from, to }: { readonly from: number; readonly to: number }): string {
	return from === to ? `Entry ${from}` : `Entries ${from} to ${to}`;
}

function nameOf({ window }: Pick<Chain, "window">): string {
	return `window ${window}`;
}
