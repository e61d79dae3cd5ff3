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

function isMixed(word: string): boolean {
	return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}
