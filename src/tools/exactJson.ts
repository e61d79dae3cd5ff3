import type { Json } from "../base/json.ts";
import { showHidden } from "../base/text.ts";

/**
 * A JSON text, indented, in which every character can be seen: hidden ones stand as JSON escapes, so that parsing what
 * is shown gives exactly what is meant (security.md TOL-08, TOL-10).
 */
export function exactJson(value: Json): string {
	return escapeHidden(JSON.stringify(value, undefined, 2));
}

/** A JSON text with its hidden characters, and spaces that are not the usual one, as JSON escapes. */
export function escapeHidden(json: string): string {
	// `showHidden` writes those beyond 16 bits in a form that JSON does not have.
	const text = json.replace(/[\p{Default_Ignorable_Code_Point}&&[\u{10000}-\u{10FFFF}]]|[\p{Zs}--[ ]]/gv, (character) =>
		character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`),
	);
	return showHidden(text);
}
