import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { readForm } from "../../../../src/features/elicitation/form.ts";
import { validateAnswer } from "../../../../src/features/elicitation/validate.ts";

const nullType = { type: "null" };
const $defs = {
	Colour: { type: "string", enum: ["red", "blue"], title: "Colour" },
	Note: { anyOf: [{ type: "string" }, nullType] },
};

/** The kind and the options of the one field of a form. */
function fieldOf(schema: object, required: readonly string[] = []) {
	const [property] = readForm({ type: "object", properties: { p: schema }, required, $defs });
	const field = property?.field;
	return {
		kind: field?.kind,
		isRequired: field?.isRequired,
		options: field && "options" in field ? field.options.map(({ value }) => value) : undefined,
	};
}

describe("a field is shown for every spelling in its schema", () => {
	test.each([
		["text", { anyOf: [{ type: "string" }, nullType], default: null }],
		["text", { oneOf: [nullType, { type: "string" }] }],
		["text", { type: ["string", "null"] }],
		["text", { type: ["null", "string"], title: "Note" }],
		["text", { type: ["string"] }],
		["text", { allOf: [{ type: "string" }], title: "Note" }],
		["text", { allOf: [{ $ref: "#/$defs/Note" }] }],
		["text", { $ref: "#/$defs/Note" }],
		["text", { anyOf: [{ anyOf: [{ type: "string" }, nullType] }, nullType] }],
		["text", { anyOf: [{ type: "string", format: "date" }, { const: null }] }],
		["text", { type: "string", format: "uuid" }],
		["text", { minLength: 1 }],
		["text", { type: ["string", "integer"] }],
		["text", { anyOf: [{ type: "integer" }, { type: "string" }, nullType] }],
		["number", { anyOf: [{ type: "integer" }, nullType], default: null }],
		["number", { type: ["number", "null"] }],
		["number", { type: ["integer", "number"] }],
		["number", { type: "integer", enum: [1, 2, 3] }],
		["boolean", { anyOf: [{ type: "boolean" }, nullType] }],
		["boolean", { type: ["boolean", "null"] }],
	])("%s of %j", (kind, schema) => {
		expect(fieldOf(schema)).toMatchObject({ kind, isRequired: false });
		expect(fieldOf(schema, ["p"])).toMatchObject({ kind, isRequired: true });
	});

	test.each([
		[{ anyOf: [{ $ref: "#/$defs/Colour" }, nullType], default: null }, ["red", "blue"]],
		[{ $ref: "#/$defs/Colour" }, ["red", "blue"]],
		[{ type: ["string", "null"], enum: ["a", "b", null] }, ["a", "b"]],
		[{ enum: ["a", "b"] }, ["a", "b"]],
		[{ const: "a" }, ["a"]],
		[{ anyOf: [{ const: "a" }, { const: "b", title: "B" }, nullType] }, ["a", "b"]],
		[{ anyOf: [{ enum: ["a", "b"] }, { const: "c" }, nullType] }, ["a", "b", "c"]],
		[
			{
				oneOf: [
					{ const: "a", title: "A" },
					{ const: "b", title: "B" },
				],
			},
			["a", "b"],
		],
	])("a choice of %j", (schema, options) => {
		expect(fieldOf(schema)).toEqual({ kind: "choice", isRequired: false, options });
	});

	test.each([
		{ anyOf: [{ type: "array", items: { type: "string", enum: ["a", "b"] } }, nullType] },
		{ type: ["array", "null"], items: { enum: ["a", "b"] } },
		{ type: "array", items: { anyOf: [{ const: "a" }, { const: "b" }] } },
	])("several of %j", (schema) => {
		expect(fieldOf(schema)).toEqual({ kind: "choices", isRequired: false, options: ["a", "b"] });
	});

	test("the form as a whole may be a reference, and have no type", () => {
		const whole = { properties: { p: { type: "string" } }, required: ["p"] };
		expect(readForm(whole)).toHaveLength(1);
		expect(readForm({ $ref: "#/$defs/Form", $defs: { Form: { type: "object", ...whole } } })).toMatchObject([
			{ name: "p", field: { kind: "text", isRequired: true } },
		]);
		expect(readForm({ type: "object", properties: {} })).toEqual([]);
	});
});

describe("a schema that one field cannot show is refused with its name", () => {
	test.each([
		[{ type: "object", properties: { x: { type: "string" } } }],
		[{ anyOf: [{ type: "object", properties: {} }, nullType] }],
		[{ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }],
		[{ anyOf: [{ type: "boolean" }, { type: "number" }] }],
		[{ type: "array", items: { type: "string" } }],
		[{ type: "array", items: { type: "object" } }],
		[{ type: "null" }],
		[{ $ref: "#/$defs/gone" }],
		[{ $ref: "https://a.example/x.json" }],
		[{ type: "banana" }],
		[{ not: { type: "string" } }],
		[{}],
		[{ enum: Array.from({ length: 501 }, (_, number) => `v${number}`) }],
	])("%j", (schema) => {
		expect(() => fieldOf(schema)).toThrow(
			expect.objectContaining({ rpcCode: -32602, message: expect.stringContaining('"p"') }),
		);
	});

	test("a field that refers to itself does not loop", () => {
		const schema = {
			type: "object",
			properties: { p: { $ref: "#/$defs/a" } },
			$defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, nullType] } },
		};
		expect(() => readForm(schema)).toThrow(/"p"/);
	});
});

describe("the answer fits the schema as it was sent", () => {
	const problems = async (schema: object, value: JsonObject, required: readonly string[] = []) => {
		const whole = { type: "object", properties: { p: schema }, required, $defs };
		return (await validateAnswer(readForm(whole), whole, value)).map(({ path }) => path.join("/"));
	};

	test("an empty optional field is absent, and an empty required one is requested", async () => {
		const schema = { anyOf: [{ type: "string" }, nullType], default: null };
		expect(await problems(schema, {})).toEqual([]);
		expect(await problems(schema, {}, ["p"])).toEqual(["p"]);
	});

	test("rules within alternatives are kept", async () => {
		expect(await problems({ anyOf: [{ type: "string", minLength: 3 }, nullType] }, { p: "ab" })).toEqual(["p"]);
		expect(await problems({ anyOf: [{ type: "integer", maximum: 3 }, nullType] }, { p: 4 })).toEqual(["p"]);
		expect(await problems({ type: "integer", enum: [1, 2] }, { p: 3 })).toEqual(["p"]);
		expect(await problems({ type: "integer", enum: [1, 2] }, { p: 2 })).toEqual([]);
	});

	test("an unusable schema decides nothing", async () => {
		expect(await problems({ type: "string", pattern: "^(a+)+$" }, { p: `${"a".repeat(40)}!` })).toEqual([]);
	});
});
