import { expect, it } from "vitest";
import { exactLine } from "../../../src/base/exactLine.ts";

it.each([
	["a b", "a b"],
	["a  b", String.raw`a\u0020{2}b`],
	["a\u200Bb", String.raw`a\u200Bb`],
	[String.raw`C:\Users\me\app`, String.raw`C:\Users\me\app`],
	[String.raw`a\u200Bb`, String.raw`a\\u200Bb`],
	["a\\\u200Bb", String.raw`a\\\u200Bb`],
	[String.raw`a\\u200Bb`, String.raw`a\\\\u200Bb`],
	[String.raw`\u{1F600}`, String.raw`\\u{1F600}`],
])("shows %j as %s (CFG-07)", (text, shown) => {
	expect(exactLine(text)).toBe(shown);
});

it("shows no two different texts alike (CFG-07)", () => {
	const parts = ["\\", "u200B", "\u200B", "\u200B\u200B\u200B\u200B", "u0020{2}", "  ", "a"];
	const texts = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => a + b + c)));
	const unique = new Set(texts);
	expect(new Set([...unique].map(exactLine)).size).toBe(unique.size);
});
