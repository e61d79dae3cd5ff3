/** A text as a text area shows it: with one kind of line break. */
export function shownText(exact: string): string {
	return exact.replace(/\r\n?/g, "\n");
}

/**
 * The exact text behind an edited text area. A text area turns every line break into a line feed. Untouched text must
 * be sent byte for byte as received, so only the changed stretch is taken from the area (SMP-10).
 */
export function mergeEdit(exact: string, edited: string): string {
	if (!exact.includes("\r")) return edited;
	const shown = shownText(exact);
	const shorter = Math.min(shown.length, edited.length);
	let prefix = 0;
	while (prefix < shorter && shown.charCodeAt(prefix) === edited.charCodeAt(prefix)) prefix++;
	let suffix = 0;
	while (suffix < shorter - prefix && unitFromEnd(shown, suffix) === unitFromEnd(edited, suffix)) suffix++;
	const rest = edited.slice(prefix, edited.length - suffix) + exact.slice(exactOffset(exact, shown.length - suffix));
	let head = exact.slice(0, exactOffset(exact, prefix));
	// A lone carriage return in front of a line feed would become one line break with it: write it as a line feed.
	if (rest.startsWith("\n")) head = head.replace(/(?<!\r)\r+$/, (returns) => "\n".repeat(returns.length));
	return head + rest;
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
