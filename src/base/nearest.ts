/** The up to five names most like the wanted one: those that share its parts first, then by edit distance. */
export function nearest(wanted: string, names: readonly string[]): readonly string[] {
	const lower = wanted.toLowerCase().slice(0, 100);
	const lastPart = lower.slice(lower.lastIndexOf("/") + 1);
	const ranked = names.map((name) => {
		const candidate = name.toLowerCase().slice(0, 100);
		const isPart = lastPart !== "" && candidate.includes(lastPart);
		return { name, distance: isPart ? 0 : editDistance(lower, candidate) };
	});
	return ranked
		.sort((a, b) => a.distance - b.distance)
		.slice(0, 5)
		.map(({ name }) => name);
}

/** The number of insertions, deletions and replacements between two short texts. */
export function editDistance(from: string, to: string): number {
	let row = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let index = 1; index <= from.length; index++) {
		const next = [index];
		for (let column = 1; column <= to.length; column++) {
			const replaced = (row[column - 1] ?? 0) + (to.charAt(column - 1) === from.charAt(index - 1) ? 0 : 1);
			next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
