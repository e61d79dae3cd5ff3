/** Whether a pattern names a model. Names hold slashes and colons, so that `*` is the only special character. */
export function matchesName(pattern: string, name: string): boolean {
	const [first = "", ...others] = pattern.split("*");
	const last = others.pop();
	if (last === undefined) return pattern === name;
	if (!name.startsWith(first)) return false;
	let from = first.length;
	for (const piece of others) {
		const found = name.indexOf(piece, from);
		if (found < 0) return false;
		from = found + piece.length;
	}
	return name.length - last.length >= from && name.endsWith(last);
}
