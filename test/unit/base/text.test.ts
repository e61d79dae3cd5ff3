import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { codeBlock, escapeMarkdown } from "../../../src/base/markdown.ts";
import { cap, hasHiddenCharacters, oneLine, showHidden, withoutLinks } from "../../../src/base/text.ts";

/** One character of each kind that a reader does not see, and how it is shown. */
const hidden: readonly (readonly [string, string, string])[] = [
	["NUL", "\u0000", "\\u0000"],
	["escape", "\u001B", "\\u001B"],
	["carriage return", "\r", "\\u000D"],
	["delete", "\u007F", "\\u007F"],
	["C1 control", "\u0085", "\\u0085"],
	["soft hyphen", "\u00AD", "\\u00AD"],
	["zero-width space", "\u200B", "\\u200B"],
	["zero-width joiner", "\u200D", "\\u200D"],
	["zero-width non-joiner", "\u200C", "\\u200C"],
	["right-to-left override", "\u202E", "\\u202E"],
	["isolate", "\u2066", "\\u2066"],
	["line separator", "\u2028", "\\u2028"],
	["invisible separator", "\u2063", "\\u2063"],
	["Hangul filler", "\u3164", "\\u3164"],
	["blank braille", "\u2800", "\\u2800"],
	["variation selector", "\uFE0F", "\\uFE0F"],
	["byte order mark", "\uFEFF", "\\uFEFF"],
	["interlinear annotation", "\uFFF9", "\\uFFF9"],
	["tag character", "\u{E0041}", "\\u{E0041}"],
	["variation selector supplement", "\u{E0101}", "\\u{E0101}"],
	["musical format character", "\u{1D173}", "\\u{1D173}"],
	["half of a surrogate pair", "\uD83D", "\\uD83D"],
];

describe("hidden characters", () => {
	it.each(hidden)("shows a %s as an escape", (_name, character, shown) => {
		expect(hasHiddenCharacters(`a${character}b`)).toBe(true);
		expect(showHidden(`a${character}b`)).toBe(`a${shown}b`);
		// The same answer twice: a regular expression with the flag g keeps a position.
		expect(hasHiddenCharacters(`a${character}b`)).toBe(true);
	});

	it.each([
		"plain",
		"tab\tand\nnewline",
		"Größe 漢字 עברית",
		"warning ⚠️ done",
		"family 👨‍👩‍👧",
		"health 🧑🏽‍⚕️",
		"key 1️⃣",
		"flag 🇪🇺",
		"Persian می\u200Cخواهم",
		"Hindi क्\u200Dष and क्\u200Cष",
		"Sinhala ශ්\u200Dරී",
	])("leaves %j unchanged", (text) => {
		expect(hasHiddenCharacters(text)).toBe(false);
		expect(showHidden(text)).toBe(text);
	});

	it.each([
		["at the end of a word", "می\u200C", "می\\u200C"],
		["at its beginning", "\u200Dخواهم", "\\u200Dخواهم"],
		["twice in a row", "می\u200C\u200Cخواهم", "می\\u200C\\u200Cخواهم"],
		["between a Persian and a Latin letter", "م\u200Ca", "م\\u200Ca"],
		["between Persian digits", "۱\u200C۲", "۱\\u200C۲"],
		["between Cyrillic letters", "д\u200Dа", "д\\u200Dа"],
		["a non-joiner between emoji", "👨\u200C👩", "👨\\u200C👩"],
	])("shows a joiner %s", (_where, text, shown) => {
		expect(showHidden(text)).toBe(shown);
		expect(hasHiddenCharacters(text)).toBe(true);
	});

	it("shows every character that Unicode marks as ignorable or control", () => {
		const missed: string[] = [];
		for (let code = 0; code <= 0x10ffff; code++) {
			const character = String.fromCodePoint(code);
			const isHidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}]/u.test(character);
			if (isHidden && character !== "\t" && character !== "\n" && !hasHiddenCharacters(character))
				missed.push(code.toString(16));
		}
		expect(missed).toEqual([]);
	});
});

describe("cap and oneLine", () => {
	it("shows how much is left out", () => {
		expect(cap("x".repeat(12), 10)).toBe("xxxxxxxxxx… (2 more characters)");
		expect(cap("x".repeat(10), 10)).toBe("x".repeat(10));
		expect(cap("x".repeat(5000), 1)).toContain("(4,999 more characters)");
	});

	it("does not cut a surrogate pair in two", () => {
		expect(cap("ab😀cd", 3)).toBe("ab… (4 more characters)");
	});

	it("collapses white space, shows hidden characters and caps", () => {
		expect(oneLine("  one\r\n\ttwo\u202E  ")).toBe("one two\\u202E");
		expect(oneLine("y".repeat(300), 20)).toMatch(/^y{20}… \(280 more characters\)$/);
		expect(oneLine(`${" ".repeat(100_000)}end`, 20)).toBe("end");
		expect(oneLine(`name${" ".repeat(100_000)}end`, 20)).toMatch(/^name {16}… \([\d,]+ more characters\)$/);
		expect(oneLine("\u202E".repeat(1_000_000), 12)).toMatch(/^(\\u202E){2}… \([\d,]+ more characters\)$/);
	});
});

describe("escapeMarkdown", () => {
	it("escapes every ASCII punctuation character", () => {
		for (let code = 0x21; code < 0x7f; code++) {
			const character = String.fromCharCode(code);
			expect(escapeMarkdown(character)).toBe(/[A-Za-z0-9]/.test(character) ? character : `\\${character}`);
		}
	});

	it.each([
		["a line of equal signs, which makes a heading of the line before", "title\n===", "title  \n\\=\\=\\="],
		["blanks at the beginning of a line, which make a block of code", "    code", "&nbsp;&nbsp;&nbsp;&nbsp;code"],
		["a tab at the beginning of a later line", "a\n\tb", "a  \n&nbsp;b"],
		["a link with an icon", "[$(zap)](command:x)", "\\[\\$\\(zap\\)\\]\\(command\\:x\\)"],
		["an autolink", "https://x.example", "https\\:\\/\\/x\\.example"],
		["a hidden character", "a\u202Eb", "a\\\\u202Eb"],
		["the possible beginning of an address", "see www.", "see www\\."],
		["a full stop within a word, and behind a number", "a.b.c 1. v2, x.", "a\\.b\\.c 1\\. v2\\, x\\."],
	])("escapes %s", (_name, text, markdown) => {
		expect(escapeMarkdown(text)).toBe(markdown);
	});

	it("leaves the end of a sentence readable for screen readers", () => {
		expect(escapeMarkdown("Books a hotel, at once.\nReally.")).toBe("Books a hotel, at once.  \nReally.");
	});

	it("leaves no other punctuation unescaped, in any combination", () => {
		const pieces = [
			"end.",
			"end, ",
			".",
			"`",
			"*",
			"]",
			"(",
			"&amp;",
			"<b>",
			"\n",
			" ",
			"x",
			"\\",
			"1.",
			"=",
			"~",
			"|",
			"é",
			"😀",
		];
		let seed = 7;
		for (let run = 0; run < 500; run++) {
			let text = "";
			for (let length = 0; length < 8; length++) {
				seed = (seed * 48271) % 2147483647;
				text += pieces[seed % pieces.length] ?? "";
			}
			const unescaped = escapeMarkdown(text).replace(/\\[!-/:-@[-`{-~]|&nbsp;|[A-Za-z]{2}[.,](?=\s|$)/g, "");
			expect(unescaped).not.toMatch(/[!-/:-@[-`{-~]/);
		}
	});
});

describe("codeBlock", () => {
	it("chooses a fence that is longer than any in the text", () => {
		expect(codeBlock("a", "json")).toBe("```json\na\n```");
		expect(codeBlock("````\n![x](y)")).toBe("`````\n````\n![x](y)\n`````");
	});

	it("handles a text with very many backticks", () => {
		expect(codeBlock("` ".repeat(300_000))).toMatch(/^```\n/);
	});
});

// The pattern by which VS Code 1.139 finds links in the message of a notification (parseLinkedText).
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

it.each([
	"[Fix it](command:workbench.action.quit)",
	'[a](https://evil.example/ "title")',
	"[[a](command:b)](command:c)",
	"x](y)[a](file:///etc/passwd)",
])("leaves no link in %s", (text) => {
	expect(link.test(text)).toBe(true);
	expect(link.test(withoutLinks(text))).toBe(false);
});

it("is the only function for notifications (UI-02)", () => {
	const source = resolve(import.meta.dirname, "../../../src");
	const others = globSync("**/*.vscode.ts", { cwd: source })
		.filter((path) => !path.endsWith("notify.vscode.ts"))
		.filter((path) =>
			/window\s*\.show(Error|Warning|Information)Message/.test(readFileSync(resolve(source, path), "utf8")),
		);
	expect(others).toEqual([]);
});
