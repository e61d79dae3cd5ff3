import { braceExpand, Minimatch, minimatch } from "minimatch";

/** Whether a name matches one of the glob patterns, such as `github*`. A lazy part: loaded when a pattern is configured. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
	return patterns.some((pattern) => minimatch(name, pattern, { dot: true, nocomment: true }));
}

/**
 * A glob as a test of texts, the same on every system: `*` stops at a slash, names may begin with a dot, a backslash
 * escapes. The matcher does not backtrack: its time grows with the text's length for every pattern. Throws for a
 * pattern that the library refuses.
 */
export function compileGlob(pattern: string, ignoresCase: boolean): (text: string) => boolean {
	const options = { dot: true, nocomment: true, nonegate: true, nocase: ignoresCase, platform: "linux" } as const;
	const matcher = new Minimatch(pattern, options);
	return (text) => matcher.match(text);
}

/** How many alternatives the braces of a glob expand to; more than `most` are not counted. */
export function countAlternatives(pattern: string, most: number): number {
	return braceExpand(pattern, { braceExpandMax: most + 1 }).length;
}
