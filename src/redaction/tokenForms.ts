import { isPlaceholder, kindOf, type Form } from "./form.ts";

/** Letters, digits, `_` and `-`, of which most tokens are made. */
const wordly = String.raw`\w-`;
const alphanumeric = "A-Za-z0-9";

/**
 * A token that its issuer begins with certain letters, so that it can be told: GitHub's, for example, with `ghp_`. No
 * character of `body` may stand before it, unless an escape ends there: `\n` in JSON, `%3D` in an address.
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

/** The keys and tokens whose issuers let them be told by their form. */
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
