/** Letters of the scripts whose writing needs joiners, as in Persian, Hindi or Sinhala (Unicode, UTS 46 and UAX 31). */
const joined = `[[${"Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt"
	.split(" ")
	.map((script) => String.raw`\p{scx=${script}}`)
	.join("")}]&&[\\p{L}\\p{M}]]`;

/**
 * Characters that a reader cannot see or that change how others are seen: controls except tab and newline, bidirectional
 * controls, zero-width and tag characters, blank letters, halves of surrogate pairs (CFG-07, TOL-08).
 * The variation selector and the joiners stay where they do nothing but shape an emoji or the letters beside them.
 */
const hidden = new RegExp(
	[
		String.raw`[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2028\u2029\u2800\uFFF9-\uFFFB]--[\t\n\uFE0F\u200C\u200D]]`,
		String.raw`(?<!\p{Extended_Pictographic})\uFE0F(?!\u20E3)`,
		String.raw`(?!(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D\p{Extended_Pictographic}|(?<=${joined})[\u200C\u200D]${joined})[\u200C\u200D]`,
	].join("|"),
	"gv",
);

/** Whether a text holds characters that a reader cannot see. */
export function hasHiddenCharacters(text: string): boolean {
	hidden.lastIndex = 0;
	return hidden.test(text);
}

/** The characters of a text that a reader cannot see, in order, except those that only shape their neighbours. */
export function hiddenCharactersOf(text: string): readonly string[] {
	return text.match(hidden) ?? [];
}

/**
 * The text with every hidden character written as an escape (`\u202E`, `\u{E0041}`), so that the visible text is
 * complete.
 */
export function showHidden(text: string): string {
	return text.replace(hidden, (character) => {
		const code = character.codePointAt(0) ?? 0;
		return code > 0xffff
			? `\\u{${code.toString(16).toUpperCase()}}`
			: `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
	});
}

/** At most `limit` characters of a text, with the number of those left out. */
export function cap(text: string, limit: number): string {
	if (text.length <= limit) return text;
	// Do not cut a surrogate pair in two.
	const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
	return `${text.slice(0, end)}… (${(text.length - end).toLocaleString("en-US")} more characters)`;
}

/** How much of a text a line is made of, beyond its limit; a name of megabytes is not gone through for one row. */
const mostFolded = 20_000;

/** A server's text fit for one line of a label: hidden characters shown, white space folded, capped. */
export function oneLine(text: string, limit = 200): string {
	const whole = text.trim();
	const seen = limit + mostFolded;
	const line = showHidden(whole.slice(0, seen).replace(/\s+/g, " ").trim());
	// The rest is counted and not shown.
	return whole.length <= seen ? cap(line, limit) : cap(line.padEnd(limit) + whole.slice(seen), limit);
}

/**
 * A text that stays text in a notification: VS Code turns `[label](command:…)` and `[label](https:…)` in a message into
 * links, commands included, and a server's name or error could hold one (UI-02).
 */
export function withoutLinks(text: string): string {
	return text.replaceAll("](", "] (");
}

/** A number as it is written: `1,204`. */
export function count(value: number): string {
	return value.toLocaleString("en-US");
}

/** The name for display, in the specification's order: the title, otherwise the name. */
export function displayName({ title, name }: { readonly title?: string | undefined; readonly name: string }): string {
	return oneLine(title ?? "", 100) || oneLine(name, 100);
}
