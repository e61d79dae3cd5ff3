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
	const significant = digits.replace(/0+$/, "");
	// Nothing is lost when the sign of zero is: JSON gives it no meaning.
	if (significant === "") return "0";
	const power = Number(exponent) - fraction.length + (digits.length - significant.length);
	return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}
