import type { Json } from "./json.ts";
import { cap, oneLine, showHidden } from "./text.ts";

/**
 * A JSON text, indented, with every character visible. Hidden characters are written as JSON escapes, so parsing the
 * shown text gives exactly the value (TOL-08, TOL-10).
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

/** A JSON text for where a page shows blanks that follow each other as one: they are escapes as well. */
export function escapeBlanks(json: string): string {
	return escapeHidden(json).replace(/ {2,}/g, (gap) => String.raw`\u0020`.repeat(gap.length));
}

/**
 * A member's name on one line. It is unchanged when it is unambiguous, and in JSON when it would look like another name
 * or like nothing (TOL-08). Different names give different texts, up to the length.
 */
export function exactName(name: string, length = Infinity): string {
	const json = escapeBlanks(JSON.stringify(name));
	return name !== "" && json === `"${name}"` && name === oneLine(name, length) ? name : cap(json, length);
}

/**
 * The number that a JSON literal means; undefined when this host would send another one: beyond the precision or the
 * range of a double, as 12345678901234567890 is (RFC 8259, section 6).
 */
export function exactNumber(literal: string): number | undefined {
	const value = Number(literal);
	return Number.isFinite(value) && decimal(literal) === decimal(String(value)) ? value : undefined;
}

/** One way to write each number: sign, digits without zeros at either end, and where the point belongs. */
function decimal(literal: string): string | undefined {
	const [, sign = "", whole = "", fraction = "", exponent = "0"] =
		/^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(literal) ?? [];
	const digits = (whole + fraction).replace(/^0+/, "");
	const significant = digits.replace(/(?<!0)0+$/, "");
	// The sign of zero may be lost: JSON gives it no meaning.
	if (significant === "") return "0";
	const power = Number(exponent) - fraction.length + (digits.length - significant.length);
	return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}
