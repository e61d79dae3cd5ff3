import type { Verified } from "./verify.ts";

/** What was verified by. */
export interface VerifiedBy {
	/** How many anchors were read; undefined without a file of anchors. */
	readonly anchors: number | undefined;
	/** Lines of that file that are no anchors. */
	readonly damagedAnchors: number;
}

/** The outcome in a sentence. */
export function verifiedSentence({ findings, entries, windows }: Verified): string {
	const what = `${entries.toLocaleString("en-US")} records of ${windows.toLocaleString("en-US")} window${windows === 1 ? "" : "s"}`;
	if (findings.length === 0) return `The activity is whole: nothing was changed or is missing in ${what}.`;
	const count = findings.length === 1 ? "One thing is" : `${findings.length} things are`;
	return `The activity is not as it was written: ${count} wrong in ${what}.`;
}

/** The outcome in full, as a text for people. */
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
		`${confirmed} ends of chains are as another window or an anchor saw them. ${anchored}`,
		...section("What is wrong:", findings),
		...section("Good to know:", remarks),
		"",
		"An entry of the activity has a record for each of its steps. Windows have records of their own.",
		"",
		"What this can tell, and what it cannot:",
		"- Each record holds the hash of the one before it (SHA-256), and windows write down what the chains of other windows",
		"  ended with. Whoever changes, adds or removes a record has to rewrite all later ones, and those of other windows.",
		"- What MCP Host itself removed is proven with a key from the secret storage of the editor; nobody else can take entries",
		"  away as if they were removed.",
		"- Whoever can write all of these files can make new chains of them. Then only an anchor tells: what the chains ended",
		"  with, in a file that is elsewhere, such as on a server that appends only. Choose one with Anchor Activity….",
		"- The last entries of a window that is closed, and that no other window and no anchor has seen, can be cut off without a",
		"  trace.",
		"",
	].join("\n");
}
