/** The lower limit of all tokenizers, by which reports of endpoints are accepted or not (SMP-16). */
import { describe, expect, it } from "vitest";
import { fewestRequestTokens, fewestTokens } from "../../../src/models/fewestTokens.ts";
import { believableUse } from "../../../src/models/reportedUse.ts";

/** Texts that compress well, with the fewest tokens of o200k, cl100k, p50k and r50k. */
const counted: readonly (readonly [what: string, text: string, tokens: number])[] = [
	["blanks", " ".repeat(30_000), 235],
	["one letter", "a".repeat(30_000), 3750],
	["line ends", "\n".repeat(30_000), 938],
	["equals signs", "=".repeat(30_000), 469],
	["zeros", "0".repeat(30_000), 1875],
	["contractions", "I'm sure they're don't it's we'll ".repeat(500), 3001],
	["long names of code", ".translatesAutoresizingMaskIntoConstraints".repeat(300), 300],
	["brackets", "{}[]();".repeat(3000), 9000],
	["emoji", "😀".repeat(3000), 3000],
	["Chinese", "查询指定城市的天气预报，并返回未来七天的温度、湿度和风速。".repeat(100), 2200],
	["Hindi", "नमस्ते दुनिया ".repeat(500), 2002],
	["letters read in a wrong encoding", "ÃÂ".repeat(32), 1],
];

describe("the minimum of tokens", () => {
	it.each(counted)("of %s is at most the count of any tokenizer", (_what, text, tokens) => {
		expect(fewestTokens(text)).toBeLessThanOrEqual(tokens);
		expect(fewestTokens(text)).toBeGreaterThanOrEqual(text.length / 128);
	});

	it("of a language with blanks is its words", () => {
		expect(fewestTokens("The user sees every call with its arguments, and isn't asked twice.")).toBe(12);
		expect(fewestTokens("Возвращает прогноз погоды на 7 дней")).toBe(6);
	});

	it("of a request counts its texts, calls, results and definitions of tools, and no pictures", () => {
		const text = { type: "text", text: "one two three" } as const;
		const call = { type: "tool-call", callId: "1", name: "look", arguments: { at: "the\nsky" } } as const;
		const result = { type: "tool-result", callId: "1", content: [text], isError: false } as const;
		const image = { type: "image", data: "AAAA BBBB", mimeType: "image/png" } as const;
		const content = [text, call, result, image];
		const tool = { name: "look", description: "Looks there", inputSchema: { type: "object", title: "No words" } };
		expect(fewestRequestTokens([{ role: "user", content }], [tool])).toBe(3 + 4 + 3 + 3);
	});

	it("counts even where an estimate is lower", () => {
		const fewest = { inputTokens: 500, outputTokens: 50 };
		const used = believableUse({ inputTokens: 5, outputTokens: 60 }, { inputTokens: 400, outputTokens: 70 }, fewest);
		expect(used).toEqual({ inputTokens: 500, outputTokens: 60, isEstimated: true });
	});
});
