/** How much of a text decides its place; servers' names may be endless. */
const longest = 300;

/** A text for comparison, cut to a length: without capitals and accents, so that `munchen` finds `München`. */
export function folded(text: string, limit = longest): string {
	const short = text.length > limit ? text.slice(0, limit) : text;
	// Most texts are ASCII, and tens of thousands of them are compared at once.
	// oxlint-disable-next-line no-control-regex -- all of ASCII
	return (/^[\0-\x7F]*$/.test(short) ? short : short.normalize("NFD").replace(/\p{M}/gu, "")).toLowerCase();
}

/** The items in the order of their texts, with numbers in the order of their values: `page 2` before `page 10`. */
export function byText<T>(items: readonly T[], textOf: (item: T) => string): T[] {
	return byValue(items, (item) => folded(textOf(item)).replace(/\d+/g, (digits) => digits.padStart(10, "0")));
}

/** The items in the order of a value of each, small ones first; equal ones keep their order. */
export function byValue<T>(items: readonly T[], valueOf: (item: T) => string | number): T[] {
	// Once for each item, not once for each comparison, of which there are sixteen times as many.
	return items
		.map((item) => ({ item, value: valueOf(item) }))
		.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
		.map(({ item }) => item);
}
