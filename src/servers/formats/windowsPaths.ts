/** The characters that JSON makes of `\b`, `\f`, `\n`, `\r` and `\t` in a path whose backslashes were not doubled. */
const madeOfEscapes = /(?:^|[\s"'=,;:])[A-Za-z]:[^\s"'<>|*?]*[\b\f\n\r\t]\w|^\.{1,2}[\b\f\n\r\t]\w|[\b\f]/;
/** The beginning of a path on a drive, whose first backslash is gone. */
const driveAlone = /^["']?[A-Za-z]:(?![\\/]|$)/;

/** Whether a text seems to be a path of Windows whose single backslashes JSON read as escapes. */
export function lostBackslash(text: string): boolean {
	return madeOfEscapes.test(text);
}

/** The same for a text that is one path, as a command and a folder are. */
export function isBrokenPath(text: string): boolean {
	return lostBackslash(text) || driveAlone.test(text) || /[\n\r\t]/.test(text.trim());
}

/** A text of JSON, with its quotes. Gone through once: each sign has one reading. */
const jsonText = /"(?:[^"\\\n]|\\[^\n])*"/g;
/** A path of Windows with its first backslash alone: on a drive, on a share, relative, or behind a variable. */
const singleBackslash =
	/^"(?:[A-Za-z]:\\(?![\\/])|\.{1,2}\\(?![\\/"])|\\\\[\w.-]+\\(?!\\)|(?:%\w+%|\$\{[^{}"\\]+\}|~)\\(?!\\))/;

/**
 * A JSON text with the single backslashes of its paths doubled; undefined if it has none. Only for a text that is not
 * valid JSON: there, a path with a single backslash has no other reading.
 */
export function withDoubledBackslashes(json: string): string | undefined {
	const doubled = json.replace(jsonText, (text) =>
		singleBackslash.test(text) ? `"${text.slice(1, -1).replaceAll("\\", "\\\\")}"` : text,
	);
	return doubled === json ? undefined : doubled;
}
