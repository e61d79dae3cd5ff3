import type { SecretKind } from "../../../base/secrets/finding.ts";

/** A secret that was found in texts. Never holds the secret itself where it could be shown or kept. */
export interface RedactionMark {
	readonly id: string;
	/** Its kind, in our words: `GitHub token`, `value of input “db-password”`, `your pattern “ticket”`. */
	readonly label: string;
	/** Its mark; occurs in none of the original texts, and is safe inside of a JSON string. */
	readonly mark: string;
	/** How often it occurs in all texts. */
	readonly count: number;
}

/** The secrets of one request. The same secret has the same mark everywhere. */
export interface Redaction {
	/** In the order of their first places. Grows by `take`, and by `mask` where a text holds a secret that is new. */
	readonly marks: readonly RedactionMark[];
	/** The searches that were not possible, and why, in sentences for the user; such a request must be reviewed. */
	readonly problems: readonly string[];
	/**
	 * Looks through further texts from outside, such as the context of servers or a completion: their secrets join. A text
	 * that looks like one of the marks is marked itself there, so that it can never turn into the secret.
	 */
	take(texts: readonly string[]): Promise<void>;
	/**
	 * The text with every secret as its mark, except those whose ids are in `shown`. Edited texts are searched again,
	 * except for secrets of the host that were in none of the texts.
	 */
	mask(text: string, shown?: ReadonlySet<string>): string;
	/** The text with the marks of `shown` replaced by their secrets. */
	unmask(text: string, shown: ReadonlySet<string>): string;
}

/** Finds secrets in texts by known forms, by the values of the secrets that the host knows, and by the user's patterns. */
export type FindSecrets = (texts: readonly string[]) => Promise<Redaction>;

/** Possible marks: between brackets that no programming language and almost no text uses. */
const form = /\u27E6[^\u27E6\u27E7]{1,80}\u27E7/g;

/** All apparent marks in a text, in order. */
export function marksIn(
	text: string,
): readonly { readonly mark: string; readonly start: number; readonly end: number }[] {
	if (!text.includes("\u27E6")) return [];
	return Array.from(text.matchAll(form), ({ index, 0: mark }) => ({ mark, start: index, end: index + mark.length }));
}

/** The text with everything that looks like a mark replaced; a mark without a replacement stays. */
export function replaceMarks(text: string, replacement: (mark: string) => string | undefined): string {
	return text.includes("\u27E6") ? text.replace(form, (mark) => replacement(mark) ?? mark) : text;
}

/** Makes marks that do not occur in the noted texts, such as `⟦GitHub token 1⟧`. */
export class MarkMaker {
	private readonly used = new Set<string>();
	private readonly numbers = new Map<string, number>();

	/** Notes apparent marks in a text from outside, so that no secret gets one of them. */
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
