import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { toolForModels } from "../../../../src/permissions/catalog/modelTool.ts";
import { checkArguments } from "../../../../src/base/schema/schema.ts";
import { tool } from "../../features/tools/toolSession.ts";

/** A model's definition of a tool with an input schema; fails if there is none. */
function told(inputSchema: JsonObject, more: Partial<Tool> = {}): { description: string; inputSchema: JsonObject } {
	const { tool: model, hidden } = toolForModels({ ...tool("t"), inputSchema: inputSchema, ...more }, "s_t");
	if (model === undefined) throw new Error(`hidden: ${hidden}`);
	return model;
}

/** Why a tool with an input schema is not offered. */
function hidden(inputSchema: unknown): string | undefined {
	return toolForModels({ ...tool("t"), inputSchema: inputSchema as Tool["inputSchema"] }, "s_t").hidden;
}

describe("an input schema for models", () => {
	test("keeps the keywords of 2020-12 unchanged", () => {
		const schema = {
			type: "object",
			properties: {
				a: { $ref: "#/$defs/x", deprecated: true },
				b: { anyOf: [{ const: 1 }, { type: "string", pattern: "^x", minLength: 2 }], default: { title: "x\u200By" } },
				c: { type: "array", prefixItems: [{ type: "string" }], items: false, uniqueItems: true },
			},
			patternProperties: { "^y": { type: "number", exclusiveMinimum: 0 } },
			dependentRequired: { a: ["b"] },
			if: { properties: { a: { const: 1 } } },
			else: { required: ["b"] },
			required: ["a"],
			additionalProperties: false,
			unevaluatedProperties: false,
			$defs: { x: { enum: [1, null], examples: [1] } },
		};
		expect(told(schema).inputSchema).toEqual({
			...schema,
			properties: { ...schema.properties, c: { ...schema.properties.c, items: { not: {} } } },
		});
	});

	test("is the server's own object if nothing is changed, so that it is not in memory twice", () => {
		const schema = {
			type: "object",
			properties: { a: { type: "array", items: { type: "string", description: "x" } } },
		};
		expect(told(schema).inputSchema).toBe(schema);
	});

	test("has the members that some providers require: properties, items, an object", () => {
		expect(told({ type: "object" }).inputSchema).toEqual({ type: "object", properties: {} });
		expect(
			told({ type: ["object", "null"], properties: { a: { type: "array" }, b: { type: ["array", "null"] } } })
				.inputSchema,
		).toEqual({
			type: "object",
			properties: { a: { type: "array", items: {} }, b: { type: ["array", "null"], items: {} } },
		});
	});

	test("has no $schema and no boolean in place of a schema, but may be closed by one", () => {
		const schema = {
			$schema: "http://json-schema.org/draft-07/schema#",
			$comment: "made by hand",
			type: "object",
			properties: {
				any: true,
				none: false,
				$schema: { type: "string" },
				open: { type: "object", additionalProperties: true },
			},
			additionalProperties: false,
		};
		expect(told(schema).inputSchema).toEqual({
			type: "object",
			properties: {
				any: {},
				none: { not: {} },
				$schema: { type: "string" },
				open: { type: "object", additionalProperties: true },
			},
			additionalProperties: false,
		});
	});

	test("has no alternatives at the top: their properties are merged, and the requirement is described in words", () => {
		const oneOf = [
			{ properties: { id: { type: "number" }, both: { type: "string" } }, required: ["id", "both"] },
			{ properties: { name: { type: "string" }, both: { type: "string" } }, required: ["name", "both"] },
		];
		const { inputSchema, description } = told({ type: "object", oneOf }, { description: "Finds it." });
		expect(inputSchema).toEqual({
			type: "object",
			properties: { id: { type: "number" }, both: { type: "string" }, name: { type: "string" } },
			required: ["both"],
		});
		expect(description).toBe(`Finds it.\nThe arguments must also match this JSON Schema: ${JSON.stringify({ oneOf })}`);
	});

	test("joins the requirements of all parts, and follows a reference at the top", () => {
		const $defs = { base: { properties: { id: { type: "number" } }, required: ["id"] } };
		const properties = { note: { type: "string" } };
		const both = told({ type: "object", allOf: [{ $ref: "#/$defs/base" }, { properties, required: ["note"] }], $defs });
		expect(both.inputSchema).toEqual({
			type: "object",
			properties: { id: { type: "number" }, note: { type: "string" } },
			required: ["id", "note"],
			$defs,
		});
		expect(told({ type: "object", $ref: "#/$defs/base", $defs }).inputSchema).toEqual({
			type: "object",
			properties: { id: { type: "number" } },
			required: ["id"],
			$defs,
		});
	});

	test("keeps all requirements of a reference at the top: its alternatives, its other keywords, its own references", () => {
		const oneOf = [
			{ properties: { id: { type: "number" } }, required: ["id"] },
			{ properties: { name: { type: "string" } }, required: ["name"] },
		];
		const $defs = { args: { type: "object", description: "Who", oneOf }, alias: { $ref: "#/$defs/args" } };
		const { inputSchema, description } = told({ type: "object", $ref: "#/$defs/alias", $defs });
		expect(inputSchema).toMatchObject({
			description: "Who",
			properties: { id: { type: "number" }, name: { type: "string" } },
		});
		expect(description).toContain(JSON.stringify({ oneOf }));
		const map = { type: "object", additionalProperties: { type: "string" } };
		expect(told({ type: "object", $ref: "#/$defs/map", $defs: { map } }).inputSchema).toMatchObject({
			additionalProperties: { type: "string" },
		});
		// Requirements of both apply both times.
		const both = told({
			type: "object",
			properties: { a: { type: "string" } },
			required: ["a"],
			$ref: "#/$defs/more",
			$defs: { more: { properties: { b: { type: "string" } }, required: ["b"] } },
		});
		expect(both.inputSchema).toMatchObject({ properties: { a: {}, b: {} }, required: ["a", "b"] });
	});

	test("merges the parts of parts, and stops where they refer to themselves", () => {
		const $defs = {
			base: { allOf: [{ properties: { id: { type: "number" } }, required: ["id"] }, { $ref: "#/$defs/base" }] },
			one: { $ref: "#/$defs/two" },
			two: { anyOf: [{ properties: { x: { type: "string" } } }, { properties: { y: { type: "string" } } }] },
		};
		const { inputSchema } = told({ type: "object", allOf: [{ $ref: "#/$defs/base" }, { $ref: "#/$defs/one" }], $defs });
		expect(inputSchema).toMatchObject({ properties: { id: {}, x: {}, y: {} }, required: ["id"] });
	});

	test("conforms to 2020-12, which Anthropic and OpenAI check, for any dialect of the server", () => {
		const schema = {
			$schema: "http://json-schema.org/draft-07/schema#",
			type: "object",
			properties: {
				pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
				open: { type: "array", items: [{ type: "string" }] },
				above: { type: "number", minimum: 5, exclusiveMinimum: true },
				below: { type: "number", maximum: 5, exclusiveMaximum: false },
				limit: { type: "number", exclusiveMaximum: true },
			},
		};
		expect(told(schema).inputSchema["properties"]).toEqual({
			pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: { not: {} } },
			open: { type: "array", prefixItems: [{ type: "string" }], items: {} },
			above: { type: "number", exclusiveMinimum: 5 },
			below: { type: "number", maximum: 5 },
			limit: { type: "number" },
		});
	});

	test("has no keyword with a value that makes providers refuse all tools of a request", () => {
		const malformed = {
			type: "object",
			title: 5,
			properties: {
				a: { type: "string", description: null, minLength: "3", maxLength: -1, pattern: "^a" },
				b: { type: "number", minimum: "0", multipleOf: 0, deprecated: "yes" },
				c: { anyOf: [], oneOf: [{}], required: ["x", "x"], minItems: 1.5, uniqueItems: 1 },
				minimum: { type: "number" },
			},
			required: ["a", "a"],
		};
		const { inputSchema } = told(malformed);
		const isValid = new Ajv2020({ strict: false }).validateSchema(inputSchema);
		expect(isValid).toBe(true);
		expect(inputSchema).toEqual({
			type: "object",
			properties: {
				a: {
					type: "string",
					pattern: "^a",
					description: "(Not checked, minLength: 3)\n(Not checked, maxLength: -1)",
				},
				b: { type: "number", description: "(Not checked, minimum: 0)\n(Not checked, multipleOf: 0)" },
				c: {
					oneOf: [{}],
					required: ["x"],
					description: "(Not checked, anyOf: [])\n(Not checked, minItems: 1.5)",
				},
				minimum: { type: "number" },
			},
			required: ["a"],
		});
	});

	test("allows either if alternatives describe a property differently", () => {
		const anyOf = [{ properties: { x: { type: "string" } } }, { properties: { x: { type: "number" } } }];
		expect(told({ type: "object", anyOf }).inputSchema["properties"]).toEqual({
			x: { anyOf: [{ type: "string" }, { type: "number" }] },
		});
	});

	test("does not change the schema for checking arguments", async () => {
		const schema: JsonObject = { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] };
		told(schema);
		expect(await checkArguments(schema, { a: 1, b: 2 })).not.toEqual([]);
		expect(await checkArguments(schema, { a: 1 })).toEqual([]);
	});
});

describe("a description for models", () => {
	test("is the title if there is none", () => {
		expect(told({ type: "object" }, { title: "Send Mail" }).description).toBe("Send Mail");
		expect(told({ type: "object" }, { title: "Send Mail", description: "Sends" }).description).toBe("Sends");
	});

	test("fits OpenAI's 1,024 characters, and continues in the schema's", () => {
		const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
		const { description, inputSchema } = told({ type: "object", description: "Own." }, { description: words });
		expect(description.length).toBeLessThanOrEqual(1024);
		expect(description).toContain("continued");
		const whole = `${description.split(" … ")[0]} ${inputSchema["description"] as string}`;
		expect(whole).toBe(`${words}\n\nOwn.`);
		const blank = told({ type: "object" }, { description: "👩".repeat(2000) });
		expect(blank.description).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
	});

	test("is cut at last, with the number of characters left out", () => {
		const { inputSchema } = told({ type: "object" }, { description: "x".repeat(5_000_000) });
		expect(inputSchema["description"]).toMatch(/4,992,000 more characters/);
	});
});

describe("TOL-20: a schema that is a bomb or nonsense", () => {
	const nested = (depth: number): JsonObject =>
		depth === 0 ? {} : { type: "object", properties: { a: nested(depth - 1) } };
	const wide = (count: number, value: JsonObject): JsonObject => ({
		type: "object",
		properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`property${index}`, value])),
	});

	test.each<readonly [kind: string, schema: unknown, why: RegExp]>([
		[
			"5 MB of text",
			{ type: "object", properties: { a: { description: "x".repeat(5_000_000) } } },
			/too large \(more than 100,000/,
		],
		["10,000 properties", wide(10_000, {}), /too large/],
		[
			"a million values",
			{ type: "object", properties: { a: { enum: Array.from({ length: 1_000_000 }, (_, i) => i) } } },
			/too large/,
		],
		["900 levels", nested(900), /more than 64 levels/],
		["an unknown dialect", { $schema: "https://example.org/own", type: "object" }, /dialect.*example\.org/],
		["another type than an object", { type: "string" }, /does not describe an object/],
	])("is not offered, with the reason: %s", (_kind, schema, why) => {
		expect(hidden(schema)).toMatch(why);
	});

	test("is offered when it only refers to itself, by path, anchor or id", () => {
		const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } };
		expect(told(tree).inputSchema).toEqual(tree);
		expect(
			hidden({
				type: "object",
				properties: { a: { $ref: "#node" } },
				$defs: { node: { $anchor: "node", type: "object" } },
			}),
		).toBeUndefined();
		expect(
			hidden({
				type: "object",
				properties: { a: { $ref: "https://x.example/n" } },
				$defs: { n: { $id: "https://x.example/n" } },
			}),
		).toBeUndefined();
		expect(
			hidden({ type: "object", properties: { a: { $ref: "#/$defs/a~1b%20c" } }, $defs: { "a/b c": {} } }),
		).toBeUndefined();
	});

	test("is processed once, however its references are connected", () => {
		const chain = (length: number): JsonObject => {
			const links = Array.from({ length }, (_, index) => [`a${index}`, { $ref: `#/$defs/a${index + 1}` }] as const);
			return { type: "object", properties: {}, $defs: { ...Object.fromEntries(links), [`a${length}`]: {} } };
		};
		const followed = vi.spyOn(globalThis, "decodeURIComponent");
		try {
			expect(hidden(chain(1000))).toBeUndefined();
			expect(followed.mock.calls.length).toBeLessThan(20_000);
		} finally {
			followed.mockRestore();
		}
	});

	test("is repeated in words without hidden characters", () => {
		const { inputSchema } = told({ type: "object", properties: { a: { $ref: "#/\u202Egone" } } });
		expect(inputSchema["properties"]).toEqual({ a: { description: "(Not checked, $ref: #/\\u202Egone)" } });
	});
});
