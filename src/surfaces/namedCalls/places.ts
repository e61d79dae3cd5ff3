/** A place in a text, both counted from 1, the column in UTF-16 units. */
export interface TextPlace {
	readonly line: number;
	readonly column: number;
}

/** Returns the place of an offset in a text; scans the text once, for all offsets. */
export function placesIn(text: string): (offset: number) => TextPlace {
	const starts = [0];
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
	return (offset) => {
		let [low, high] = [0, starts.length];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if ((starts[middle] ?? 0) <= offset) low = middle;
			else high = middle;
		}
		return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
	};
}
