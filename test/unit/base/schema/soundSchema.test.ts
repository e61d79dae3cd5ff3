import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { checkArguments } from "../../../../src/base/schema/schema.ts";
import { soundSchema } from "../../../../src/base/schema/soundSchema.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { toolForModels } from "../../../../src/permissions/catalog/modelTool.ts";

function toolWith(inputSchema: JsonObject): Tool {
	return { name: "echo", inputSchema: inputSchema as Tool["inputSchema"] };
}

const member = (schema: Json): JsonObject => ({ type: "object", properties: { q: schema } });

describe("a fault in a schema disables the keyword, not the tool", () => {
	const cases: readonly (readonly [what: string, schema: JsonObject, words: string])[] = [
		["an inline flag", member({ type: "string", pattern: "(?i)^abc$" }), "(Not checked, pattern: (?i)^abc$)"],
		["a named group of Python", member({ type: "string", pattern: "^(?P<wf>[a-z]+)$" }), "(?P<wf>[a-z]+)"],
		["a possessive quantifier", member({ type: "string", pattern: "a++b" }), "a++b"],
		["an anchor of Ruby and Python", member({ type: "string", pattern: "\\Aabc(?>x)\\z" }), "(?>x)"],
		["a pattern that is broken", member({ type: "string", pattern: "(" }), "(Not checked, pattern: ()"],
		["a pattern that is no text", member({ type: "string", pattern: 7 }), "pattern: 7"],
		["a pattern of names", member({ type: "object", patternProperties: { "(?i)^x": { type: "string" } } }), "(?i)^x"],
		["a pattern within a list", member({ type: "array", items: { pattern: "a++" } }), "a++"],
		["a pattern within an alternative", member({ anyOf: [{ pattern: "a++" }, { type: "null" }] }), "a++"],
		["a type that JSON does not have", member({ type: "banana" }), "type: banana"],
		["a list of types with such a one", member({ type: ["string", "any"] }), '["string","any"]'],
		["required as a flag", member({ type: "string", required: true }), "required: true"],
		["an enum that is none", member({ enum: "a|b" }), "a|b"],
		["a member that is a text", member("string"), "properties q: string"],
		["members that are a list", { type: "object", properties: [] }, "properties: []"],
		["items that are a text", member({ type: "array", items: "string" }), "items: string"],
		["alternatives that are none", member({ anyOf: ["string"] }), "anyOf"],
		["a reference elsewhere", member({ $ref: "https://a.example/x.json" }), "https://a.example/x.json"],
		["a reference to nothing", member({ $ref: "#/$defs/gone" }), "#/$defs/gone"],
		["a reference that is no text", member({ $ref: {} }), "$ref"],
		[
			"references in a ring",
			{ ...member({ $ref: "#/$defs/a" }), $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
			"#/$defs/a",
		],
		["a bound that is a text", member({ type: "string", minLength: "2" }), "minLength: 2"],
		["a step of zero", member({ type: "number", multipleOf: 0 }), "multipleOf: 0"],
	];
	test.each(cases)("%s", async (_what, schema, words) => {
		const before = JSON.stringify(schema);
		const { tool, hidden } = toolForModels(toolWith(schema), "odd_echo");
		expect(hidden).toBeUndefined();
		const told = JSON.stringify(tool?.inputSchema);
		expect(told).toContain(JSON.stringify(words).slice(1, -1));
		for (const keyword of ["pattern", "$ref"]) expect(told).not.toContain(`"${keyword}":`);
		expect(await checkArguments(schema, {})).toEqual([]);
		// The pin covers the schema as the server sent it.
		expect(JSON.stringify(schema)).toBe(before);
	});

	test("the words follow the server's own", () => {
		const schema = member({ description: "A name", pattern: "a++" });
		expect(soundSchema(schema)).toEqual(member({ description: "A name\n(Not checked, pattern: a++)" }));
		expect(soundSchema(schema)).toBe(soundSchema(schema));
	});

	test("the rest is checked", async () => {
		const schema = { ...member({ type: "string", pattern: "(?i)a", minLength: 3 }), required: ["q", 7] };
		expect(await checkArguments(schema as JsonObject, { q: "ab" })).toEqual([expect.stringContaining("at least 3")]);
		expect(await checkArguments(schema as JsonObject, {})).toEqual([expect.stringContaining("q")]);
		expect(await checkArguments(schema as JsonObject, { q: "abc" })).toEqual([]);
	});

	test("a pattern that only Unicode mode refuses is checked as intended", async () => {
		const schema = member({ pattern: "^[\\w\\-\\.]+\\@\\-x\\_$" });
		expect(await checkArguments(schema, { q: "a.b@-x_" })).toEqual(expect.any(Array));
		const simple = member({ pattern: "^\\w+\\@\\-$" });
		expect(await checkArguments(simple, { q: "a@-" })).toEqual([]);
		expect(await checkArguments(simple, { q: "a" })).toHaveLength(1);
	});

	test("a sound schema stays the same object", () => {
		const schema = { ...member({ pattern: "^a$", enum: ["a"], default: null }), required: ["q"], $defs: { a: true } };
		expect(soundSchema(schema)).toBe(schema);
	});

	test("data that looks like a fault is kept", () => {
		const schema = member({
			default: { pattern: "(", type: "banana" },
			enum: [{ $ref: 1 }],
			const: { required: true },
		});
		expect(soundSchema(schema)).toBe(schema);
	});
});

describe("a tool is hidden if no arguments could be valid, or beyond the limits", () => {
	test.each([
		["another type than an object", { type: "string" }, /does not describe an object/],
		["an unknown dialect", { $schema: "https://example.org/own", type: "object" }, /dialect/],
		["too much", { type: "object", description: "x".repeat(200_000) }, /too large/],
	])("%s", (_what, schema, why) => {
		expect(toolForModels(toolWith(schema), "odd_echo").hidden).toMatch(why);
	});

	test("a pattern that does not end is stopped, and nothing is called", async () => {
		const schema = member({ pattern: "^(a+)+$" });
		expect(await checkArguments(schema, { q: `${"a".repeat(40)}!` })).toEqual([
			expect.stringMatching(/^The tool's input schema/),
		]);
	});
});
