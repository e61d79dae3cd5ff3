import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { repairBySchema } from "../../../../src/base/schema/repair.ts";
import { randomNumbers } from "../../features/sampling/redaction/samples.ts";

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

test("a place of a list has the schema of that place, which may want the text as it is", () => {
	const list = { type: "array", prefixItems: [{}, { type: "integer" }], items: { type: "integer" } };
	const repaired = repairBySchema({ type: "object", properties: { list } }, { list: ["5", "6", "7"] });
	expect(repaired?.value).toEqual({ list: ["5", 6, 7] });
});

/** A number by its digits and its exponent, of which equal numbers have the same. */
function plainOf(number: string): string {
	const [, sign = "", whole = "", fraction = "", exponent = "0"] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
	const digits = (whole + fraction).replace(/^0+/, "");
	const significant = digits.replace(/0{1,60}$/, "");
	return significant === ""
		? "0"
		: `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

test("no number becomes another one, however it is written (TOL-29)", () => {
	const next = randomNumbers(5);
	const digits = (most: number): string =>
		Array.from({ length: 1 + Math.floor(next() * most) }, () => Math.floor(next() * 10)).join("");
	const forms = [
		() => digits(22),
		() => `${digits(12)}.${digits(20)}`,
		() => `-${digits(18)}`,
		() => `${digits(3)}e${digits(2)}`,
		() => `0.00000000${digits(12)}`,
	];
	const numbersIn = (text: string): readonly string[] =>
		Array.from(text.matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi), ([one]) => plainOf(one));
	let count = 0;
	for (let round = 0; round < 5000; round++) {
		const number = forms[round % forms.length]?.() ?? "";
		const [type, text] = (
			[
				["number", number],
				["integer", number],
				["object", `{"x":${number},"y":[{"z":${number}}]}`],
				["array", `[${number}]`],
			] as const
		)[Math.floor(next() * 4)] ?? ["number", number];
		const repaired = repairBySchema({ type: "object", properties: { a: { type } } }, { a: text });
		if (repaired === undefined) continue;
		count++;
		expect(numbersIn(JSON.stringify(repaired.value["a"])), text).toEqual(numbersIn(text));
	}
	expect(count).toBeGreaterThan(500);
});
