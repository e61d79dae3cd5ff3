import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { hasHiddenCharacters } from "../../../../src/base/text.ts";
import { formatPromptQuery, parsePromptQuery } from "../../../../src/features/prompts/query.ts";

/** Texts with a meaning to one of the parsers: of our syntax, of the chat, of an input box. */
const pieces = [
	..."aZ09 _-.:/=+()\"\\#@$&'`{}[]\n\r\t".split(""),
	"  ",
	" #file:a",
	" @workspace",
	" /help",
	"\\n",
	"\\u{41}",
	"\\u0041",
	"\u00a0",
	"\u2028",
	"\u202e",
	"\u{e0041}",
	"\ufe0f",
	"☀",
	"日本",
	"👩‍💻",
	"\ud83d",
	"\udc69",
	"\u0000",
	"__proto__",
	"constructor",
] as const;

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

describe("formatPromptQuery and parsePromptQuery", () => {
	test("writes one readable line", () => {
		const query = { id: "travel/plan-vacation", arguments: { destination: "Barcelona", budget: "2000" } };
		expect(formatPromptQuery(query)).toBe('travel/plan-vacation destination="Barcelona" budget="2000"');
	});

	test("2,000 arbitrary queries are restored exactly, on one line and without hidden characters", () => {
		const random = randomFrom(1);
		const text = (least: number): string =>
			Array.from(
				{ length: least + Math.floor(random() * 8) },
				() => pieces[Math.floor(random() * pieces.length)] ?? "",
			).join("");
		for (let run = 0; run < 2000; run++) {
			const names = Array.from({ length: Math.floor(random() * 4) }, () => text(1));
			const query = { id: text(1), arguments: Object.fromEntries(names.map((name) => [name, text(0)])) };
			const line = formatPromptQuery(query);
			expect(parsePromptQuery(line)).toEqual(query);
			// As the chat passes it on.
			expect(parsePromptQuery(`  ${line} `)).toEqual(query);
			expect(line).not.toMatch(/[^\S ]/);
			expect(hasHiddenCharacters(line)).toBe(false);
			expect(line.isWellFormed()).toBe(true);
		}
	});

	test("nothing in a value is read as a variable, a participant or a command of the chat", () => {
		const line = formatPromptQuery({ id: "a/b", arguments: { x: "see #file:secret @workspace /clear\n#selection" } });
		expect(line).not.toMatch(/\s[#@/]/);
	});

	test("a value of 1 MB is restored", () => {
		const query = { id: "a/b", arguments: { x: '"\\ #'.repeat(250_000) } };
		expect(parsePromptQuery(formatPromptQuery(query))).toEqual(query);
	});

	test("reads typed text: bare values unchanged, quoted ones with escapes", () => {
		expect(parsePromptQuery('travel/plan  budget=2000 path=C:\\temp note="a \\"b\\"\\nc" empty=')).toEqual({
			id: "travel/plan",
			arguments: { budget: "2000", path: "C:\\temp", note: 'a "b"\nc', empty: "" },
		});
		expect(parsePromptQuery('"my server/greet" who="C:\\dir"')).toEqual({
			id: "my server/greet",
			arguments: { who: "C:\\dir" },
		});
	});

	test.each([
		["", "Write /prompt server/name"],
		["   ", "Write /prompt server/name"],
		["a/b stray", '"stray" is not an argument'],
		["a/b =x", '"=x" is not an argument'],
		['a/b x="1"y="2"', "Put a space before"],
		['a/b x="1', "closing quote"],
		['a/b x="1" x="2"', '"x" is given twice'],
		['a/b x="\\u{110000}', "closing quote"],
	])("explains how to write %j", (text, message) => {
		expect(() => parsePromptQuery(text)).toThrow(message);
		expect(() => parsePromptQuery(text)).toThrow(HostError);
	});

	test("an invalid escape stays as typed", () => {
		expect(parsePromptQuery('a/b x="\\u{110000}\\q"').arguments).toEqual({ x: "\\u{110000}\\q" });
	});
});
