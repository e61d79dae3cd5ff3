/** Words by which secrets are asked for; each stands for itself, so that `maxTokens` and `passenger` are none. */
const words = [
	String.raw`pass(?:word|phrase|wd|code)s?`,
	"secret",
	String.raw`\btoken\b`,
	String.raw`(?:api|private|access|encryption|signing|ssh|license|recovery)[\s_-]?key`,
	"credential",
	String.raw`\bpin\b`,
	String.raw`\b(?:cvv|cvc|ssn|otp|totp|2fa|mfa|iban|pwd)\b`,
	String.raw`social[\s_-]?security`,
	String.raw`(?:seed|recovery|backup)[\s_-]?(?:phrase|code|word)`,
	String.raw`(?:credit|debit)[\s_-]?card`,
	String.raw`(?:one[\s_-]?time|verification|security)[\s_-]?code`,
	// The same in other languages.
	"passw(?:ort|oord)|kennwort|mot de passe|contrase\u00f1a|senha|has\u0142o|wachtwoord|l\u00f6senord",
	"\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638",
];
const secretWords = new RegExp(words.join("|"), "iu");
/** A user name and a password before a host. */
const userInfo = /:\/\/[^/?#@:]*:[^/?#@]+@/;
/** How much before an equals sign may be a name. */
const nameLength = 100;

/**
 * Whether one of these texts, such as a field's name and title, asks for a secret by the words that people use for
 * them. Servers must not ask for secrets in forms, and what looks like one is not remembered (ELC-01).
 */
export function looksSecret(...texts: readonly string[]): boolean {
	// Full-width letters are written as plain ones, and the words of a name in camel case are told apart.
	return texts.some((text) => secretWords.test(text.normalize("NFKC").replace(/([a-z\d])([A-Z])|[_.]+/g, "$1 $2")));
}

/** Whether a text, such as a URI, holds a secret beside its name, as in `?token=…`, or a password before a host. */
export function holdsSecret(text: string): boolean {
	// In a URI what was entered may stand encoded.
	const plain = text.replace(/%(?:23|26|2F|3A|3B|3D|3F|40|5F)/gi, (triplet) => decodeURIComponent(triplet));
	const names = plain.split("=").slice(0, -1).map(lastName);
	return looksSecret(...names) || userInfo.test(plain);
}

function lastName(text: string): string {
	return /[^?&;#/]*$/.exec(text.slice(-nameLength))?.[0] ?? "";
}

/** What those who issue keys and tokens let them begin with, and how other secrets are written. */
const forms = new RegExp(
	[
		String.raw`\b(?:sk|pk|rk|hf|npm|SG|glpat|ghp|gho|ghu|ghs|ghr|github_pat|xox[abeprs]|shpat|dop_v1)[-_.][\w-]{12,}`,
		String.raw`\b(?:AKIA|ASIA|AIza|ya29\.)[\w-]{12,}`,
		String.raw`\beyJ[\w-]{8,}\.`,
		String.raw`-----BEGIN [A-Z ]*PRIVATE KEY`,
		String.raw`\bbearer\s+\S{6,}`,
		String.raw`\bauthorization\s*:`,
	].join("|"),
	"i",
);

/**
 * Whether a text is, or holds, what only a machine makes to be kept secret: a key, a token, a header that carries one. It tells
 * by their forms; hashes, ids and paths are none.
 */
export function holdsKey(text: string): boolean {
	return forms.test(text) || (text.match(/[A-Za-z0-9_+=]{24,}/g) ?? []).some(isMixed);
}

/**
 * Whether the text of a program holds a key or a token as it is issued. Long words are no sign there, and a name such as
 * `sk.createElement` is none: what is issued has digits.
 */
export function holdsIssuedKey(text: string): boolean {
	const found = text.match(new RegExp(forms, "gi")) ?? [];
	return found.some((match) => match.startsWith("-----") || /\d/.test(match));
}

/** The text with `(secret)` in place of keys and tokens that are told by their form, each to its end. */
export function withoutIssuedKeys(text: string): string {
	const pem = String.raw`-----BEGIN [A-Z ]*PRIVATE KEY[^]*?(?:-----END [A-Z ]*-----|$)`;
	const header = String.raw`\b(?:basic|dpop|token)\s+[^\s"',;<>()]{6,}`;
	const issued = new RegExp(String.raw`${pem}|${header}|(?:${forms.source})[^\s"',;<>()]*`, "gi");
	return text.replace(issued, (match) => (match.startsWith("-----") || /\d/.test(match) ? "(secret)" : match));
}

function isMixed(word: string): boolean {
	return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}
