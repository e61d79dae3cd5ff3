import type { Json } from "../base/json.ts";
import { showHidden } from "../base/text.ts";

/**
 * A JSON text, indented, in which every character can be seen: hidden ones stand as JSON escapes, so that parsing what
 * is shown gives exactly what is meant (security.md TOL-08, TOL-10).
 */
export function exactJson(value: Json): string {
	// `showHidden` writes those beyond 16 bits in a form that JSON does not have.
	const text = JSON.stringify(value, undefined, 2).replace(/[\u{E0000}-\u{E0FFF}]/gu, (character) =>
		character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase()}`),
	);
	return showHidden(text);
}

/** Stands at the end of a line that goes on in the next. */
export const wrapMark = "↩";

/**
 * A text whose long lines are broken, each break marked, so that nothing is pushed out of sight by a line that is longer
 * than the window (security.md TOL-09).
 */
export function wrapLines(text: string, width: number): { readonly text: string; readonly isWrapped: boolean } {
	let isWrapped = false;
	const lines = text.split("\n").flatMap((line) => {
		const characters = Array.from(line);
		const pieces = [];
		for (let start = 0; start === 0 || start < characters.length; start += width) {
			pieces.push(characters.slice(start, start + width).join(""));
		}
		if (pieces.length > 1) isWrapped = true;
		return pieces.map((piece, index) => (index < pieces.length - 1 ? piece + wrapMark : piece));
	});
	return { text: lines.join("\n"), isWrapped };
}
