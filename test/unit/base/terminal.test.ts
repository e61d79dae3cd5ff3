import { describe, expect, test } from "vitest";
import { withoutTerminal } from "../../../src/base/terminal.ts";
import { readResult } from "../../../src/features/tools/results/result.ts";
import { resultDocument } from "../../../src/features/tools/results/resultDocument.ts";
import { resultView } from "../../../src/features/tools/results/resultView.ts";

describe("sequences for terminals are dropped", () => {
	test.each([
		["colours", "\u001B[31mFAIL\u001B[0m tests/a.test", "FAIL tests/a.test"],
		["colours with colons", "\u001B[38:2::1:2:3mx\u001B[m", "x"],
		["moves and clearing", "\u001B[2J\u001B[1;1Hx\u001B[?25l\u001B[2K", "x"],
		["controls of one character", "\u009B1mx\u009B0m", "x"],
		["a title", "\u001B]0;my title\u0007x", "x"],
		["a link", "\u001B]8;;https://a.example\u001B\\text\u001B]8;;\u001B\\", "text"],
		["a string of a device", "\u001BPq#0\n~~\u001B\\x\u001B_app\u001B\\y\u001B^p\u001B\\", "xy"],
		["strings of one character", "\u009D0;t\u009Cx", "x"],
		["character sets and functions", "\u001B(Bx\u001B)0\u001B7\u001B8\u001BM\u001B=\u001Bc", "x"],
	])("%s", (_what, text, words) => expect(withoutTerminal(text)).toBe(words));

	test.each([
		"a lone \u001B.",
		"cut \u001B[31",
		"no end \u001B]0;title",
		"[31m",
		"\\u001b[31m",
		"\u202E\u200B\u0007\r",
	])("%j is kept visible", (text) => expect(withoutTerminal(text)).toBe(text));

	test("unterminated sequences are processed quickly", () => {
		for (const begin of ["\u001B]", "\u001B[", "\u009D", "\u001BP0"]) {
			const text = begin.repeat(200_000);
			expect(withoutTerminal(text)).toBe(text);
		}
	});
});

test("user and model read the words of a result, and the raw message keeps the sequences", () => {
	const red = "\u001B[31mFAIL\u001B[0m";
	for (const raw of [
		{ content: [{ type: "text" as const, text: `${red} a` }] },
		{ content: [{ type: "resource" as const, resource: { uri: "r://1", text: red } }] },
		{ structuredContent: { out: [red] } },
		{ content: [{ type: "text" as const, text: JSON.stringify({ out: red }) }], structuredContent: { out: red } },
		{ isError: true, content: [{ type: "text" as const, text: red }] },
	]) {
		const result = readResult(raw);
		const { raw: message, ...view } = resultView(result);
		for (const read of [JSON.stringify(result.forModel), JSON.stringify(view)]) {
			expect(read).toContain("FAIL");
			if (raw.content?.[0]?.type !== "text" || raw.structuredContent === undefined) expect(read).not.toContain("[31m");
		}
		expect(JSON.stringify(result.forModel)).not.toContain("[31m");
		expect(message).toContain("[31m");
	}
	expect(resultDocument({ structuredContent: { out: red } }).text).not.toContain("[31m");
});
