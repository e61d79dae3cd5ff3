/** Secrets by their form, and texts that are none: corpora in both directions . */
import { describe, expect, test } from "vitest";
import { alphabets, githubToken, masked, privateKey, random } from "./samples.ts";

const { hex, upper, digits } = alphabets;
const jwt = `eyJ${random(20)}.eyJ${random(40)}.${random(43)}`;

/** Secrets in the form of their issuers, and their names. */
const tokens: readonly (readonly [label: string, secret: string])[] = [
	["OpenAI key", `sk-proj-${random(48)}_${random(20)}-${random(9)}`],
	["OpenAI key", `sk-svcacct-${random(60)}`],
	["Anthropic key", `sk-ant-api03-${random(80)}-${random(10)}AA`],
	["OpenRouter key", `sk-or-v1-${random(64, hex)}`],
	["API key", `sk-${random(48)}`],
	["API key", `sk-${random(32, hex)}`],
	["API key", `gsk_${random(52)}`],
	["API key", `xai-${random(80)}`],
	["GitHub token", githubToken],
	["GitHub token", `gho_${random(36)}`],
	["GitHub token", `github_pat_${random(22)}_${random(59)}`],
	["GitLab token", `glpat-${random(20)}`],
	["GitLab token", `glpat-${random(27)}.01.${random(9)}`],
	["Slack token", `xoxb-${random(12, digits)}-${random(12, digits)}-${random(24)}`],
	["Slack token", `xapp-1-${random(11, upper)}-${random(13, digits)}-${random(64, hex)}`],
	["AWS access key", `AKIA${random(16, upper)}`],
	["AWS access key", `ASIA${random(16, upper)}`],
	["Google key", `AIza${random(35)}`],
	["Google token", `ya29.${random(120)}`],
	["Google client secret", `GOCSPX-${random(28)}`],
	["Azure client secret", `${random(3)}8Q~${random(34)}`],
	["Stripe key", `sk_live_${random(24)}`],
	["Stripe key", `rk_test_${random(90)}`],
	["signing secret", `whsec_${random(32)}`],
	["npm token", `npm_${random(36)}`],
	["PyPI token", `pypi-AgEIcHlwaS5vcmc${random(80)}`],
	["Hugging Face token", `hf_${random(34)}`],
	["SendGrid key", `SG.${random(22)}.${random(43)}`],
	["DigitalOcean token", `dop_v1_${random(64, hex)}`],
	["Telegram token", `${random(10, digits)}:AA${random(33)}`],
	["Docker token", `dckr_pat_${random(27)}`],
	["Vault token", `hvs.${random(90)}`],
	["Databricks token", `dapi${random(32, hex)}`],
	["Doppler token", `dp.st.dev_main.${random(43)}`],
	["JSON Web Token", jwt],
	["private key", privateKey],
	["private key", privateKey.replaceAll("RSA ", "OPENSSH ")],
	["private key", privateKey.replaceAll("\n", "\\n")],
];

describe("tokens by their forms", () => {
	test.each(tokens)("%s", async (label, secret) => {
		const mark = `⟦${label} 1⟧`;
		for (const [before, behind] of [
			["", ""],
			["Use ", " for it."],
			['{"value":"', '"}'],
			["KEY=", "\n"],
			["(", ")"],
			["line\\n", "\\n"],
			["https://example.org/?q%3D", "&page=2"],
			["`", "`"],
			["<key>", "</key>"],
		] as const) {
			expect(await masked(`${before}${secret}${behind}`)).toBe(`${before}${mark}${behind}`);
		}
	});

	test("a full stop after a token is not part of it", async () => {
		expect(await masked(`It is ${githubToken}.`)).toBe("It is ⟦GitHub token 1⟧.");
		expect(await masked(`It is ${jwt}.`)).toBe("It is ⟦JSON Web Token 1⟧.");
	});

	test("a private key that was cut off is a secret as far as it goes", async () => {
		const cut = privateKey.slice(0, 120);
		expect(await masked(`${cut}… and so on`)).toBe("⟦private key 1⟧… and so on");
		expect(await masked(`${cut}\n${privateKey}\nbye`)).toBe("⟦private key 1⟧\n⟦private key 2⟧\nbye");
		expect(await masked("-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----")).not.toContain("⟦");
	});
});

/** Texts with the secret between `«` and `»`. */
const written: readonly string[] = [
	"password=«hunter2»",
	"DB_PASSWORD='«s3cr3t pa»ss'".replace("«s3cr3t pa»ss", "«s3cr3t-pass»"),
	'"password": "«p@ss,w0rd;(x)»"',
	String.raw`{\"password\":\"«hunter2x»\",\"user\":\"me\"}`,
	"passwd: «Tr0ub4dor&3»".replace("&3", "-3"),
	"PGPASSWORD=«abc123» psql",
	"mysql://root:«t0psecret»@db.internal:3306/app",
	"postgres://app:«kfj8-!x»@localhost/app",
	"https://me:«ghs-like-thing9»@example.org/repo.git",
	"Server=db;Database=app;User Id=sa;Password=«Str0ng!Pass»;Encrypt=true",
	`DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=«${random(86)}==»;EndpointSuffix=core.windows.net`,
	`Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«${random(43)}=»`,
	`client_secret=«${random(32)}»`,
	`"clientSecret": "«${random(24)}»"`,
	`aws_secret_access_key = «${random(40)}»`,
	`apiKey: '«${random(32, hex)}»',`,
	`x-api-key: «${random(20)}»`,
	`https://api.example.org/v1?access_token=«${random(30)}»&page=2`,
	`export NPM_TOKEN="«${random(36)}»"`,
	`--api-key=«${random(20)}» --verbose`,
	`Authorization: Bearer «${random(30)}»`,
	`Authorization: Basic «${Buffer.from("user:hunter2").toString("base64")}»`,
	`"authorization": "Bearer «${random(30)}»"`,
	`curl -H 'authorization: token «${random(40, hex)}»' https://example.org`,
	`they sent bearer «${random(40)}» along`,
	`My password is «hunter22go4it», please.`,
	`the API key is: «${random(24)}»`,
	`https://x.blob.core.windows.net/c/f?sv=2024&sig=«${random(43)}%3D»&se=2027`,
];

describe("secrets by the text around them", () => {
	test.each(written)("%s", async (sample) => {
		const text = sample.replace(/[«»]/g, "");
		expect(await masked(text)).toBe(
			sample.replace(/«[^»]*»/, (await masked(text)).match(/⟦[^⟧]*⟧/)?.[0] ?? "(no mark)"),
		);
	});
});

/** Parts of everyday texts that hide nothing. */
const harmless: readonly string[] = [
	"The commit da39a3ee5e6b4b0d3255bfef95601890afd80709 fixes it.",
	"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
	"id 550e8400-e29b-41d4-a716-446655440000, next 01ARZ3NDEKTSV4RRFFQ69G5FAV",
	"/home/me/projects/app/node_modules/.bin/tsc",
	String.raw`C:\Users\me\AppData\Local\Temp\x7f3a9.tmp`,
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"https://example.org/a/b?page=2&sort=asc&id=8f14e45fceea167a",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@host",
	"password: required, must have 8 characters and a digit",
	"password: string; token: string | undefined",
	'{"password": {"type": "string", "minLength": 8}}',
	"const token = await getToken(session1);",
	"token: refreshToken, secret: clientSecret",
	"password = process.env.DB1_PASSWORD",
	"password=${DB_PASSWORD}&token=$TOKEN1&key=%API_KEY1%",
	'api_key = "<your-api-key>"; password = "********"',
	"api_key=YOUR_API_KEY_HERE1 token=xxxxxxxxxxxx1234",
	"sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx and ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
	"AKIAIOSFODNN7EXAMPLE",
	"max_tokens: 4096, total_tokens=128000, completion_tokens=1024",
	"nextPageToken: CAUQAA1234567890 and cursor token=abc",
	'"next_page_token": "eyMx8912abcd3344", "continuationToken": "a1b2c3d4e5f6g7"',
	"secretName: db-credentials-v2, token_type: bearer, secret_id=prod/db1/main22",
	"tokenizer: gpt2-bpe-50257, tokenHash=9f86d081884c7d65",
	"the password is not stored; the token is 36 characters long",
	"The secret is out: he is the secretary1 of 2026.",
	"postgres://user:password@localhost:5432/app",
	"ftp://anonymous@example.org and git@github.com:me/app.git",
	"Authorization: required. A bearer of good news, bearer authentication",
	"Bearer token_endpoint_auth_method",
	"order 4111 1111 1111 1112, phone +49 30 1234 5678 9012",
	"2026-11-22T03:00:00.000Z 1700000000000 0x7ffee4c1a2b0",
	"task-list-disk-space-risk-management-9f3c2a1b7d",
	"credential: X509Credential; secret: normalizeX509CredentialOptions, TOKEN = 'urn:ietf:params:oauth:token-type:x509'",
	'{"password": 1234567890123, "token": -17.5e12}',
	"import { secretFinder } from './secret-finder2.ts';",
	"--token-file=/run/secrets/token1 --password-stdin",
	"session_token_ttl=3600000 password_min_length=12",
	"PWD=/home/me/app1 OLDPWD=/home/me",
	"Zugang: Passwort: vergessen? Kennwort: zurücksetzen",
	"keyboard=qwertz123456 monkey: banana12345 primaryKey=user_id_1234567",
	"eyJhbGciOi is how they begin; file.eyJ.txt",
];

test.each(harmless)("no secret: %s", async (text) => {
	expect(await masked(text)).toBe(text);
});
