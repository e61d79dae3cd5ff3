import { kindOf, type Form } from "./finding.ts";
import { isPlaceholder } from "./placeholder.ts";
import { ends, password, placedForms, quote, secretValue } from "./placedForms.ts";
import { nameSort } from "./secretNames.ts";

/** Letters, digits, `_` and `-`, the characters of most tokens. */
const wordly = String.raw`\w-`;
const alphanumeric = "A-Za-z0-9";

/**
 * A token with a prefix of its issuer, by which it is recognized: GitHub's, for example, begins with `ghp_`. No
 * character of `body` may precede it, unless an escape ends there: `\n` in JSON, `%3D` in an address.
 */
function token(name: string, hints: readonly string[], start: string, body: string, rest: string): Form {
	const before = String.raw`(?<=^|[^${body}]|\\[nrtbf]|%[\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4})`;
	return {
		kind: kindOf(name),
		hints,
		pattern: new RegExp(`${before}(?:${start})${rest}`, "g"),
		accepts: (_match, secret) => !isPlaceholder(secret),
	};
}

/** As `token`, with at least so many characters of `body` behind its beginning. */
function run(name: string, hints: readonly string[], start: string, length: number, body = wordly): Form {
	return token(name, hints, start, body, `[${body}]{${length},}`);
}

/** The keys and tokens that can be recognized by their issuer's form. */
export const tokenForms: readonly Form[] = [
	run("OpenAI key", ["sk-"], "sk-(?:proj|svcacct|admin|None)-", 20),
	run("Anthropic key", ["sk-ant-"], "sk-ant-", 20),
	run("OpenRouter key", ["sk-or-"], "sk-or-", 20),
	run("API key", ["sk-"], String.raw`sk-(?=[A-Za-z]{0,60}\d)`, 20, alphanumeric),
	run(
		"API key",
		["gsk_", "xai-", "pplx-", "r8_", "csk-", "fw_", "tgp_v1_"],
		"gsk_|xai-|pplx-|r8_|csk-|fw_|tgp_v1_",
		24,
	),
	run("GitHub token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[opurs]_", 30, String.raw`\w`),
	run("GitHub token", ["github_pat_"], "github_pat_", 22, String.raw`\w`),
	token(
		"GitLab token",
		["glpat-", "gldt-", "glrt-", "gloas-", "glptt-", "glft-", "glsoat-", "glcbt-", "glimt-", "glagent-"],
		"gl(?:pat|dt|rt|oas|ptt|ft|soat|cbt|imt|agent)-",
		wordly,
		String.raw`[\w-]{20,}(?:\.\w{2,20}){0,2}`,
	),
	run("Slack token", ["xox"], String.raw`xox[abeoprs](?:\.xox[bp])?-`, 10),
	run("Slack token", ["xapp-"], "xapp-", 10),
	token(
		"Slack webhook",
		["hooks.slack.com/"],
		String.raw`(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/`,
		wordly,
		String.raw`[\w/]{20,}`,
	),
	run("Discord webhook", ["/api/webhooks/"], String.raw`(?<=/api/webhooks/\d{16,22}/)`, 50),
	token(
		"AWS access key",
		["AKIA", "ASIA", "ABIA", "ACCA"],
		"A[KS]IA|ABIA|ACCA",
		alphanumeric,
		"[A-Z2-7]{16}(?![A-Za-z0-9])",
	),
	token("Google key", ["AIza"], "AIza", wordly, String.raw`[\w-]{35}(?![\w-])`),
	run("Google token", ["ya29."], String.raw`ya29\.`, 20),
	run("Google client secret", ["GOCSPX-"], "GOCSPX-", 20),
	run("Google refresh token", ["1//0"], "1//0", 30),
	token(
		"Azure client secret",
		["Q~"],
		String.raw`[\w~.-]{3}\dQ~`,
		String.raw`\w~.-`,
		String.raw`[\w~.-]{31,34}(?![\w~.-])`,
	),
	run("Stripe key", ["k_live_", "k_test_"], "[rs]k_(?:live|test)_", 16, alphanumeric),
	token("signing secret", ["whsec_"], "whsec_", wordly, "[A-Za-z0-9+/=]{20,}"),
	run("npm token", ["npm_"], "npm_", 36, alphanumeric),
	run("PyPI token", ["pypi-"], "pypi-", 50),
	run("Hugging Face token", ["hf_"], "hf_(?=[a-z]{0,40}[A-Z0-9])", 30, alphanumeric),
	token("SendGrid key", ["SG."], String.raw`SG\.`, wordly, String.raw`[\w-]{16,64}\.[\w-]{16,}`),
	run("DigitalOcean token", ["_v1_"], "do[opr]_v1_", 60, "a-f0-9"),
	run("Shopify token", ["shpat_", "shpca_", "shppa_", "shpss_"], "shp(?:at|ca|pa|ss)_", 32, "A-Fa-f0-9"),
	token("Telegram token", [":AA"], String.raw`\d{8,10}:AA`, wordly, String.raw`[\w-]{33}(?![\w-])`),
	run("Linear key", ["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_", 32, alphanumeric),
	run("Notion token", ["ntn_"], "ntn_", 40, alphanumeric),
	run("Databricks token", ["dapi"], "dapi", 32, "a-f0-9"),
	run("Docker token", ["dckr_"], "dckr_(?:pat|oat)_", 20),
	run("Vault token", ["hvs.", "hvb.", "hvr."], String.raw`hv[sbr]\.`, 20),
	token("Terraform token", [".atlasv1."], String.raw`\w{14}\.atlasv1\.`, wordly, String.raw`[\w-]{50,}`),
	token("Atlassian token", ["ATATT3", "ATCTT3"], "AT[AC]TT3", wordly, String.raw`[\w=-]{60,}`),
	run("Postman key", ["PMAK-"], "PMAK-", 50),
	run("Figma token", ["figd_"], "figd_", 36),
	token("Grafana token", ["glsa_", "glc_eyJ"], "glsa_|glc_(?=eyJ)", wordly, String.raw`[\w+/=]{30,}`),
	run("New Relic key", ["NRAK-"], "NRAK-", 27, "A-Z0-9"),
	token("Sentry token", ["sntrys_", "sntryu_"], "sntry[su]_", wordly, String.raw`[\w+/=]{40,}`),
	run("Square token", ["sq0"], "sq0(?:atp|csp)-", 22),
	run("Supabase token", ["sbp_"], "sbp_", 40, "a-f0-9"),
	run("PlanetScale token", ["pscale_"], "pscale_(?:tkn|pw|oauth)_", 30),
	run("Doppler token", ["dp."], String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?`, 40, alphanumeric),
	run("RubyGems key", ["rubygems_"], "rubygems_", 40, "a-f0-9"),
	run("Tailscale key", ["tskey-"], "tskey-", 20),
	run("1Password token", ["ops_eyJ"], "ops_eyJ", 60),
	run("age key", ["AGE-SECRET-KEY-1"], "AGE-SECRET-KEY-1", 50, "A-Z0-9"),
	token("JSON Web Token", ["eyJ"], "eyJ", wordly, String.raw`[\w-]{8,}\.[\w-]{4,}\.[\w-]{4,}(?:\.[\w-]{4,}){0,2}`),
];

/** Whether a word looks generated: small letters, capitals and digits in an order that no name has. */
export function machineMade(word: string): boolean {
	if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || !/\d/.test(word)) return false;
	const runs = word.match(/[a-z]+|[A-Z]+|\d+/g)?.length ?? 0;
	return runs > 0.4 * word.length;
}

/**
 * Prefixes of issued keys, also where the rest has no known length. A digit is required, because `sk.createElement` has
 * none.
 */
const beginnings = [
	"sk",
	"pk",
	"rk",
	"hf",
	"npm",
	"SG",
	"glpat",
	"ghp",
	"gho",
	"ghu",
	"ghs",
	"ghr",
	"github_pat",
	"shpat",
	"dop_v1",
];

/** Words that begin as issued keys do, also of letters alone. Used in data, which contains no program text. */
export const looseForm: Form = {
	kind: kindOf("key"),
	pattern: new RegExp(String.raw`(?<![\w.-])(?:${beginnings.join("|")}|xox[abeprs])[-_.][\w-]{12,}`, "gi"),
	accepts: (_match, secret) => !isPlaceholder(secret),
};

/** Values that look issued, by weaker evidence than `tokenForms`. */
export const issuedForms: readonly Form[] = [
	...["-", "_", "."].map((sign) =>
		token(
			"key",
			beginnings.map((beginning) => beginning + sign),
			`(?:${beginnings.join("|")})[${sign}](?=[A-Za-z_-]{0,80}\\d)`,
			wordly,
			String.raw`[\w-]{12,}`,
		),
	),
	token(
		"key",
		["AKIA", "ASIA", "AIza", "ya29."],
		String.raw`(?:AKIA|ASIA|AIza|ya29\.)(?=[A-Za-z_-]{0,80}\d)`,
		wordly,
		String.raw`[\w-]{12,}`,
	),
	token("JSON Web Token", ["eyJ"], "eyJ", wordly, String.raw`[\w-]{8,}\.[\w-]{0,}`),
	{
		kind: kindOf("authorization"),
		pattern: /\b(?:bearer|basic|dpop|token)\s{1,3}(?<secret>[^\s"',;<>()\u27E6\u27E7]{6,2000})/gi,
		accepts: (_match, secret) => /\d/.test(secret) && !isPlaceholder(secret) && !/^[A-Za-z]+\d{0,2}$/.test(secret),
	},
];

const names = String.raw`passw(?:or)?d|pass(?:phrase|code)|passwort|kennwort|wachtwoord|contrase\u00f1a|pwd|secret|token|credential|code_verifier|(?:api|access|private|account|shared|signing|encryption|storage|master|subscription|auth|license)[-_ ]?key`;
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
		const sort = nameSort(nameAround(match));
		const { quoted } = match.groups ?? {};
		if (sort === undefined || isPlaceholder(secret)) return false;
		// A value that is called, indexed or looked up is code.
		const next = match.input.charAt(match.index + match[0].length);
		if (quoted === undefined && /[([{<$]/.test(next)) return false;
		// A mark in the place of a number would break the JSON.
		if (quoted === undefined && /["'`]/.test(match[0].slice(0, -secret.length)) && !Number.isNaN(Number(secret)))
			return false;
		return sort === "password" ? mayBePassword(secret, quoted !== undefined) : mayBeToken(secret);
	},
};

/** `my token is …`: only values that no user would write otherwise. */
const spoken: Form = {
	kind: secretValue,
	pattern: new RegExp(
		String.raw`\b(?:password|passphrase|passcode|token|secret|(?:api|access|private|secret)[-_ ]key)\s{1,3}(?:is|was|will be)\s{0,3}:?\s{1,3}["'${"`"}]?(?<secret>[^${ends}]{8,200})`,
		"gi",
	),
	accepts: (_match, secret) => !isPlaceholder(secret) && mayBeToken(secret.replace(/(?<![.!?:])[.!?:]+$/, "")),
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

/** Secrets that can be recognized by the text around them. */
export const writtenForms: readonly Form[] = [
	assigned,
	spoken,
	authorization,
	inAddress,
	signature,
	...placedForms(
		(sort, secret, isQuoted) =>
			!isPlaceholder(secret) && (sort === "password" ? mayBePassword(secret, isQuoted) : mayBeToken(secret)),
	),
];

/** The whole name of an assignment, of which the pattern found the end. */
function nameAround({ input, index, groups, 0: whole }: RegExpExecArray): string {
	const [before = ""] = /(?<![\w.-])[\w.-]*$/.exec(input.slice(Math.max(0, index - nameLength), index)) ?? [];
	const value = groups?.["quoted"] ?? groups?.["bare"] ?? "";
	const [name = ""] = /^[\w\- \u00f1]*/i.exec(whole.slice(0, whole.length - value.length)) ?? [];
	// In JSON a name may follow an escape.
	return before.replace(/^[nrt](?=[A-Z_])/, "") + name.trimEnd();
}

const places = /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|[a-z][a-z\d+.-]*:\/\/|urn:)/;

/** A value under the name of a password. Words alone do not count, since they are more likely a remark about it. */
function mayBePassword(value: string, isQuoted: boolean): boolean {
	if (places.test(value) || /\s/.test(value)) return false;
	if (/^[\p{L}._-]+[!?:]*$/u.test(value)) return false;
	// As in `password: string|undefined` or `process.env.DB1_PASSWORD`.
	return isQuoted || !/^[A-Za-z_]+(?:\.[A-Za-z_]\w*)+$/.test(value);
}

/** A value under the name of a token, key or secret: letters and digits mixed as in no word. */
function mayBeToken(value: string): boolean {
	if (value.length < 10 || /\s/.test(value) || places.test(value)) return false;
	if (/^[A-Za-z_]+(?:\.[A-Za-z_]\w*)+$/.test(value)) return false;
	const digits = value.match(/\d/g)?.length ?? 0;
	const letters = value.match(/[A-Za-z]/g)?.length ?? 0;
	// Words with one number are a name, such as `client_secret_v22` or `X509Credential`.
	return letters > 0 && digits >= 2 && !/^[A-Za-z][A-Za-z_.-]*(?:\d{1,2}|\d{1,4}[A-Z][A-Za-z]*)$/.test(value);
}
