/** The name of a secret's kind. */
export interface SecretKind {
	/** In its mark, which models are sent: nothing that is private, nothing of a server. */
	readonly name: string;
	/** For the user. */
	readonly label: string;
	/** Whose name counts where several overlap: the greatest. */
	readonly rank: number;
}

/** A place in a text that holds a secret. */
export interface FoundSecret {
	readonly start: number;
	/** Behind its last character. */
	readonly end: number;
	readonly kind: SecretKind;
	/** The name before it in the text, if it was found by a name. */
	readonly name?: string;
}

/** How certain the match of a kind is. */
export const ranks = { written: 0, issued: 1, custom: 2, known: 3 } as const;

/** The places in order, those that overlap made one, which is called by the most certain of its kinds. */
export function mergeFound(findings: readonly FoundSecret[]): readonly FoundSecret[] {
	const merged: FoundSecret[] = [];
	for (const finding of findings.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
		const last = merged.at(-1);
		if (last === undefined || finding.start >= last.end) merged.push(finding);
		else {
			const kind = finding.kind.rank > last.kind.rank ? finding.kind : last.kind;
			merged[merged.length - 1] = { ...finding, ...last, end: Math.max(last.end, finding.end), kind };
		}
	}
	return merged;
}

/**
 * How secrets of one kind are written. Patterns must need at most linear time for any text. The characters of a token
 * may not precede it, so that a run of them is scanned once, and everything else is bounded.
 */
export interface Form {
	readonly kind: SecretKind;
	/** Texts without any of these hold none; saves going through them by the pattern. */
	readonly hints?: readonly string[];
	/** Global. The secret is the group `secret`, `quoted` or `bare` at the very end; otherwise the whole match. */
	readonly pattern: RegExp;
	/** Whether a match is a secret after all. */
	readonly accepts?: (match: RegExpExecArray, secret: string) => boolean;
	/** The secrets behind a match, where it is none itself. */
	readonly places?: (match: RegExpExecArray) => readonly FoundSecret[];
}

/** The kind of secrets that the form of their text names. */
export function kindOf(name: string, rank: number = ranks.issued): SecretKind {
	return { name, label: name, rank };
}

/** The places of a text that have this form. */
export function findForm({ kind, pattern, accepts, places }: Form, text: string): readonly FoundSecret[] {
	const findings: FoundSecret[] = [];
	for (const match of text.matchAll(pattern)) {
		if (places !== undefined) {
			findings.push(...places(match));
			continue;
		}
		const { secret = match.groups?.["quoted"] ?? match.groups?.["bare"] ?? match[0] } = match.groups ?? {};
		const end = match.index + match[0].length;
		if (accepts !== undefined && !accepts(match, secret)) continue;
		const { name } = match.groups ?? {};
		findings.push({ start: end - secret.length, end, kind, ...(name !== undefined && { name }) });
	}
	return findings;
}
