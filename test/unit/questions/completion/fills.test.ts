import { describe, expect, test } from "vitest";
import { describeText } from "../../../../src/questions/completion/fills.ts";

describe("a text in a few words", () => {
	test.each([
		["", "empty"],
		["x", "“x” · 1 character"],
		["\n\n  function main() {\r\n}\n", "“function main() {” · 4 lines, 25 characters"],
		["a\u202Eb", "“a\\u202Eb” · 3 characters"],
		["y".repeat(2000), `“${"y".repeat(60)}…” · 2,000 characters`],
		["\n", "“” · 1 character"],
	])("%j", (text, words) => {
		expect(describeText(text)).toBe(words);
	});
});
