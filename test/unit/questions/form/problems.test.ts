import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { object, trip } from "../../../view/fixtures/objectEdits.ts";
import { Edit } from "./editScene.ts";

describe("the problems of the validator", () => {
	const problems = async (schema: JsonObject, value: JsonObject): Promise<readonly string[]> => {
		const edit = new Edit(schema, value);
		await edit.check();
		return edit.problems;
	};

	it.each<[string, JsonObject, JsonObject, readonly string[]]>([
		["a bound", object({ n: { type: "integer", minimum: 1 } }), { n: 0 }, ["n: Enter 1 or more."]],
		["a fraction", object({ n: { type: "integer" } }), { n: 0.5 }, ["n: Enter a whole number."]],
		["a format", object({ d: { type: "string", format: "date" } }), { d: "x" }, ["d: Enter a date as YYYY-MM-DD."]],
		["a missing member", object({ a: { type: "string" } }, { required: ["a"] }), {}, ["a: Fill in this field."]],
		["a missing object", object({ a: object({}) }, { required: ["a"] }), {}, ["a: This is required."]],
		["another kind of value", object({ a: { type: "string" } }), { a: 1 }, ["a: Must be text, but is a number."]],
		[
			"an unknown member",
			object({ a: { type: "string" } }, { additionalProperties: false }),
			{ b: 1 },
			["b: Remove this: the schema does not allow it."],
		],
		[
			"a member of a closed group, which opens",
			object({ a: object({ b: object({ c: object({ d: { type: "string", minLength: 2 } }) }) }) }),
			{ a: { b: { c: { d: "x" } } } },
			["a / b / c / d: Enter at least 2 characters (now 1)."],
		],
		[
			"the chosen variant only",
			trip.schema,
			{ ...trip.initial, payment: { by: "card", number: "x" } },
			["payment / number: Enter text that matches ^\\d{4}$"],
		],
		[
			"a missing member of a variant",
			trip.schema,
			{ ...trip.initial, payment: { by: "card" } },
			["payment / number: Fill in this field."],
		],
	])("are at their place: %s", async (_what, schema, value, expected) => {
		expect(await problems(schema, value)).toEqual(expected);
	});

	it.each<[JsonObject, JsonObject]>([
		[trip.schema, { ...trip.initial, guests: [] }],
		[object({ a: { anyOf: [{ type: "string" }, object({ b: true })] } }), { a: 5 }],
		[object({ a: { type: "array", uniqueItems: true } }), { a: [1, 1] }],
		[object({ a: { not: {} } }), { a: 1 }],
		[object({}, { minProperties: 2 }), { a: 1 }],
		[object({ a: { oneOf: [object({ b: true }), object({ c: true })] } }), { a: { b: 1 } }],
	])("always explain why a form cannot be submitted: %#", async (schema, value) => {
		expect(await problems(schema, value)).not.toEqual([]);
	});

	it("are not shown where the user has not been, until they try to submit", async () => {
		const edit = new Edit(object({ a: { type: "string" } }, { required: ["a"] }));
		edit.editor.setProblems([{ path: [], message: "x" }], false);
		expect(edit.problems).toEqual([]);
	});
});
