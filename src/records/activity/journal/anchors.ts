import { parseJsonObject } from "../../../base/json.ts";
import type { KnownChain } from "./chains.ts";
import { isActivityEntry } from "./entry.ts";
import type { Anchor } from "./verify.ts";

/** The version of the form of anchors. */
const version = 1;

/** The current ends of the chains, as a line for a file that is kept elsewhere; empty when there is nothing. */
export function anchorLine(chains: readonly KnownChain[], at: number): string {
	const heads = chains
		.filter(({ chain }) => chain.lines.length > 0)
		.map(({ chain: { window, n, hash } }) => [window, { n, hash }] as const);
	if (heads.length === 0) return "";
	return `${JSON.stringify({ mcpHostActivity: version, at: new Date(at).toISOString(), heads: Object.fromEntries(heads) })}\n`;
}

/** The anchors of a file, and how many of its lines are invalid. The file is untrusted. */
export function readAnchors(text: string): { readonly anchors: readonly Anchor[]; readonly damaged: number } {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const anchors = lines.flatMap((line) => readAnchor(line) ?? []);
	return { anchors, damaged: lines.length - anchors.length };
}

function readAnchor(line: string): Anchor | undefined {
	const value = parseJsonObject(line);
	if (value?.["mcpHostActivity"] !== version) return undefined;
	const { at, heads } = value as Readonly<Record<string, unknown>>;
	const time = typeof at === "string" ? Date.parse(at) : NaN;
	// The same shape as windows' notes about each other.
	const noted: unknown = { kind: "journal", event: "witnessed", heads };
	if (Number.isNaN(time) || !isActivityEntry(noted) || !("heads" in noted)) return undefined;
	return { at: time, heads: noted.heads };
}

/** Whether an anchor still applies: entries older than the kept days were removed, and their record, too. */
export function isCurrent({ at }: Anchor, days: number, now: number): boolean {
	return at >= now - days * 24 * 60 * 60 * 1000;
}
