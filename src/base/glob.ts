import { minimatch } from "minimatch";

/** Whether a name matches one of the glob patterns, such as `github*`. A lazy part: loaded when a pattern is configured. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
	return patterns.some((pattern) => minimatch(name, pattern, { dot: true, nocomment: true }));
}
