import { describe, expect, it } from "vitest";
import { mergeEdit, shownText } from "../../../media/shared/exactText.ts";

describe("mergeEdit", () => {
	it.each([
		["untouched text stays as it is", "a\r\nb\rc\n", "a\nb\nc\n", "a\r\nb\rc\n"],
		["text without carriage returns is taken as typed", "a\nb", "a\n\nb ", "a\n\nb "],
		["line breaks around an edit stay", "one\r\ntwo\r\nthree", "one\nTWO\nthree", "one\r\nTWO\r\nthree"],
		["a typed line break is a line feed", "one\r\ntwo", "one\nnew\ntwo", "one\r\nnew\ntwo"],
		["an addition at the end", "one\r\n", "one\ntwo", "one\r\ntwo"],
		["a line feed typed after a lone carriage return", "one\rtwo", "one\n\ntwo", "one\n\ntwo"],
		["a line feed joined to lone carriage returns", "one\r\rx\ntwo", "one\n\n\ntwo", "one\n\n\ntwo"],
		["everything deleted", "one\r\ntwo", "", ""],
		["one of several equal breaks deleted", "a\r\n\r\n\r\nb", "a\n\nb", "a\r\n\r\nb"],
	])("%s", (_what, exact, edited, expected) => {
		expect(mergeEdit(exact, edited)).toBe(expected);
		expect(shownText(expected)).toBe(edited);
	});
});

it("any range of a text with mixed line ends can be replaced, and the rest is unchanged", () => {
	const exact = "\r\n\ra\r\n\r\nb\n\rc\r";
	const shown = shownText(exact);
	for (let from = 0; from <= shown.length; from++) {
		for (let to = from; to <= shown.length; to++) {
			const edited = `${shown.slice(0, from)}X${shown.slice(to)}`;
			const merged = mergeEdit(exact, edited);
			expect(shownText(merged)).toBe(edited);
			const [head = "", tail = ""] = merged.split("X");
			expect([exact.startsWith(head), exact.endsWith(tail)]).toEqual([true, true]);
		}
	}
});
