/** A replacement of a stretch of a text. */
export interface TextChange {
	readonly offset: number;
	readonly length: number;
	readonly content: string;
}

/** The one replacement that makes one text of another. */
export function changeBetween(before: string, after: string): TextChange {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
	let end = 0;
	while (end < shorter - start && unitFromEnd(before, end) === unitFromEnd(after, end)) end++;
	return { offset: start, length: before.length - start - end, content: after.slice(start, after.length - end) };
}

/**
 * The exact text behind a control that shows each of its line breaks as one character, after an edit there: only the
 * changed stretch is taken from the control.
 */
export function withShownEdit(exact: string, shown: string, edited: string): string {
	const { offset, length, content } = changeBetween(shown, edited);
	const rest = content + exact.slice(exactOffset(exact, offset + length));
	const head = exact.slice(0, exactOffset(exact, offset));
	// A lone carriage return in front of a line feed would become one line break with it: write it as a line feed.
	if (!rest.startsWith("\n")) return head + rest;
	return head.replace(/(?<!\r)\r+$/, (returns) => "\n".repeat(returns.length)) + rest;
}

function unitFromEnd(text: string, offset: number): number {
	return text.charCodeAt(text.length - 1 - offset);
}

/** Where an offset of the shown text lies in the exact one, in which a line break may take two characters. */
function exactOffset(exact: string, shownOffset: number): number {
	let offset = shownOffset;
	for (let at = exact.indexOf("\r\n"); at >= 0 && at < offset; at = exact.indexOf("\r\n", at + 2)) offset++;
	return offset;
}
