/** Zero-width, bidirectional and old format characters, variation selectors and tags; and what shapes emoji, in a row. */
const invisible = new RegExp(
	String.raw`[\u200B\u2060-\u206F\u202A-\u202E\uFE00-\uFE0D\uFEFF\u{E0000}-\u{E0FFF}]|[\u200C\u200D\uFE0E\uFE0F]{3,100}`,
	"gu",
);
/** How many places of a text are shown as escapes: beyond that it says nothing, and millions would take minutes. */
const mostEscaped = 10_000;

/**
 * A text of a server's for a model. Characters that carry text which no person can read are shown as escapes (security.md
 * TOL-08), in a text of little else as replacement characters. Joiners and the two variation selectors of emoji stay where
 * they shape what is beside them.
 */
export function visibleText(text: string): string {
	if (isFlooded(text)) return text.replace(invisible, "\uFFFD");
	return text.replace(invisible, (characters) =>
		Array.from(characters, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`).join(""),
	);
}

function isFlooded(text: string): boolean {
	invisible.lastIndex = 0;
	for (let places = 0; invisible.test(text); places++) if (places >= mostEscaped) return true;
	return false;
}
