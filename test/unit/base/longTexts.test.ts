/**
 * Long and foreign texts (UI-12): the shown part is bounded and exact. The suite's own time limit ends a pattern that
 * backtracks over a long text.
 */
import { describe, expect, it } from "vitest";
import { codeBlock, escapeMarkdown } from "../../../src/base/markdown.ts";
import { cap, hasHiddenCharacters, oneLine, showHidden, withoutLinks } from "../../../src/base/text.ts";
import { withoutIcons } from "../../../src/base/words.ts";
import { readBack } from "../surfaces/chat/shownArguments.ts";
import { argumentList } from "../../../src/features/agentTools/argumentList.ts";
import { reviewServer } from "../../../src/servers/review/review.ts";
import { definition, stdioConfig } from "../servers/fixtures.ts";

/** The same piece up to this many characters on one line. */
function line(piece: string, length = 100_000): string {
	return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

const scripts: readonly (readonly [string, string])[] = [
	["Arabic", "مرحبا بالعالم "],
	["Hebrew", "שלום עולם "],
	["Persian with joiners", "می‌خواهم "],
	["Hindi with joiners", "क्‍ष "],
	["Chinese", "你好世界"],
	["Japanese", "こんにちは世界、"],
	["Korean", "안녕하세요 "],
	["Thai", "สวัสดีชาวโลก"],
	["emoji", "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈❤️1️⃣"],
	["combining marks", "e\u0301a\u030A"],
];

/** Texts that make a careless pattern slow. */
const heavy: readonly (readonly [string, string])[] = [
	["letters", "x"],
	["blanks", " "],
	["brackets", "[("],
	["dollars", "$("],
	["backticks", "`"],
	["joiners", "\u200D"],
	["emoji and joiners", "👩\u200D"],
	["halves of pairs", "\uD83D"],
	["overrides", "\u202E"],
	["backslashes", "\\"],
];

describe("a text in any script (UI-12)", () => {
	it.each(scripts)("in %s is shown unchanged", (_name, text) => {
		expect(hasHiddenCharacters(text)).toBe(false);
		expect(showHidden(text)).toBe(text);
		expect(oneLine(text)).toBe(text.trim());
		expect(escapeMarkdown(text)).toBe(text);
		expect(codeBlock(text)).toBe(`\`\`\`\n${text}\n\`\`\``);
		expect(readBack(argumentList({ a: text }))).toEqual({ a: text });
	});

	it.each(scripts)("in %s is cut between characters, with the number of missing ones", (_name, text) => {
		for (let limit = 1; limit < 40; limit++) {
			const shown = cap(line(text, 1000), limit);
			const [start = ""] = shown.split("… (");
			expect(start.length).toBeLessThanOrEqual(limit);
			expect(start.isWellFormed()).toBe(true);
			expect(shown).toMatch(/… \([\d,]+ more characters\)$/);
		}
	});

	it("that reverses the following text is shown by its controls, in any script", () => {
		expect(oneLine("שלום\u202Etxt.exe")).toBe("שלום\\u202Etxt.exe");
		expect(oneLine("\u2067مرحبا\u2069")).toBe("\\u2067مرحبا\\u2069");
	});
});

describe("100 KB on one line (UI-12)", () => {
	it.each(heavy)("of %s is short in a label, and whole where all of it is shown", (_name, piece) => {
		const text = line(piece);
		expect(oneLine(text).length).toBeLessThan(300);
		expect(withoutLinks(withoutIcons(oneLine(text))).length).toBeLessThan(600);
		expect(showHidden(text).length).toBeGreaterThanOrEqual(text.length);
		expect(codeBlock(text)).toContain(showHidden(text));
		expect(escapeMarkdown(text).length).toBeGreaterThanOrEqual(text.length);
		expect(argumentList({ a: text }).length).toBeGreaterThan(10);
	});

	it.each(heavy)("of %s does not delay the review of a server", (_name, piece) => {
		const text = line(piece);
		const { rows } = reviewServer(definition("a", stdioConfig({ command: text, args: [text] })), undefined);
		expect(rows.map(({ label }) => label)).toContain("Arguments");
	});
});
