/** Secrets that the host knows are found by their values, also as JSON, addresses and base64 write them (SEC-02). */
import { describe, expect, test } from "vitest";
import { wordsOf, WordSearch, type SecretWord } from "../../../../src/base/secrets/wordSearch.ts";
import { masked, randomNumbers, redact } from "../../features/sampling/redaction/samples.ts";

const value = 'Grüße/"7" & \\ more';
const secret = { value, name: "input value", label: "value of input “db”" };
const plain = { ...secret, value: "hunter" };

describe("encodings", () => {
	test.each([
		["as it is", value],
		["in JSON", JSON.stringify(value).slice(1, -1)],
		["in JSON in JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
		["in JSON of ASCII alone", JSON.stringify(value).slice(1, -1).replace("ü", "\\u00fc").replace("ß", "\\u00df")],
		["in an address", encodeURIComponent(value)],
		["in an address, lower case", encodeURIComponent(value).replace(/%[\dA-F]{2}/g, (part) => part.toLowerCase())],
		["in an address as a whole", encodeURI(value)],
		["in a query, as parsers write it", new URL(`https://h.example/?${value}`).search.slice(1)],
		["in a form", new URLSearchParams({ value }).toString().slice("value=".length)],
	])("%s", async (_how, form) => {
		expect(await masked(`<${form}>`, [secret])).toBe("<⟦input value 1⟧>");
	});

	test("base64 is found wherever it begins in the encoded text; the rest reveals less than a byte at each end", async () => {
		for (const before of ["", "a", "ab", "abc", "user:"]) {
			for (const behind of ["", "x", "xy", "xyz"]) {
				for (const encoding of ["base64", "base64url"] as const) {
					const encoded = Buffer.from(before + value + behind).toString(encoding);
					const shown = await masked(`<${encoded}>`, [secret]);
					expect(shown).toMatch(/^<[\w+/-]*⟦input value 1⟧[\w+/=-]*>$/);
					const left = shown.replace(/⟦.*⟧/, "").length - 2;
					expect(left).toBeLessThanOrEqual(Math.ceil(((before.length + behind.length + 2) * 4) / 3) + 2);
				}
			}
		}
	});

	test("the label shows the user its source", async () => {
		const text = `${encodeURIComponent(value)} ${Buffer.from(value).toString("base64")} ${value}`;
		expect((await redact([text], [secret])).marks.map(({ label }) => label)).toEqual([
			"value of input “db”, in an address",
			"value of input “db”, in base64",
			"value of input “db”",
		]);
	});
});

test("short, common or uniform values are not searched for: they would be found everywhere", () => {
	for (const text of [
		"",
		"ab1",
		"password",
		"Password",
		"localhost",
		"000000",
		"aaaaaaaa",
		"      ",
		"x".repeat(30_000),
	]) {
		expect(wordsOf({ ...secret, value: text })).toEqual([]);
	}
	expect(wordsOf({ ...secret, value: " hunter2\n" }).map(({ text }) => text)).toContain("hunter2");
});

test("a value that could be part of a word counts only on its own", async () => {
	for (const text of ["hunters hunt", "xhunter", "hunter_x", "Übhunter"])
		expect(await masked(text, [plain])).toBe(text);
	for (const text of [
		"hunter",
		"(hunter)",
		"a hunter.",
		"x=hunter&",
		"\\nhunter\\n",
		"%3Dhunter",
		"\\u0022hunter\\u0022",
		"hunter’s",
	]) {
		expect(await masked(text, [plain])).toBe(text.replace("hunter", "⟦input value 1⟧"));
	}
	const digits = { ...secret, value: "20260101" };
	expect(await masked("on 20260101T03 and 320260101, 20260101", [digits])).toBe(
		"on 20260101T03 and 320260101, ⟦input value 1⟧",
	);
});

test("many words are found in one pass, like with a search for each of them", () => {
	const number = randomNumbers(3);
	const random = (length: number): string => Array.from({ length }, () => "ab"[Math.floor(number() * 2)]).join("");
	const kind = { name: "x", label: "x", rank: 0 };
	for (let round = 0; round < 200; round++) {
		const words = new Set(Array.from({ length: 12 }, () => random(1 + Math.floor(number() * 6))));
		const text = random(60);
		const search = new WordSearch(Array.from(words, (word): SecretWord => ({ text: word, kind, isWhole: false })));
		const found = new Set(
			search.find(text).flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
		);
		const expected = new Set<number>();
		for (const word of words) {
			for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
				for (let index = at; index < at + word.length; index++) expected.add(index);
			}
		}
		expect(found).toEqual(expected);
		expect(search.wordsIn(text)).toEqual(new Set([...words].filter((word) => text.includes(word))));
	}
});

test("of words that end at one place the longest that counts is found", () => {
	const kind = { name: "x", label: "x", rank: 0 };
	const search = new WordSearch([
		{ text: "longer-word", kind, isWhole: true },
		{ text: "word", kind, isWhole: false },
	]);
	expect(search.find("a longer-word")).toMatchObject([{ start: 2, end: 13 }]);
	expect(search.find("a-xlonger-word")).toMatchObject([{ start: 10, end: 14 }]);
});
