/**
 * Invented secrets for tests. They are assembled here, so that no scanner reports this repository, and are the same in
 * every run.
 */
import { FoundSecrets, type SecretSigns } from "../../../../../src/features/sampling/redaction/foundSecrets.ts";
import type { KnownSecret } from "../../../../../src/base/secrets/knownSecret.ts";
import { tokenForms, writtenForms } from "../../../../../src/base/secrets/secretForms.ts";
import type { Redaction } from "../../../../../src/features/sampling/redaction/redaction.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
export const alphabets = {
	word: `${letters}${letters.toUpperCase()}0123456789`,
	hex: "0123456789abcdef",
	upper: `${letters.toUpperCase()}234567`,
	digits: "0123456789",
};

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let value = Math.imul(state ^ (state >>> 15), 1 | state);
		value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
		return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
	};
}

/** A text of random characters, the same for the same seed; it has at least one digit, so that it looks generated. */
export function random(length: number, alphabet = alphabets.word, seed = length): string {
	const next = randomNumbers(seed);
	const text = Array.from({ length: length - 1 }, () => alphabet.charAt(Math.floor(next() * alphabet.length))).join("");
	return `${text.slice(0, 2)}7${text.slice(2)}`.replace(/^(.)(.)7/, alphabet === alphabets.upper ? "$1$25" : "$1$27");
}

export const githubToken = `ghp_${random(36)}`;
export const privateKey = [
	["-----BEGIN RSA", "PRIVATE KEY-----"].join(" "),
	random(64, alphabets.word, 1),
	random(64, alphabets.word, 2),
	`${random(30, alphabets.word, 3)}==`,
	["-----END RSA", "PRIVATE KEY-----"].join(" "),
].join("\n");

/** All detectors, with these secrets of the host and the given patterns. */
export function signs(known: readonly KnownSecret[] = [], more: Partial<SecretSigns> = {}): SecretSigns {
	return {
		forms: [...tokenForms, ...writtenForms],
		hasPrivateKeys: true,
		patterns: [],
		problems: [],
		known: async () => ({ secrets: known, problems: [] }),
		...more,
	};
}

/** The secrets of texts. */
export async function redact(
	texts: readonly string[],
	known: readonly KnownSecret[] = [],
	more: Partial<SecretSigns> = {},
): Promise<Redaction> {
	const found = new FoundSecrets(signs(known, more));
	await found.take(texts);
	return found;
}

/** One text as it is shown, with all secrets as their marks. */
export async function masked(text: string, known: readonly KnownSecret[] = []): Promise<string> {
	return (await redact([text], known)).mask(text);
}
