/** What people write where a secret would be, as in examples. */
const placeholder =
	/example|placeholder|redacted|dummy|your[-_ ]?|[-_]here\b|x{4}|\*{3}|\.{3}|1234567890(?!\d)|^\$?\{|^<|^%\w+%$|^\$\w+$/i;

/** Whether a text stands in the place of a secret without being one. */
export function isPlaceholder(text: string): boolean {
	// A run of one or two characters is none either.
	return placeholder.test(text) || new Set(text.slice(0, 200)).size < 4;
}
