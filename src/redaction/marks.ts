import type { SecretKind } from "./finding.ts";

/** What could be a mark: between brackets that no programming language and hardly any text uses. */
const form = /\u27E6[^\u27E6\u27E7]{1,80}\u27E7/g;

/** Whatever looks like a mark in a text, in order. */
export function marksIn(
	text: string,
): readonly { readonly mark: string; readonly start: number; readonly end: number }[] {
	if (!text.includes("\u27E6")) return [];
	return Array.from(text.matchAll(form), ({ index, 0: mark }) => ({ mark, start: index, end: index + mark.length }));
}

/** The text with everything that looks like a mark replaced; what has no replacement stays. */
export function replaceMarks(text: string, replacement: (mark: string) => string | undefined): string {
	return text.includes("\u27E6") ? text.replace(form, (mark) => replacement(mark) ?? mark) : text;
}

/** Makes marks that are no part of the texts that were noted before, such as `⟦GitHub token 1⟧`. */
export class MarkMaker {
	private readonly used = new Set<string>();
	private readonly numbers = new Map<string, number>();

	/** Notes what looks like a mark in a text from outside, so that it is made for nothing. */
	note(text: string): void {
		for (const { mark } of marksIn(text)) this.used.add(mark);
	}

	make({ name }: SecretKind): string {
		for (;;) {
			const number = (this.numbers.get(name) ?? 0) + 1;
			this.numbers.set(name, number);
			const mark = `\u27E6${name} ${number}\u27E7`;
			if (this.used.has(mark)) continue;
			this.used.add(mark);
			return mark;
		}
	}
}
