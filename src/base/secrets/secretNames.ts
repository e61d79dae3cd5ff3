import { inPlainLetters } from "../lookAlikes.ts";

/** Words that name a secret, alone or at the end of a longer word such as `PGPASSWORD` or `authtoken`. */
const passwordWord =
	/(?:passwords?|passwd|passphrases?|passcodes?|passwor[dt]|passwoord|kennwort|wachtwoord|contrase\u00f1a|senha|has\u0142o|l\u00f6senord|pwd)$|^pass$/;
const otherWord =
	/(?:secrets?|token|credentials?|apikey|accesskey|privatekey|secretkey|accountkey|subscriptionkey)$|^(?:pin|otp|totp|mfa|2fa|cvv|cvc|ssn)$/;
/** The words that mark a key, or a code, as secret. */
const before: Readonly<Record<string, RegExp>> = {
	key: /^(?:api|app|application|consumer|session|client|service|access|private|secret|account|shared|signing|encryption|storage|master|subscription|auth|license|recovery|ssh|functions)$/,
	code: /^(?:pin|security|verification|recovery|backup|otp|time)$/,
	phrase: /^(?:seed|recovery|backup|pass)$/,
	security: /^social$/,
	card: /^(?:credit|debit)$/,
	verifier: /^code$/,
};
/** Names of headers that grant access, with any value. */
const header =
	/^(?:x[-_])?(?:proxy[-_])?authorization$|^(?:set-)?cookie2?$|^dpop$|^mcp-session-id$|^x-.*(?:key|token|secret)$/i;
/** Other names of secrets in the configuration of a server. */
const configured = /(?:^|[-_])(?:key|auth|pat|jwt|dsn|bearer|cookie)$/i;
/** The words that follow when the value is only about a secret. */
const about =
	/^(?:ids?|names?|types?|hash|counts?|limits?|lengths?|size|ur[il]s?|path|files?|dir|folder|expir\w*|ttl|policy|fields?|labels?|hints?|prompts?|placeholder|formats?|patterns?|regex|versions?|index|usage|budget|prices?|costs?|timestamp|date|at|in|scheme|kind|algorithm|strategy|manager|provider|service|store|ref|reference|arn|endpoint|reset|rotation|rules?|strength|required|enabled|set|header|env|var|variable|keyword|description|helper|mode|timeout|command|class|prefix|suffix|max|min|sock|socket)$/;
/** The words before `token` when it is not a secret: positions in lists, and counts for models. */
const counted =
	/^(?:page|next|prev|previous|cursor|continuation|continue|resume|sync|progress|max|min|total|num|prompt|completion|input|output|cached?|reasoning|special|eos|bos|pad|unk|sep|cls|mask|stop|start|end|each|per|first|last|mention|syntax|lexical|design)$/;
/** The shell's variable for the former working directory; the present one is recognized by its value. */
const directory = /^oldpwd$/i;
/** Keys that are not secrets: of sorting and of tables, and file names. */
const openKey = /(?:^|[-_])(?:sort|primary|foreign|partition|public|tls|ssl|group|cache|map|hot)[-_]?key$/i;

/** Words that ask for secrets. Each must be a whole word, so `maxTokens` and `passenger` do not match. */
const asked = new RegExp(
	[
		String.raw`pass(?:word|phrase|wd|code)s?`,
		"secret(?!ar)",
		String.raw`\btoken\b`,
		String.raw`(?:api|private|access|encryption|signing|ssh|license|recovery|account|subscription)[\s_-]?key`,
		"credential",
		String.raw`\b(?:pin|cvv|cvc|ssn|otp|totp|2fa|mfa|iban|pwd)\b`,
		String.raw`social[\s_-]?security`,
		String.raw`(?:seed|recovery|backup)[\s_-]?(?:phrase|code|word)`,
		String.raw`(?:credit|debit)[\s_-]?card`,
		String.raw`(?:one[\s_-]?time|verification|security)[\s_-]?code`,
		// The same in other languages.
		"passw(?:ort|oord)|kennwort|mot de passe|contrase\u00f1a|senha|has\u0142o|wachtwoord|l\u00f6senord",
		"\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638",
	].join("|"),
	"iu",
);

/** A word that every name of a secret contains: it rules out most names. */
const likely =
	/pass|pwd|wort|wacht|senha|secret|token|credential|key|pin|otp|mfa|2fa|cv[vc]|ssn|code|phrase|card|verifier|security|auth|cookie|dpop|session|[^\x20-\x7e]/i;

/** Whether a name, such as that of a variable, a field or a header, is one of a secret; and of which sort. */
export function nameSort(name: string): "password" | "other" | undefined {
	if (!likely.test(name) || directory.test(name)) return undefined;
	if (header.test(name)) return "other";
	const words = name
		.normalize("NFKC")
		.replace(/([a-z\d])([A-Z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== "");
	const at = words.findLastIndex(
		(word, index) =>
			passwordWord.test(word) ||
			otherWord.test(word) ||
			(Object.hasOwn(before, word) && before[word]?.test(words[index - 1] ?? "") === true),
	);
	const word = words[at];
	if (word === undefined || about.test(words.at(-1) ?? "")) return undefined;
	if (word === "token" && counted.test(words[at - 1] ?? "")) return undefined;
	return passwordWord.test(word) ? "password" : "other";
}

/** Members of an object with a secret's name that are not part of the secret. */
const described =
	/^(?:title|status|state|message|issuer|scopes?|enum|const|default|examples?|user|username|login|email|host|hostname|port|region|note|comment|created|updated|expires?|account|project|tenant|audience|subject|protocol|source|level|on|off|of|by|\$.*)$/i;

/** Whether a text that is a member of an object with the name of a secret is a part of that secret. */
export function isMemberBelow(name: string, text: string): boolean {
	const word = name
		.replace(/([a-z\d])([A-Z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^\p{L}\p{N}$]+/u)
		.findLast((one) => one !== "");
	if (word === undefined || about.test(word) || described.test(word)) return false;
	// Words and times describe a secret, and a secret has no blanks.
	return text.length > 3 && !/\s/.test(text) && !/^[\p{L}._/-]+$/u.test(text) && !/^\d{4}-\d\d-\d\d(?:T|$)/.test(text);
}

/** Whether a name holds secrets in the entry of a server, where short names do that are common elsewhere. */
export function isConfiguredName(name: string): boolean {
	return nameSort(name) !== undefined || (configured.test(name) && !openKey.test(name));
}

/** Whether a text asks a user for a secret, by common words for secrets (ELC-01). */
export function asksInWords(text: string): boolean {
	// Full-width letters become plain ones, hidden characters go, and a name in camel case is split into its words.
	const plain = text
		.normalize("NFKC")
		.replace(/\p{Cf}/gu, "")
		.replace(/([a-z\d])([A-Z])|[_.]+/g, "$1 $2");
	return asked.test(plain) || asked.test(inPlainLetters(plain.toLowerCase())) || /\bPATs?\b/.test(plain);
}
