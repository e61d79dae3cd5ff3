import type { Verified } from "./verify.ts";

/** The inputs of the verification. */
export interface VerifiedBy {
	/** How many anchors were read; undefined without a file of anchors. */
	readonly anchors: number | undefined;
	/** Invalid lines of that file. */
	readonly damagedAnchors: number;
}

/** The outcome in a sentence. */
export function verifiedSentence({ findings, entries, windows }: Verified): string {
	const what = `${entries.toLocaleString("en-US")} records of ${windows.toLocaleString("en-US")} window${windows === 1 ? "" : "s"}`;
	if (findings.length === 0) return `The activity is complete: nothing was changed or removed in ${what}.`;
	const count = findings.length === 1 ? "1 item is" : `${findings.length} items are`;
	return `The activity was changed: ${count} wrong in ${what}.`;
}

/** The full outcome, as a readable text. */
export function verifyReport(verified: Verified, { anchors, damagedAnchors }: VerifiedBy): string {
	const { findings, remarks, confirmed } = verified;
	const anchored =
		anchors === undefined
			? "No file of anchors is set (mcpHost.activity.anchor)."
			: `${anchors} anchors were read${damagedAnchors === 0 ? "" : `; ${damagedAnchors} lines of their file are not anchors`}.`;
	const section = (title: string, lines: readonly string[]): readonly string[] =>
		lines.length === 0 ? [] : ["", title, ...lines.map((line) => `- ${line}`)];
	return [
		verifiedSentence(verified),
		`${confirmed} chain ends match what another window or an anchor recorded. ${anchored}`,
		...section("Problems:", findings),
		...section("Notes:", remarks),
		"",
		"An entry of the activity has a record for each of its steps. Windows have records of their own.",
		"",
		"What this check proves, and what it does not:",
		"- Each record contains the hash of the previous record (SHA-256), and windows record how the chains of other windows",
		"  end. To change, add or remove a record, one must rewrite all later records, including those of other windows.",
		"- MCP Host signs its own removals with a key from the secret store of VS Code. Nobody else can make a removal",
		"  look like one of these.",
		"- Anybody who can write all of these files can create new chains. Only an anchor reveals this: it records the ends of the",
		"  chains in a file elsewhere, such as on an append-only server. Choose one with Anchor Activity….",
		"- The last entries of a window that is closed, and that no other window and no anchor has seen, can be cut off without a",
		"  trace.",
		"",
	].join("\n");
}
