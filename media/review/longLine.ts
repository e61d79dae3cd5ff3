/**
 * Whether a text has a line longer than a limit. A browser wraps such a line again on every key, which takes up to
 * seconds (UI-12); unwrapped, it is scrolled.
 */
export function hasLongLine(text: string, limit: number): boolean {
	for (let start = 0; start + limit < text.length;) {
		const end = text.indexOf("\n", start);
		if (end < 0 || end - start > limit) return true;
		start = end + 1;
	}
	return false;
}
