/** A secret that was found in texts. Never holds the secret itself where it could be shown or kept. */
export interface RedactionMark {
	readonly id: string;
	/** What it is, in our words: `GitHub token`, `value of input “db-password”`, `your pattern “ticket”`. */
	readonly label: string;
	/** How it stands in a text; occurs in none of the texts by itself, and is safe inside of a JSON string. */
	readonly mark: string;
	/** How often it occurs in all texts. */
	readonly count: number;
}

/** The secrets of one request. The same secret has the same mark wherever it stands. */
export interface Redaction {
	/** In the order of their first places. */
	readonly marks: readonly RedactionMark[];
	/** The text with every secret as its mark, but those whose ids are in `shown`. Also finds them in edited texts. */
	mask(text: string, shown?: ReadonlySet<string>): string;
	/** The text with the marks of `shown` as the secrets that they stand for. */
	unmask(text: string, shown: ReadonlySet<string>): string;
}

/** Finds secrets in texts by known forms, by the values of the secrets that the host knows, and by the person's patterns. */
export type FindSecrets = (texts: readonly string[]) => Promise<Redaction>;
