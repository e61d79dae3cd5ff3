import { showHidden } from "./text.ts";

/** A server's text as markdown that renders as that very text: no links, images, HTML, icons, headings or emphasis. */
export function escapeMarkdown(text: string): string {
	return (
		showHidden(text)
			// Every ASCII punctuation character may be escaped, and each has a meaning in some dialect (CommonMark 2.4). A
			// full stop or comma at the end of a word has none, and VS Code makes screen readers read each backslash. Text
			// that another text may follow must not become the beginning of an address.
			.replace(
				/((?<=[A-Za-z]{2})(?<![Ww]{3})[.,](?=[ \n]|$))|[!-/:-@[-`{-~]/g,
				(mark, plain?: string) => plain ?? `\\${mark}`,
			)
			// Blanks at the beginning of a line would make a block of code.
			.replace(/^[ \t]+/gm, (blanks) => "&nbsp;".repeat(blanks.length))
			.replace(/\n/g, "  \n")
	);
}

/** A fenced block that shows the text literally, with any number of backticks in it. */
export function codeBlock(text: string, language = ""): string {
	let longest = 2;
	for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	const fence = "`".repeat(longest + 1);
	return `${fence}${language}\n${showHidden(text)}\n${fence}`;
}
