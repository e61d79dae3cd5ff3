import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { repairBySchema } from "../../../../src/base/schema/repair.ts";

const schema = {
	type: "object",
	properties: {
		nights: { type: "integer" },
		price: { type: "number" },
		quiet: { type: "boolean" },
		text: { type: "string" },
		either: { type: ["string", "integer"] },
		open: { anyOf: [{ type: "integer" }, { type: "string" }] },
		guests: { type: "array", items: { type: "object", properties: { age: { type: "integer" } } } },
		place: { type: "object", properties: { floor: { type: "integer" } } },
	},
};

function repair(value: JsonObject): readonly [JsonObject, readonly string[]] | undefined {
	const repaired = repairBySchema(schema, value);
	return repaired && [repaired.value, repaired.repairs];
}

describe("arguments that a weak model wrote (TOL-29)", () => {
	test.each([
		[{ nights: "3" }, { nights: 3 }, ['nights: "3" → 3']],
		[{ price: "-7.50" }, { price: -7.5 }, ['price: "-7.50" → -7.5']],
		[{ quiet: "true" }, { quiet: true }, ['quiet: "true" → true']],
		[{ place: '{"floor": 2}' }, { place: { floor: 2 } }, [String.raw`place: "{\"floor\": 2}" → {"floor":2}`]],
		[{ guests: [{ age: "4" }, { age: 5 }] }, { guests: [{ age: 4 }, { age: 5 }] }, ['guests/0/age: "4" → 4']],
		[{ guests: "[]" }, { guests: [] }, ['guests: "[]" → []']],
	])("are repaired where the schema proves their meaning: %j", (value, meant, repairs) => {
		expect(repair(value)).toEqual([meant, repairs]);
	});

	test.each<JsonObject>([
		{ nights: "3.5" },
		{ nights: "03" },
		{ nights: " 3" },
		{ nights: "1e3" },
		{ nights: "12345678901234567890" },
		{ nights: "three" },
		{ nights: 3 },
		{ quiet: "yes" },
		{ quiet: 1 },
		{ text: "5" },
		{ text: "{}" },
		{ either: "5" },
		{ open: "5" },
		{ place: "[1]" },
		{ place: "{broken" },
		{ guests: "{}" },
		{ unknown: "5" },
		{ constructor: "5" },
	])("are unchanged where the meaning is uncertain: %j", (value) => {
		expect(repair(value)).toBeUndefined();
	});

	test("are unchanged where nearly everything is wrong", () => {
		const guests = Array.from({ length: 21 }, () => ({ age: "1" }));
		expect(repair({ guests })).toBeUndefined();
	});
});
