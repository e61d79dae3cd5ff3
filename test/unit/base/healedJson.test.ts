import { describe, expect, test } from "vitest";
import { healedObject } from "../../../src/base/healedJson.ts";

describe("an incomplete object (APP-24)", () => {
	test.each([
		["", undefined],
		["  ", undefined],
		["{", {}],
		['{"na', {}],
		['{"name"', {}],
		['{"name":', {}],
		['{"name": "Bud', { name: "Bud" }],
		['{"name": "say \\', { name: "say " }],
		['{"name": "say \\"', { name: 'say "' }],
		['{"name": "a\\\\', { name: "a\\" }],
		['{"name": "\\u00e', { name: "" }],
		['{"name": "\\u00e9', { name: "é" }],
		['{"name": "{\\"a\\": [1,', { name: '{"a": [1,' }],
		['{"count": 12', {}],
		['{"count": 12,', { count: 12 }],
		['{"isOpen": tru', {}],
		['{"list": [1, 2', { list: [1] }],
		['{"list": [1, {"a": nul', { list: [1, {}] }],
		['{"list": ["a", "b', { list: ["a", "b"] }],
		['{"a": {"b": 1}, "c', { a: { b: 1 } }],
		['{"a": 1} and more', { a: 1 }],
		['"a text', undefined],
		["[1, 2", undefined],
		["12", undefined],
		['{"a": }', undefined],
		['{"a" "b', undefined],
		["}{", undefined],
	])("%j is %j", (text, value) => {
		expect(healedObject(text)).toEqual(value);
	});

	test("each beginning of a whole object has only its members", () => {
		const value = { text: 'a "quoted" \\ word\n', list: [1, -2.5e3, [true, null]], deep: { er: { est: "é" } } };
		const text = JSON.stringify(value, undefined, 1);
		for (let length = 1; length < text.length; length++) {
			const healed = healedObject(text.slice(0, length));
			expect(Object.keys(value)).toEqual(expect.arrayContaining(Object.keys(healed ?? { none: 1 })));
		}
		expect(healedObject(text)).toEqual(value);
	});

	test("an object nested deeper than arguments can be is rejected, and names stay names", () => {
		expect(healedObject('{"a":'.repeat(10_000))).toBeUndefined();
		expect(Object.keys(healedObject('{"__proto__": {"x": 1}, "b') ?? {})).toEqual(["__proto__"]);
	});
});
