import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { hasHiddenCharacters } from "../../../../src/base/text.ts";
import { exactJson } from "../../../../src/base/exactJson.ts";
import { outline, type OutlineLine } from "../../../../src/features/agentTools/argumentList.ts";
import { checkArguments, parseObject, problemsOf } from "../../../../src/base/schema/schema.ts";

const booking: JsonObject = {
	type: "object",
	properties: {
		hotel: { type: "string" },
		nights: { type: "integer", minimum: 1 },
		guests: { type: "array", items: { type: "object", required: ["name"] } },
	},
	required: ["hotel", "nights"],
	additionalProperties: false,
};

describe("checking arguments", () => {
	test("accepts valid arguments", async () => {
		expect(await checkArguments(booking, { hotel: "Arts", nights: 3, guests: [{ name: "Ada" }] })).toEqual([]);
		expect(await checkArguments({}, { anything: true })).toEqual([]);
	});

	test("names each fault with its place, once", async () => {
		const problems = await checkArguments(booking, { nights: 0, guests: [{}], extra: 1 });
		expect(problems.join("\n")).toMatch(/hotel/);
		expect(problems.join("\n")).toMatch(/^nights: 0 is less than 1/m);
		expect(problems.join("\n")).toMatch(/^guests\/0: .*name/m);
		expect(problems.join("\n")).toMatch(/extra/);
		expect(new Set(problems).size).toBe(problems.length);
	});

	test.each<[string, JsonObject]>([
		["anyOf beside null", { anyOf: [{ $ref: "#/$defs/self" }, { type: "null" }] }],
		["oneOf beside null", { oneOf: [{ type: "null" }, { $ref: "#/$defs/self" }] }],
		["allOf", { allOf: [{ $ref: "#/$defs/self" }] }],
		["not", { not: { $ref: "#/$defs/self" } }],
		["if", { if: { $ref: "#/$defs/self" } }],
		["dependentSchemas", { dependentSchemas: { a: { $ref: "#/$defs/self" } } }],
	])("explains what is wrong with a schema that contains itself in its %s (TOL-20)", async (_what, self) => {
		const schema: JsonObject = { properties: { a: { $ref: "#/$defs/self" } }, $defs: { self } };
		expect(await checkArguments(schema, { a: { a: 1 } })).toEqual([
			"The tool's input schema cannot be applied: it refers to itself without end",
		]);
	});

	test("refuses a schema in an unknown dialect instead of calling", async () => {
		expect(await checkArguments({ $schema: "https://example.com/my-schema" }, { a: "x" })).toHaveLength(1);
	});

	test("stops an expression of the server that does not end (TRN-53)", async () => {
		const schema = { properties: { a: { type: "string", pattern: "^(a+)+$" } } };
		expect(await checkArguments(schema, { a: "aaa" })).toEqual([]);
		expect(await checkArguments(schema, { a: `${"a".repeat(100)}!` })).toEqual([
			"The tool's input schema cannot be applied: It took longer than 250 ms and was stopped.",
		]);
	});

	test("survives a schema that refers to itself", async () => {
		const tree: JsonObject = { type: "object", properties: { child: { $ref: "#" } }, additionalProperties: false };
		expect(await checkArguments(tree, { child: { child: {} } })).toEqual([]);
		expect(await checkArguments({ $ref: "#" }, {})).toEqual([]);
	});

	test("supports the older dialects", async () => {
		const schema = { $schema: "http://json-schema.org/draft-07/schema#", properties: { a: { type: "number" } } };
		expect(await checkArguments(schema, { a: 1 })).toEqual([]);
		expect(await checkArguments(schema, { a: "1" })).toHaveLength(1);
	});
});

describe("problems of a value", () => {
	test("are reported with their place, whatever the names in it", async () => {
		const schema = { properties: { "a/b~ c%é": { type: "array", items: { properties: { n: { type: "number" } } } } } };
		const [problem, ...others] = await problemsOf(schema, { "a/b~ c%é": [{ n: 1 }, { n: "no" }] });
		expect(problem).toMatchObject({ path: ["a/b~ c%é", 1, "n"], message: expect.stringContaining("number") });
		expect(others).toEqual([]);
	});

	test("are reported for the whole value if a member is missing or the schema is unusable", async () => {
		expect(await problemsOf(booking, { hotel: "Arts" })).toMatchObject([
			{ path: [], message: expect.stringContaining('"nights"') },
		]);
		expect(await problemsOf({ $schema: "x:mine" }, 1)).toMatchObject([
			{ path: [], message: expect.stringContaining("dialect") },
		]);
	});

	test("are found in values of every kind, ten at most", async () => {
		expect(await problemsOf({ type: "array" }, null)).toHaveLength(1);
		expect(await problemsOf({ items: { type: "number" } }, Array(50).fill("x"))).toHaveLength(10);
	});
});

describe("reading edited arguments", () => {
	test("accepts only an object", () => {
		expect(parseObject('{"a":1}')).toEqual({ value: { a: 1 } });
		for (const text of ["", "[]", "null", "1", "{", "{'a':1}"]) expect(parseObject(text)).toHaveProperty("problem");
	});
});

describe("showing arguments", () => {
	const values: JsonObject[] = [
		{ note: "late\u202Eevil\u0000\u{E0041}\u{E0049}\u200B", "key\u2066": ["\u00AD", "❤️", "\\u202E"] },
		{ text: 'quotes " and ``` and \\', nested: { deep: [1, null, true, { "": "" }] } },
		{ lone: "\uD800", spaces: `${" ".repeat(5000)}rm -rf /` },
	];

	test.each(values)("the shown text parses to exactly the sent value: %#", (value) => {
		expect(JSON.stringify(JSON.parse(exactJson(value)))).toBe(JSON.stringify(value));
	});

	test.each(values)("nothing in it is hidden: %#", (value) => {
		expect(hasHiddenCharacters(exactJson(value))).toBe(false);
	});

	/** Rebuilds a value from its lines. */
	function rebuild(lines: readonly OutlineLine[], depth = 0): JsonObject {
		const entries: [string | number, Json][] = [];
		for (const [index, { depth: own, key, json }] of lines.entries()) {
			if (own < depth) break;
			if (own > depth) continue;
			entries.push([key, json === undefined ? rebuild(lines.slice(index + 1), depth + 1) : (JSON.parse(json) as Json)]);
		}
		const isList = entries.length > 0 && entries.every(([key]) => typeof key === "number");
		return isList ? (entries.map(([, value]) => value) as unknown as JsonObject) : Object.fromEntries(entries);
	}

	const long = "x".repeat(60);
	test.each([
		...values,
		{ a: [{ b: [long, { c: { d: { e: { f: [long, long] } } } }] }, 2], "": { "": long }, empty: {}, none: [] },
	])("the lines of the outline contain the whole value: %#", (value) => {
		expect(JSON.stringify(rebuild(outline(value)))).toBe(JSON.stringify(value));
	});
});
