/** Texts that users write instead of a secret, as in examples. */
const placeholder =
	/example|placeholder|redacted|dummy|your[-_ ]?|[-_]here\b|x{4}|\*{3}|\.{3}|1234567890(?!\d)|^\$?\{|^<|^%\w+%$|^\$\w+$/i;

/** Whether a text is a placeholder for a secret. */
export function isPlaceholder(text: string): boolean {
	// A run of one or two characters is not a secret either.
	return placeholder.test(text) || new Set(text.slice(0, 200)).size < 4;
}
