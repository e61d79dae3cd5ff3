import { kindOf, isPlaceholder, type Form } from "./form.ts";
import { ranks } from "./finding.ts";
import { secretName } from "./secretNames.ts";

const password = kindOf("password", ranks.written);
const secretValue = kindOf("secret value", ranks.written);
/** What ends a value that stands without quotes; the brackets are those of our marks. */
const ends = String.raw`\s"'${"`"}\\,;&<>(){}[\]|\u27E6\u27E7`;
const names = String.raw`passw(?:or)?d|pass(?:phrase|code)|passwort|kennwort|wachtwoord|contrase\u00f1a|pwd|secret|token|credential|(?:api|access|private|account|shared|signing|encryption|storage|master|subscription|auth|license)[-_ ]?key`;
const quote = String.raw`\\{0,3}["'${"`"}]`;
/** How much before a name belongs to it. */
const nameLength = 40;

/** `password=…`, `"clientSecret": "…"`, `?access_token=…`: a secret behind a name that says so. */
const assigned: Form = {
	kind: secretValue,
	pattern: new RegExp(
		String.raw`(?:${names})(?<rest>[\w-]{0,30})(?:${quote})?\]?\s{0,3}(?::=|=>|==?|:)\s{0,3}(?:(?<open>${quote})(?<quoted>(?:(?!\k<open>)(?:\\[^\n]|[^\\\n\u27E6\u27E7])){6,200})(?=\k<open>)|(?<bare>[^${ends}]{6,200}))`,
		"gi",
	),
	accepts: (match, secret) => {
		const sort = secretName(nameAround(match));
		const { quoted } = match.groups ?? {};
		if (sort === undefined || isPlaceholder(secret)) return false;
		// What is called, indexed or looked up is code.
		const next = match.input.charAt(match.index + match[0].length);
		if (quoted === undefined && /[([{<$]/.test(next)) return false;
		// A mark in the place of a number would break the JSON.
		if (quoted === undefined && /["'`]/.test(match[0].slice(0, -secret.length)) && !Number.isNaN(Number(secret)))
			return false;
		return sort === "password" ? mayBePassword(secret, quoted !== undefined) : mayBeToken(secret);
	},
};

/** `my token is …`: only what no person would write otherwise. */
const spoken: Form = {
	kind: secretValue,
	pattern: new RegExp(
		String.raw`\b(?:password|passphrase|passcode|token|secret|(?:api|access|private|secret)[-_ ]key)\s{1,3}(?:is|was|will be)\s{0,3}:?\s{1,3}["'${"`"}]?(?<secret>[^${ends}]{8,200})`,
		"gi",
	),
	accepts: (_match, secret) => !isPlaceholder(secret) && mayBeToken(secret.replace(/[.!?:]+$/, "")),
};

/** `Authorization: Bearer …`, and a bearer token without its header. */
const authorization: Form = {
	kind: kindOf("authorization"),
	pattern: new RegExp(
		String.raw`(?:authorization(?:${quote})?\s{0,3}[:=,]\s{0,3}(?:${quote})?(?:bearer|basic|token|apikey|negotiate)|\bbearer)\s{1,3}(?<secret>[\w~+/][\w~+/.:-]{7,}={0,2})`,
		"gi",
	),
	accepts: (match, secret) => {
		const isHeader = /^authorization/i.test(match[0]);
		return !isPlaceholder(secret) && (isHeader || (secret.length >= 16 && /\d/.test(secret) && /[a-z]/i.test(secret)));
	},
};

/** The password of `postgres://user:password@host`. */
const inAddress: Form = {
	kind: password,
	hints: ["://"],
	pattern: /:\/\/[^\s:@/?#"'`<>\u27E6\u27E7]{0,100}:(?<secret>[^\s@/?#"'`<>\u27E6\u27E7]{3,200})(?=@)/g,
	accepts: (_match, secret) => !isPlaceholder(secret) && !/^(?:pass(?:word|wd)?|pwd|secret|token|user)$/i.test(secret),
};

/** The signature of an address that opens by it, as those of Azure and AWS do. */
const signature: Form = {
	kind: kindOf("signature"),
	hints: ["sig=", "Signature=", "signature="],
	pattern: /[?&;](?:sig|x-amz-signature|x-goog-signature|signature)=(?<secret>[\w%+/=~.-]{32,2000})/gi,
	accepts: (_match, secret) => !isPlaceholder(secret),
};

/** Secrets that can be told by what is written around them. */
export const writtenForms: readonly Form[] = [assigned, spoken, authorization, inAddress, signature];

/** The whole name that an assignment begins with, of which the pattern found the end. */
function nameAround({ input, index, groups, 0: whole }: RegExpExecArray): string {
	const [before = ""] = /[\w.-]*$/.exec(input.slice(Math.max(0, index - nameLength), index)) ?? [];
	const value = groups?.["quoted"] ?? groups?.["bare"] ?? "";
	const [name = ""] = /^[\w\- \u00f1]*/i.exec(whole.slice(0, whole.length - value.length)) ?? [];
	// In JSON a name may follow an escape.
	return before.replace(/^[nrt](?=[A-Z_])/, "") + name.trimEnd();
}

const places = /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|[a-z][a-z\d+.-]*:\/\/|urn:)/;

/** A value of a name that is a password's: words alone are none, since they are rather what is said about it. */
function mayBePassword(value: string, isQuoted: boolean): boolean {
	if (places.test(value) || /\s/.test(value)) return false;
	if (/^[\p{L}._-]+[!?:]*$/u.test(value)) return false;
	// As in `password: string|undefined` or `process.env.DB1_PASSWORD`.
	return isQuoted || !/^[A-Za-z_]+(?:\.[A-Za-z_]\w*)+$/.test(value);
}

/** A value of a name that is a token's, a key's or a secret's: letters and digits, as no word has them. */
function mayBeToken(value: string): boolean {
	if (value.length < 10 || /\s/.test(value) || places.test(value)) return false;
	if (/^[A-Za-z_]+(?:\.[A-Za-z_]\w*)+$/.test(value)) return false;
	const digits = value.match(/\d/g)?.length ?? 0;
	const letters = value.match(/[A-Za-z]/g)?.length ?? 0;
	// Words with one number are a name, such as `client_secret_v22` or `X509Credential`.
	return letters > 0 && digits >= 2 && !/^[A-Za-z][A-Za-z_.-]*(?:\d{1,2}|\d{1,4}[A-Z][A-Za-z]*)$/.test(value);
}
