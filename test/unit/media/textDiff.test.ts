import { describe, expect, it } from "vitest";
import { diffTexts, type TextDiff } from "../../../media/shared/textDiff.ts";

const shown = ({ pieces }: TextDiff): readonly string[] => pieces.map(({ kind, text }) => `${kind} ${text}`);

/** The comparison without its time limit, which a busy machine reaches with any text. */
const wholeDiff = (original: string, text: string): TextDiff => diffTexts(original, text, 60_000);

/** One of the two texts, joined again. */
function sideOf({ pieces }: TextDiff, side: "added" | "removed"): string {
	return pieces
		.filter(({ kind }) => kind === "same" || kind === side)
		.map(({ text }) => text)
		.join("");
}

/** Numbers that are the same in every run (a linear congruential generator). */
function numbers(): (below: number) => number {
	let state = 42;
	return (below) => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return Math.floor((state / 2 ** 31) * below);
	};
}

describe("diffTexts", () => {
	it("marks the changed words, with the rest of the line beside them", () => {
		expect(shown(wholeDiff("You are a travel assistant.", "You are a patient travel assistant!"))).toEqual([
			"same You are a ",
			"added patient ",
			"same travel assistant",
			"removed .",
			"added !",
		]);
	});

	it.each([
		["a text that was emptied", "Answer.", "", ["removed Answer."]],
		["a text where there was none", "", "Answer.", ["added Answer."]],
		["a line break", "one two", "one\ntwo", ["same one", "removed  ", "added \n", "same two"]],
		["a line end", "one\r\ntwo", "one\ntwo", ["same one", "removed \r\n", "added \n", "same two"]],
		["a blank at the end", "one", "one ", ["same one", "added  "]],
	])("%s", (_what, original, text, expected) => {
		expect(shown(wholeDiff(original, text))).toEqual(expected);
	});

	it("cuts no character in two", () => {
		const { pieces } = wholeDiff("sun \u{1F31E}", "sun \u{1F31A}");
		expect(pieces.map(({ text }) => text).join("")).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
		expect(sideOf(wholeDiff("\u{1F31E}\u{1F31E}", "\u{1F31E}"), "added")).toBe("\u{1F31E}");
		expect(sideOf(wholeDiff("a\u{1F31E}", "a\u{1F71E}"), "removed")).toBe("a\u{1F31E}");
	});

	it("both texts can be reconstructed from it, for any edits", () => {
		const random = numbers();
		const tokens = ["a", "b", " ", "\n", "\r\n", "word", "\u{1F31E}", "é", "\t", "情報"];
		const text = (length: number): string => Array.from({ length }, () => tokens[random(tokens.length)]).join("");
		for (let round = 0; round < 500; round++) {
			const original = text(random(12));
			const at = random(original.length + 1);
			const edited = original.slice(0, at) + text(random(5)) + original.slice(at + random(4));
			const diff = wholeDiff(original, edited);
			expect([sideOf(diff, "removed"), sideOf(diff, "added")]).toEqual([original, edited]);
		}
	});

	it("compares many lines line by line, and leaves out unchanged lines far from a change", () => {
		const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`);
		const edited = lines.with(10, "line ten\n").with(700, "line 700, edited\n");
		const { unit, pieces } = wholeDiff(lines.join(""), edited.join(""));
		expect(unit).toBe("lines");
		expect(pieces.filter(({ kind }) => kind === "added").map(({ text }) => text)).toEqual([
			"line ten\n",
			"line 700, edited\n",
		]);
		expect(pieces.filter(({ kind }) => kind === "omitted").map(({ text }) => text)).toEqual([
			expect.stringMatching(/^6\d\d lines unchanged$/),
			expect.stringMatching(/^2\d\d lines unchanged$/),
		]);
	});

	it("shows how much is left out before and after a change of words", () => {
		const long = "all of this stays the same ".repeat(100);
		const { unit, pieces } = wholeDiff(`${long}one ${long}`, `${long}two ${long}`);
		expect(unit).toBe("words");
		expect(pieces.map(({ kind }) => kind)).toEqual(["omitted", "same", "removed", "added", "same", "omitted"]);
		expect(pieces[0]?.text).toMatch(/^2,5\d\d characters unchanged$/);
		expect(pieces.map(({ text }) => text.length).reduce((a, b) => a + b)).toBeLessThan(600);
	});

	it("a megabyte with an edit at each end, one without line breaks and one that is replaced are compared briefly (UI-12)", () => {
		const text = "The quick brown fox jumps over the lazy dog.\n".repeat(23_000);
		const word = "x".repeat(1_000_000);
		const other = Array.from({ length: 60_000 }, (_, index) => `${index * 7919} other`).join("\n");
		for (const [original, edited] of [
			[text, `First line\n${text}Last line`],
			[word, `${word.slice(0, 500_000)}y${word.slice(500_000)}`],
			[text, other],
			[text, ""],
			[text, word],
		] as const) {
			const { pieces } = diffTexts(original, edited);
			expect(pieces.some(({ kind }) => kind === "omitted")).toBe(true);
			expect(pieces.map(({ text }) => text.length).reduce((a, b) => a + b)).toBeLessThan(40_000);
		}
		const { pieces } = wholeDiff(text, `First line\n${text}Last line`);
		expect(pieces.filter(({ kind }) => kind === "added").map(({ text }) => text)).toEqual([
			"First line\n",
			"Last line",
		]);
	});

	it("shows how many changes are not shown", () => {
		const lines = Array.from({ length: 4000 }, (_, index) => `a line of the text with the number ${index}`);
		const edited = lines.map((line, index) => (index % 20 === 0 ? `${line}, edited` : line));
		const last = wholeDiff(lines.join("\n"), edited.join("\n")).pieces.at(-1);
		expect(last?.text).toMatch(/^\d+ more changes not shown here$/);
	});
});
