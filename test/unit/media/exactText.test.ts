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
