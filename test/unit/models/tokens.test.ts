import { describe, expect, test } from "vitest";
import { estimateTokens, toolTokens } from "../../../src/models/tokens.ts";

/** Texts with their number of o200k tokens. */
const counted: readonly (readonly [text: string, tokens: number, tolerance: number])[] = [
	[
		JSON.stringify({
			type: "function",
			function: {
				name: "files_read_text_file",
				description: "Read the complete contents of a file as text. Use 'head' to read only the first N lines.",
				parameters: {
					type: "object",
					properties: {
						path: { type: "string" },
						tail: { description: "If provided, returns only the last N lines of the file", type: "number" },
						head: { description: "If provided, returns only the first N lines of the file", type: "number" },
					},
					required: ["path"],
					additionalProperties: false,
				},
			},
		}),
		108,
		0.1,
	],
	["The user sees every call with its arguments before it is made and may allow it, change it or deny it.", 23, 0.2],
	[
		"export function estimateTokens(text: string): number {\n\treturn Math.ceil(weigh(text, 0, text.length));\n}\n",
		25,
		0.2,
	],
	["2026-11-21T23:15:00Z 1234567890 3.14159", 23, 0.35],
	["查询指定城市的天气预报，并返回未来七天的温度、湿度和风速。", 22, 0.35],
	["指定された都市の天気予報を取得し、気温と湿度を返します。", 21, 0.35],
	["Возвращает прогноз погоды для указанного города на семь дней.", 14, 0.35],
	["Liefert die Wettervorhersage für die angegebene Stadt; größere Übersichten zusätzlich.", 20, 0.35],
];

describe("the estimate of tokens", () => {
	test.each(counted)("is near a tokenizer's count: %s", (text, tokens, tolerance) => {
		expect(Math.abs(estimateTokens(text) / tokens - 1)).toBeLessThanOrEqual(tolerance);
	});

	test("is nothing for an empty text, and something for any other", () => {
		expect(estimateTokens("")).toBe(0);
		expect(estimateTokens("a")).toBeGreaterThan(0);
		expect(estimateTokens("\u{1F680}")).toBeGreaterThan(0);
	});

	test("is consistent for long texts, by samples", () => {
		const sentence = "Returns the forecast of one city for the given number of days. ";
		const one = estimateTokens(sentence.repeat(100)) / 100;
		const many = estimateTokens(sentence.repeat(80_000)) / 80_000;
		expect(Math.abs(many / one - 1)).toBeLessThan(0.05);
	});

	test("grows with every part of a definition, and is kept for the same definition", () => {
		const plain = { name: "a_b", description: "", inputSchema: { type: "object", properties: {} } };
		const described = { ...plain, description: "Does something useful with what it is given" };
		const longer = { ...described, inputSchema: { type: "object", properties: { place: { type: "string" } } } };
		expect(toolTokens(described)).toBeGreaterThan(toolTokens(plain));
		expect(toolTokens(longer)).toBeGreaterThan(toolTokens(described));
		expect(toolTokens(longer)).toBe(toolTokens(longer));
	});
});
