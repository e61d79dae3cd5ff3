import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { headerFault, mayHaveHeaders } from "../../../../src/protocol/connection/toolHeaders.ts";

const schema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("headerFault", () => {
	it("accepts schemas without headers and correct ones", () => {
		expect(headerFault(schema({ region: { type: "string" } }))).toBeUndefined();
		expect(
			headerFault(
				schema({
					region: { type: "string", "x-mcp-header": "Region" },
					place: { type: "object", properties: { zip: { type: "integer", "x-mcp-header": "Zip" } } },
				}),
			),
		).toBeUndefined();
	});

	it("is needed only if a schema names a header at all", () => {
		expect(mayHaveHeaders(schema({ region: { type: "string" } }))).toBe(false);
		expect(mayHaveHeaders(schema({ place: schema({ zip: { type: "integer", "x-mcp-header": "Zip" } }) }))).toBe(true);
	});

	it("accepts an argument named x-mcp-header", () => {
		expect(headerFault(schema({ "x-mcp-header": { type: "string" } }))).toBeUndefined();
	});

	it.each(["", "a b", "a:b", "ä", "a\r\nb", 5, null])("refuses the name %j", (name) => {
		expect(headerFault(schema({ a: { type: "string", "x-mcp-header": name } }))).toMatch(/not a valid name/);
	});

	it.each(["object", "array", "null", "number", undefined])("refuses the type %s", (type) => {
		expect(headerFault(schema({ a: { "x-mcp-header": "A", ...(type && { type }) } }))).toMatch(/only a string/);
	});

	it("refuses two arguments with one header, in any case", () => {
		const a = { type: "string", "x-mcp-header": "Region" };
		expect(headerFault(schema({ a, b: { ...a, "x-mcp-header": "REGION" } }))).toMatch(/share/);
	});

	it.each(["items", "not", "$defs", "anyOf"])("refuses a header below %s", (keyword) => {
		const inner = { type: "string", "x-mcp-header": "A" };
		const value = keyword === "anyOf" ? [inner] : keyword === "$defs" ? { inner } : inner;
		expect(headerFault(schema({}, { [keyword]: value }))).toMatch(/not an argument/);
	});
});
