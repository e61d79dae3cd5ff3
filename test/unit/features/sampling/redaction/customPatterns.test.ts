/** The user's own patterns: patterns that cannot be applied are reported, never skipped silently. */
import { expect, test } from "vitest";
import { parsePatterns } from "../../../../../src/features/sampling/redaction/customPatterns.ts";
import { secretFinder, type RedactionSettings } from "../../../../../src/features/sampling/redaction/secretFinder.ts";
import { githubToken, privateKey } from "./samples.ts";

const nothing = async (): Promise<{ secrets: readonly []; problems: readonly [] }> => ({ secrets: [], problems: [] });

function finder(settings: Partial<RedactionSettings>): ReturnType<typeof secretFinder> {
	return secretFinder(() => ({ patterns: undefined, forms: undefined, ...settings }), nothing);
}

test("a pattern finds its matches, under its name, with flags if they are given", async () => {
	const text = "Ticket T-1234 of ACME, acme";
	const redaction = await finder({ patterns: { ticket: "T-\\d+", "our “customer”": "/acme/i" } })([text]);
	expect(redaction.mask(text)).toBe("Ticket ⟦ticket 1⟧ of ⟦our customer 1⟧, ⟦our customer 2⟧");
	expect(redaction.marks.map(({ label }) => label)).toEqual([
		"your pattern “ticket”",
		"your pattern “our “customer””",
		"your pattern “our “customer””",
	]);
	expect(redaction.problems).toEqual([]);
});

test("a name cannot break a mark or the JSON around it", async () => {
	const redaction = await finder({ patterns: { '⟦"\\\n⟧': "abc", ["x".repeat(500)]: "def" } })(["abcdef"]);
	expect(redaction.mask("abcdef")).toBe(`⟦secret 1⟧⟦${"x".repeat(40)} 1⟧`);
});

test("an invalid pattern is reported on every request, and the others still count", async () => {
	const find = finder({ patterns: { broken: "(", number: 3, empty: "", good: "abc" } });
	for (let request = 0; request < 2; request++) {
		const redaction = await find(["abc"]);
		expect(redaction.mask("abc")).toBe("⟦good 1⟧");
		expect(redaction.problems).toEqual([
			"Your redaction pattern “broken” is not a valid regular expression, so it is not used.",
			"Your redaction pattern “number” is not a valid regular expression, so it is not used.",
			"Your redaction pattern “empty” is not a valid regular expression, so it is not used.",
		]);
	}
	expect(parsePatterns(["abc"]).problems).toHaveLength(1);
	expect(parsePatterns(undefined)).toEqual({ patterns: [], problems: [] });
});

test("a pattern that hangs is stopped and reported, and is not tried again for this request", async () => {
	const evil = `${"a".repeat(40)}!`;
	const redaction = await finder({ patterns: { hangs: "(a+)+$", good: "b+" } })([evil, `${evil}bbb`]);
	expect(redaction.problems).toEqual([
		"The search for your pattern “hangs” took too long and was stopped. Some of its matches may not be hidden.",
	]);
	expect(redaction.mask(`${evil}bbb`)).toBe(`${evil}⟦good 1⟧`);
});

test("a pattern that matches everything is reported, and an empty match is ignored", async () => {
	const redaction = await finder({ patterns: { all: ".", none: "x*" } })(["y".repeat(30_000)]);
	expect(redaction.problems).toEqual([
		"The search for your pattern “all” was stopped, because it matches nearly everything. Some of its matches may not be hidden.",
	]);
});

test("each form can be turned off; a setting that is not an object turns off none", async () => {
	const text = [githubToken, privateKey, "password=hunter2x"].join("\n");
	const marksOf = async (forms: unknown): Promise<readonly string[]> =>
		(await finder({ forms })([text])).marks.map(({ label }) => label);
	const all = ["GitHub token", "private key", "secret value"];
	expect(await marksOf(undefined)).toEqual(all);
	expect(await marksOf([false])).toEqual(all);
	expect(await marksOf({ tokens: "no", privateKeys: true })).toEqual(all);
	for (const [index, form] of ["tokens", "privateKeys", "passwords"].entries()) {
		expect(await marksOf({ [form]: false })).toEqual(all.toSpliced(index, 1));
	}
});

test("the time of a pattern is shared by all texts that come at once", async () => {
	// Some milliseconds for each text, and no end to the texts.
	const texts = Array.from({ length: 2000 }, (_, index) => `${"a".repeat(21)}! ${index}`);
	const redaction = await finder({ patterns: { slow: "^(a+)+$", good: "\\d+$" } })(texts);
	expect(redaction.problems).toEqual([
		"The search for your pattern “slow” took too long and was stopped. Some of its matches may not be hidden.",
	]);
	expect(redaction.mask(texts[1999] ?? "")).toBe(`${"a".repeat(21)}! ⟦good 2000⟧`);
});
