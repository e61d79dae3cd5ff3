import { ranks, type Finding, type SecretKind } from "./finding.ts";

/**
 * How secrets of one kind are written. Patterns must need no more than linear time, whatever the text: what a token
 * consists of may not stand before it, so that a run of these characters is gone through once, and all else is bounded.
 */
export interface Form {
	readonly kind: SecretKind;
	/** Texts without any of these hold none; saves going through them by the pattern. */
	readonly hints?: readonly string[];
	/** Global; the secret is the group `secret`, `quoted` or `bare` at the very end, or else the whole match. */
	readonly pattern: RegExp;
	/** Whether a match is a secret after all. */
	readonly accepts?: (match: RegExpExecArray, secret: string) => boolean;
}

/** The kind of secrets that the form of their text names. */
export function kindOf(name: string, rank: number = ranks.issued): SecretKind {
	return { name, label: name, rank };
}

/** The places of a text that have this form. */
export function findForm({ kind, hints, pattern, accepts }: Form, text: string): readonly Finding[] {
	if (hints !== undefined && !hints.some((hint) => text.includes(hint))) return [];
	const findings: Finding[] = [];
	for (const match of text.matchAll(pattern)) {
		const { secret = match.groups?.["quoted"] ?? match.groups?.["bare"] ?? match[0] } = match.groups ?? {};
		const end = match.index + match[0].length;
		if (accepts === undefined || accepts(match, secret)) findings.push({ start: end - secret.length, end, kind });
	}
	return findings;
}

/** What people write where a secret would be, as in examples. */
const placeholder =
	/example|placeholder|redacted|dummy|your[-_ ]?|[-_]here\b|x{4}|\*{3}|\.{3}|1234567890(?!\d)|^\$?\{|^<|^%\w+%$|^\$\w+$/i;

/** Whether a text stands in the place of a secret without being one. */
export function isPlaceholder(text: string): boolean {
	// A run of one or two characters is none either.
	return placeholder.test(text) || new Set(text.slice(0, 200)).size < 4;
}
