/** The line and column of an offset in a text, both counted from 1, the column in UTF-16 units. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
	const before = text.slice(0, offset);
	return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
