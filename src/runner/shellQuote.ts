/** Words that a POSIX shell takes as they are. One with `=` could be an assignment. */
const plain = /^[A-Za-z0-9_@%+:,./-]+$/;
/** Characters that would do something at a terminal before the shell sees them, or that nobody sees. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * A text as one word of a shell, whatever is in it: nothing of it is expanded, and pasting it presses no keys. Control and
 * hidden characters need `$'…'`, which bash, zsh, ksh and POSIX since 2024 know.
 */
export function shellWord(text: string): string {
	if (plain.test(text)) return text;
	if (!hidden.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
	const bytes = [...new TextEncoder().encode(text)].map((byte) => {
		const character = String.fromCharCode(byte);
		if (character === "'" || character === "\\") return `\\${character}`;
		// Three octal digits: a hexadecimal escape would take the digits that follow it as well.
		return byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, "0")}`;
	});
	return `$'${bytes.join("")}'`;
}

/** Words as a shell's command. */
export function shellWords(words: readonly string[]): string {
	return words.map(shellWord).join(" ");
}
