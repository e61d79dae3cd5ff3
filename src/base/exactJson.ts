import type { Json } from "./json.ts";
import { showHidden } from "./text.ts";

/**
 * A JSON text, indented, in which every character can be seen: hidden ones stand as JSON escapes, so that parsing what
 * is shown gives exactly what is meant (TOL-08, TOL-10).
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
	// Nothing is lost when the sign of zero is: JSON gives it no meaning.
	if (significant === "") return "0";
	const power = Number(exponent) - fraction.length + (digits.length - significant.length);
	return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}
