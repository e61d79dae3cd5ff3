import { describe, expect, test } from "vitest";
import { refusedKeywords, withoutRefused } from "../../../src/models/openai/refusedKeywords.ts";
import type { ChatRequest } from "../../../src/models/openai/requestBody.ts";
import { keywordsIn, SchemaRefusals, withoutKeywords } from "../../../src/models/schemaRefusals.ts";
import type { JsonObject } from "../../../src/base/json.ts";

const schema: JsonObject = {
	type: "object",
	additionalProperties: false,
	properties: {
		nights: { type: "integer", exclusiveMinimum: 0, description: "How many" },
		kind: { const: "trip" },
		level: { type: "integer", enum: [1, 2] },
		size: { type: "string", enum: ["s", "m"] },
		tags: { type: "array", items: { type: ["string", "null"], pattern: "\u202E." } },
		// Names of properties are not keywords.
		const: { type: "string", default: { const: 1 } },
	},
	required: ["nights"],
};
const words = "It must also match this JSON Schema:";

function requestWith(parameters: JsonObject): ChatRequest {
	const tools = [{ type: "function", function: { name: "book", parameters } }];
	return { model: "m", stream: true, messages: [], tools } as unknown as ChatRequest;
}

function refused(detail: string, status = 400, parameters = schema): readonly string[] {
	return refusedKeywords(requestWith(parameters), { status, code: undefined, param: undefined, detail });
}

describe("MDL-12: a schema without the keywords that a model refuses", () => {
	test("describes them in words, in their place", () => {
		const keywords = new Set(["additionalProperties", "exclusiveMinimum", "const", "enum", "type", "pattern"]);
		expect(withoutKeywords(schema, keywords)).toEqual({
			type: "object",
			properties: {
				nights: { type: "integer", description: `How many\n${words} {"exclusiveMinimum":0}` },
				kind: { description: `${words} {"const":"trip"}` },
				level: { type: "integer", description: `${words} {"enum":[1,2]}` },
				size: { type: "string", enum: ["s", "m"] },
				tags: {
					type: "array",
					items: { type: "string", description: `${words} {"type":["string","null"],"pattern":"\\u202E."}` },
				},
				const: { type: "string", default: { const: 1 } },
			},
			required: ["nights"],
		});
		expect(withoutKeywords({ const: "trip" }, new Set(["const"]))).toMatchObject({ enum: ["trip"] });
	});

	test("lists which of them were there", () => {
		expect(keywordsIn(schema, new Set(["const", "oneOf", "pattern"]))).toEqual(["const", "pattern"]);
		expect(keywordsIn({ type: "string", enum: ["a"] }, new Set(["enum"]))).toEqual([]);
	});

	test("replaces a reference by its target, and by words where it leads back", () => {
		const referring: JsonObject = {
			type: "object",
			properties: {
				from: { $ref: "#/$defs/place", description: "Where" },
				to: { $ref: "#/$defs/place", required: ["street"] },
				tree: { $ref: "#/$defs/node" },
				whole: { $ref: "#" },
				away: { $ref: "#/$defs/none\u202E" },
			},
			$defs: {
				place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
				node: { type: ["object", "null"], properties: { next: { $ref: "#/$defs/node", description: "On" } } },
			},
		};
		const place = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
		const same = (name: string): string =>
			`Has the same schema as ${name}. A value that does not match is rejected with the reason.`;
		expect(withoutKeywords(referring, new Set(["$ref", "$defs", "definitions"]))).toEqual({
			type: "object",
			properties: {
				from: { ...place, description: "Where" },
				to: { required: ["street"], allOf: [place] },
				tree: {
					type: ["object", "null"],
					properties: { next: { type: ["object", "null"], description: `On\n${same('"node"')}` } },
				},
				whole: { type: "object", description: same("the arguments as a whole") },
				away: { description: same('"none\\u202E"') },
			},
		});
		expect(keywordsIn(referring, new Set(["$ref", "$defs"]))).toEqual(["$defs", "$ref"]);
	});

	test("is limited, however often definitions contain each other", () => {
		const level = (at: number): JsonObject => ({
			properties: { a: { $ref: `#/$defs/${at}` }, b: { $ref: `#/$defs/${at}` } },
		});
		const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [at, level(at + 1)]));
		const inlined = withoutKeywords({ ...level(0), $defs }, new Set(["$ref"]));
		expect(JSON.stringify(inlined).length).toBeLessThan(400_000);
		expect(JSON.stringify(inlined)).not.toContain('"$ref"');
	});

	test("is not longer than its content", () => {
		const long = withoutKeywords({ pattern: "x".repeat(2000) }, new Set(["pattern"]));
		expect(JSON.stringify(long).length).toBeLessThan(200);
	});
});

describe("MDL-12: a refusal", () => {
	const unknown = (name: string): string =>
		`Invalid JSON payload received. Unknown name "${name}" at 'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.`;

	test.each([
		[`${unknown("const")}\n${unknown("exclusiveMinimum")}\n${unknown("examples")}`, ["exclusiveMinimum", "const"]],
		[`Provider returned error: ${JSON.stringify(unknown("const"))}`, ["const"]],
		[
			"Invalid value at 'tools[0].function_declarations[0].parameters.properties[2].value.enum[0]' (TYPE_STRING), 1",
			["enum"],
		],
		[
			"* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[level].enum: only allowed for STRING type",
			["enum"],
		],
		["Proto field is not repeating, cannot start list.", ["type"]],
		["JSON schema conversion failed:\nPattern must start with '^' and end with '$'", ["pattern"]],
		// Nothing that words could describe, or nothing of a tool.
		[unknown("properties"), []],
		["Unknown name \"const\" at 'generation_config': Cannot find field.", []],
		["The model is overloaded.", []],
	])("%s", (detail, keywords) => {
		expect(refused(detail)).toEqual(keywords);
	});

	test.each([
		`${unknown("$ref")}\n${unknown("$defs")}`,
		unknown("ref"),
		"$ref 'Place' was set alongside unsupported fields. If a schema node has $ref set, then only description and default can be set alongside it",
		"Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.a.$ref': $defs not found for reference: #/$defs/A>",
		'JSON schema conversion failed:\nError resolving ref #/definitions/a: definitions not in {"type":"object"}',
	])("of references: %s", (detail) => {
		const parameters = { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { type: "string" } } };
		expect(refused(detail, 400, parameters)).toEqual(["$defs", "$ref"]);
		expect(refused(detail)).toEqual([]);
		expect(withoutRefused(requestWith(parameters), new Set(["$ref", "$defs"])).tools).toMatchObject([
			{ function: { parameters: { type: "object", properties: { a: { type: "string" } } } } },
		]);
	});

	test("counts only with the status of a refusal, and changes nothing but the schemas", () => {
		expect(refused(unknown("const"), 429)).toEqual([]);
		const body = requestWith(schema);
		expect(withoutRefused(body, new Set())).toBe(body);
		expect(withoutRefused(body, new Set(["const"]))).toMatchObject({
			model: "m",
			tools: [{ function: { name: "book", parameters: { properties: { kind: { enum: ["trip"] } } } } }],
		});
	});

	test("is remembered for its model", () => {
		const refusals = new SchemaRefusals();
		refusals.note("a", "m at A", ["const"]);
		refusals.note("a", "m at A", ["format"]);
		expect([[...refusals.of("a")], [...refusals.of("b")]]).toEqual([["const", "format"], []]);
		expect(refusals.all).toMatchObject([{ label: "m at A" }]);
	});
});
