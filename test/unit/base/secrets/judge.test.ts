/** Secrets by name, form and place, and values that only look like one (SEC-02, TRC-04). */
import { describe, expect, it, test } from "vitest";
import { holdsSecrets, isSecret, secretsIn, type SecretContext } from "../../../../src/base/secrets/judge.ts";
import { secretCorpus, lookalikeCorpus } from "./secretCorpus.ts";

/** The value with its secrets between `«` and `»`. */
function marked(name: string, value: string, context: SecretContext): string {
	let text = "";
	let end = 0;
	for (const place of secretsIn(name, value, context)) {
		text += `${value.slice(end, place.start)}«${value.slice(place.start, place.end)}»`;
		end = place.end;
	}
	return text + value.slice(end);
}

describe("a value", () => {
	it.each(secretCorpus.map(([name, sample]) => [name, sample] as const))(
		"named “%s” has its secret found in %s",
		(name, sample) => {
			const value = sample.replace(/[«»]/g, "");
			expect(marked(name, value, "entry")).toBe(sample);
		},
	);

	it.each(secretCorpus.filter(([, , where]) => where !== "entry").map(([name, sample]) => [name, sample] as const))(
		"in a message named “%s” has it found in %s",
		(name, sample) => {
			const value = sample.replace(/[«»]/g, "");
			expect(marked(name, value, "data")).toBe(sample);
		},
	);

	it.each(lookalikeCorpus)("named “%s” that hides nothing is kept: %s", (name, value) => {
		expect(marked(name, value, "data")).toBe(value);
	});

	it("of a long text is searched to its end", () => {
		const token = `sbp_${"0123456789abcdef0123".repeat(2)}`;
		expect(marked("", `${"word ".repeat(50_000)}${token}`, "data").endsWith(`«${token}»`)).toBe(true);
		expect(marked("data", "iVBORw0KGgoAAAANSUhEUgAA".repeat(400), "data")).not.toContain("«");
	});
});

test.each([
	"token=".repeat(40_000),
	"a:b:://".repeat(40_000),
	'"token":'.repeat(40_000),
	"%3Dpin".repeat(40_000),
	"${".repeat(100_000),
	"://a:".repeat(50_000),
	"--token ".repeat(40_000),
	"curl -u a:b ".repeat(20_000),
	"<password>a".repeat(20_000),
	"value=".repeat(40_000),
	"name: a value: ".repeat(20_000),
	'"token":{"token":['.repeat(20_000),
	`"token":{${'"a":"b1-c",'.repeat(20_000)}`,
	`name=${" ".repeat(100_000)}`,
	"<key>".repeat(40_000),
])("a text made to be slow is judged in one pass (%#)", (text) => {
	expect(secretsIn("", text, "entry").length).toBeGreaterThanOrEqual(0);
});

test("a secret default in a reference hides the whole reference", () => {
	expect(marked("API_KEY", "${env:API_KEY:-sk-abcdef0123456789abcd}", "entry")).toBe(
		"«${env:API_KEY:-sk-abcdef0123456789abcd}»",
	);
	expect(marked("API_KEY", "Bearer ${env:API_KEY:-none}", "entry")).toBe("Bearer ${env:API_KEY:-none}");
});

test("personal names of fields count if a field requests a value", () => {
	expect(isSecret("Password for the service", undefined, "asked")).toBe(true);
	expect(isSecret("Password for the service", undefined, "data")).toBe(false);
	expect(isSecret("secretary", undefined, "asked")).toBe(false);
});

test("a secret is found at any depth, by the names and texts of members", () => {
	expect(holdsSecrets({ list: [{ subscription_key: "abc" }] })).toBe(true);
	expect(holdsSecrets({ list: [{ max_tokens: 5, author: "me" }] })).toBe(false);
	expect(holdsSecrets({ account: { otp: 123456 } })).toBe(true);
});
