/** A text as a text area shows it: with one kind of line break. */
export function shownText(exact: string): string {
	return exact.replace(/\r\n?/g, "\n");
}

/**
 * The exact text behind an edited text area. A text area turns every line break into a line feed; what the person did
 * not touch must go out byte for byte as it came, so only the stretch that changed is taken from the area (SMP-10).
 */
export function mergeEdit(exact: string, edited: string): string {
	if (!exact.includes("\r")) return edited;
	const shown = shownText(exact);
	const shorter = Math.min(shown.length, edited.length);
	let prefix = 0;
	while (prefix < shorter && shown[prefix] === edited[prefix]) prefix++;
	let suffix = 0;
	while (suffix < shorter - prefix && shown.at(-1 - suffix) === edited.at(-1 - suffix)) suffix++;
	const rest = edited.slice(prefix, edited.length - suffix) + exact.slice(exactOffset(exact, shown.length - suffix));
	let head = exact.slice(0, exactOffset(exact, prefix));
	// A lone carriage return in front of a line feed would become one line break with it: write it as a line feed.
	if (rest.startsWith("\n")) head = head.replace(/\r+$/, (returns) => "\n".repeat(returns.length));
	return head + rest;
}

/** Where an offset of the shown text lies in the exact one, in which a line break may take two characters. */
function exactOffset(exact: string, shownOffset: number): number {
	let offset = 0;
	for (let shown = 0; shown < shownOffset; shown++) offset += exact.startsWith("\r\n", offset) ? 2 : 1;
	return offset;
}
