import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { isQuicklyApplied } from "../../../../src/base/schema/plainSchema.ts";
import { applySchema, checkArguments } from "../../../../src/base/schema/schema.ts";

/** A schema of one member. */
function of(member: Json): JsonObject {
	return { type: "object", properties: { a: member } };
}

/** A schema nested in this many others. */
function nested(depth: number): Json {
	return depth === 0 ? {} : { type: "array", items: nested(depth - 1) };
}

describe("a schema that is applied without a time limit", () => {
	it.each<[string, JsonObject]>([
		["nothing", {}],
		[
			"members with words, bounds and choices",
			of({ type: "string", description: "b", minLength: 2, enum: ["x", 1, null] }),
		],
		["lists and variants", of({ type: "array", items: { anyOf: [{ type: "number", minimum: 3 }, { const: "x" }] } })],
		["closed objects", { ...of(true), required: ["a"], additionalProperties: false }],
		[
			"members called as keywords are",
			{ type: "object", properties: { pattern: {}, $ref: {}, id: { type: "string" } } },
		],
		["some depth", of(nested(100))],
	])("has %s", (_what, schema) => {
		expect(isQuicklyApplied(schema, { a: "x" })).toBe(true);
	});

	it.each<[string, JsonObject]>([
		["an expression", of({ type: "string", pattern: "^(a+)+$" })],
		["expressions for names", { type: "object", patternProperties: { "^(a+)+$": {} } }],
		["a reference", of({ $ref: "#" })],
		["a reference in a variant", of({ anyOf: [{ items: { $ref: "#" } }] })],
		["an identifier", { $id: "https://a.example", ...of(true) }],
		["a format", of({ format: "uri" })],
		["items that must differ", of({ uniqueItems: true })],
		["choices that are objects", of({ enum: [{ deep: true }] })],
		["very many choices", of({ enum: Array.from({ length: 1000 }, (_, index) => index) })],
		["very much in it", of(nested(1000))],
		["an unknown keyword", of({ "x-check": {} })],
		["an invalid schema", { type: "object", properties: [] }],
	])("does not have %s (TOL-20, TRN-53)", (_what, schema) => {
		expect(isQuicklyApplied(schema, { a: "x" })).toBe(false);
	});

	it("is applied to small values only", () => {
		const schema = of(true);
		expect(isQuicklyApplied(schema, { a: "x".repeat(5000) })).toBe(true);
		expect(isQuicklyApplied(schema, { a: "x".repeat(20_000) })).toBe(false);
		expect(isQuicklyApplied(schema, { ["x".repeat(20_000)]: 1 })).toBe(false);
		expect(isQuicklyApplied(schema, { a: Array.from({ length: 1000 }, () => 0) })).toBe(false);
	});

	it("has the same result as with the limit, call after call", async () => {
		const plain = { ...of({ type: "array", items: { type: "number", maximum: 3 } }), required: ["a"] };
		const limited = { ...plain, $defs: {} };
		expect([isQuicklyApplied(plain, {}), isQuicklyApplied(limited, {})]).toEqual([true, false]);
		for (const value of [{ a: [1] }, { a: [1, 5] }, {}, { a: "x" }, { a: [1, "2"] }, { a: [2] }]) {
			expect(await applySchema(plain, value)).toEqual(await applySchema(limited, value));
		}
		expect(await checkArguments(plain, { a: [5] })).toHaveLength(1);
		expect(await checkArguments(plain, { a: [1] })).toEqual([]);
	});
});
