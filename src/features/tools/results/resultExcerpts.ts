/** A place in a text with its surroundings. */
export interface Excerpt {
	/** Where the excerpt begins. */
	readonly offset: number;
	readonly text: string;
}

/** How many places are counted. */
export const mostCounted = 10_000;
/** How many of them are shown, how much surrounding text is shown, and how long the searched words may be. */
const mostExcerpts = 10;
const around = 200;
const longestWords = 200;

/** A part of a text that splits no character at its end; never empty unless the text is. */
export function sliceOf(text: string, offset: number, length: number): string {
	const end = Math.min(offset + length, text.length);
	const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
	if (!isSplit) return text.slice(offset, end);
	return text.slice(offset, end - 1 > offset ? end - 1 : end + 1);
}

/**
 * The case-insensitive places of some words in a text from an offset on; as many as fit into `room` characters, at
 * least one.
 */
export function excerptsAround(
	text: string,
	words: string,
	from: number,
	room: number,
): { readonly excerpts: readonly Excerpt[]; readonly total: number } {
	const pattern = new RegExp(words.slice(0, longestWords).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "gi");
	pattern.lastIndex = from;
	const excerpts: Excerpt[] = [];
	let total = 0;
	let left = room;
	for (let match = pattern.exec(text); match !== null && total < mostCounted; match = pattern.exec(text)) {
		total++;
		const offset = Math.max(0, match.index - around);
		const excerpt = sliceOf(text, offset, 2 * around + match[0].length);
		if (excerpts.length > 0 && (excerpts.length >= mostExcerpts || excerpt.length > left)) continue;
		left -= excerpt.length;
		excerpts.push({ offset, text: excerpt });
	}
	return { excerpts, total };
}
