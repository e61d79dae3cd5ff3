/**
 * No text makes the search for secrets slow: a server may have written it for that. The limit is exceeded only by work
 * that grows faster than the text, by hours; linear work takes a hundredth of it.
 */
import { expect, test } from "vitest";
import { withinTime } from "../../../../../src/base/timeBudget.ts";
import { FoundSecrets } from "../../../../../src/features/sampling/redaction/foundSecrets.ts";
import { githubToken, random, signs } from "./samples.ts";

const length = 1_000_000;
const boundMs = 30_000;

function filled(text: string): string {
	return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

test.each([
	"a",
	"4",
	"password",
	"password=",
	'password="',
	"password='token=\"",
	"password:'\\",
	"token: a",
	"sk-",
	"ghp_",
	"eyJ-",
	"eyJaaaaaaaa.",
	"-----BEGIN PRIVATE KEY-----",
	"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n",
	"://a:",
	"bearer ",
	"authorization: bearer ",
	"?sig=",
	"⟦a 1⟧",
	"⟦",
	"1234567890:AA",
	"aaa8Q~",
	"SG.aaaaaaaaaaaaaaaaaaaa.",
	"dp.st.a",
	"secret-",
	`token=${"a".repeat(60)}123 `,
	`password=${"a.".repeat(60)}! `,
	`secret: "${"A1".repeat(60)}`,
	`my token is ${"a-".repeat(60)}12!3 `,
])("a text full of %s", async (piece) => {
	const text = filled(piece);
	const known = [random(40), `a${"a".repeat(200)}b`, filled(piece).slice(0, 300)];
	const redaction = new FoundSecrets(signs(known.map((value) => ({ value, name: "input value", label: "x" }))));
	// The search itself begins once the secrets of the host are read, so it is limited on a text that is edited as well.
	await redaction.take([text]);
	const edited = `${githubToken} ${text}`;
	const shown = withinTime(boundMs, () => redaction.mask(edited));
	expect(shown).not.toContain(githubToken);
	expect(redaction.unmask(shown, new Set(redaction.marks.map(({ id }) => id)))).toContain(githubToken);
});

test("twenty thousand secrets in one text have a mark each, and are restored", async () => {
	const tokens = Array.from({ length: 20_000 }, (_, index) => `ghp_${random(36, undefined, index)}`);
	const text = tokens.join(" ");
	const redaction = new FoundSecrets(signs());
	await redaction.take([text]);
	const shown = withinTime(boundMs, () => redaction.mask(text));
	expect(shown.length).toBeLessThan(text.length);
	expect(redaction.unmask(shown, new Set(redaction.marks.map(({ id }) => id)))).toBe(text);
});
