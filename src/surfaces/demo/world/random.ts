/** A generator of numbers in [0, 1) that is the same whenever the words are the same (FNV-1a into mulberry32). */
export function seeded(...words: readonly string[]): () => number {
	let state = 0x811c9dc5;
	for (const character of words.join("\n")) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
	};
}

/** A whole number from `low` to `high`, both included. */
export function between(random: () => number, low: number, high: number): number {
	return low + Math.floor(random() * (high - low + 1));
}

/** One of the items, of which there is at least one. */
export function pick<const Items extends readonly [unknown, ...unknown[]]>(
	random: () => number,
	items: Items,
): Items[number] {
	return items[between(random, 0, items.length - 1)];
}
