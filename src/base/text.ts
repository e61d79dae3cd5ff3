/**
 * Characters that a reader cannot see or that change how others are seen: C0 and C1 controls except tab and newline,
 * bidirectional controls, zero-width characters, soft hyphen, variation-selector and tag characters (security.md CFG-07, UI).
 */
const hidden =
	// oxlint-disable-next-line no-control-regex -- these are exactly the characters to find
	/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/** Whether a text holds characters that a reader cannot see. */
export function hasHiddenCharacters(text: string): boolean {
	hidden.lastIndex = 0;
	return hidden.test(text);
}

/** The text with every hidden character written as an escape (`\u202E`, `\u{E0041}`), so that what is read is what is there. */
export function showHidden(text: string): string {
	return text.replace(hidden, (character) => {
		const code = character.codePointAt(0) ?? 0;
		return code > 0xffff
			? `\\u{${code.toString(16).toUpperCase()}}`
			: `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
	});
}

/** At most `limit` characters of a text, with the number of those left out. */
export function cap(text: string, limit: number): string {
	if (text.length <= limit) return text;
	// Do not cut a surrogate pair in two.
	const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
	return `${text.slice(0, end)}… (${(text.length - end).toLocaleString("en-US")} more characters)`;
}

/** A server's text fit for one line of a label: hidden characters shown, white space folded, capped. */
export function oneLine(text: string, limit = 200): string {
	return cap(showHidden(text.replace(/\s+/g, " ").trim()), limit);
}

/** A server's text as markdown that renders as that very text: no links, images, HTML, icons or emphasis. */
export function escapeMarkdown(text: string): string {
	return showHidden(text)
		.replace(/[\\`*_{}[\]()#+\-.!|<>~$&:@/]/g, "\\$&")
		.replace(/\n/g, "  \n");
}

/** A fenced block that shows the text literally whatever backticks it holds. */
export function codeBlock(text: string, language = ""): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
	const fence = "`".repeat(longest + 1);
	return `${fence}${language}\n${showHidden(text)}\n${fence}`;
}
