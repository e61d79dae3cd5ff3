import { describe, expect, test } from "vitest";
import { readResult } from "../../../../../src/features/tools/results/result.ts";
import type { RawToolResult } from "../../../../../src/permissions/catalog/catalog.ts";
import { resultDocument } from "../../../../../src/features/tools/results/resultDocument.ts";
import { shapeOf } from "../../../../../src/features/tools/results/resultShape.ts";
import { png } from "../media.ts";

const say = (...texts: readonly string[]): RawToolResult => ({
	content: texts.map((text) => ({ type: "text" as const, text })),
});

describe("a result as a document (TOL-27)", () => {
	test("that is text is that text, with every character visible", () => {
		expect(resultDocument(say("one\r\ntwo\u202E", "three"))).toEqual({
			text: "one\ntwo\\u202E\n\nthree",
			extension: "txt",
		});
	});

	test("that is JSON is laid out, with every digit unchanged", () => {
		const { text, extension } = resultDocument(
			say('{"id":12345678901234567890,"a":[1,{}],"a":"{x,\\"y\\"}\u200B","e":[]}'),
		);
		expect(extension).toBe("json");
		expect(text).toBe(
			'{\n  "id": 12345678901234567890,\n  "a": [\n    1,\n    {}\n  ],\n  "a": "{x,\\"y\\"}\\u200B",\n  "e": []\n}',
		);
	});

	test("that repeats itself is shown once, and with other content as the received message", () => {
		const structuredContent = { a: [1, 2] };
		expect(resultDocument({ ...say('{"a": [1,2]}'), structuredContent }).text).toBe(
			'{\n  "a": [\n    1,\n    2\n  ]\n}',
		);
		expect(resultDocument({ ...say("Two numbers."), structuredContent }).text).toContain('"text": "Two numbers."');
		const image = { content: [{ type: "image" as const, data: png, mimeType: "image/png" }] };
		expect(JSON.parse(resultDocument(image).text)).toEqual(image);
		expect(resultDocument({})).toEqual({ text: "{}", extension: "json" });
	});
});

test("repetitions in a result cost the model nothing, and their size is known (TOL-28)", () => {
	const rows = Array.from({ length: 100 }, (_, index) => ({ index, name: `row ${index}` }));
	const twice = readResult({ ...say(JSON.stringify({ rows }, undefined, 2)), structuredContent: { rows } });
	expect(twice.forModel).toEqual([{ type: "text", text: JSON.stringify({ rows }) }]);
	expect(twice.sparedTokens).toBeGreaterThan(500);
	// The words are more readable than the same words in JSON.
	expect(readResult({ ...say("Hello"), structuredContent: { result: "Hello" } }).sparedTokens).toBeGreaterThan(0);
	expect(readResult({ ...say("A hundred rows."), structuredContent: { rows } }).sparedTokens).toBe(0);
	expect(readResult(say("Hello")).sparedTokens).toBe(0);
});

test("the shape of a text is limited, whatever its content", () => {
	expect(shapeOf("one\ntwo")).toBe("2 lines of text");
	expect(shapeOf('[1, "a", null, true, [1]]')).toBe("JSON: list of 5: number, text, nothing, yes or no");
	expect(shapeOf("[[1,2],{}]")).toBe("JSON: list of 2: list of 2, object with 0 members");
	const wide = Object.fromEntries(
		Array.from({ length: 1000 }, (_, index) => [`key ${index}`.repeat(50), { deep: {} }]),
	);
	expect(shapeOf(JSON.stringify(wide)).length).toBeLessThan(720);
	expect(shapeOf(`${"[".repeat(5000)}${"]".repeat(5000)}`)).toBe("JSON: list of 1: list of 1");
	expect(shapeOf("{broken")).toBe("one line of text");
});
