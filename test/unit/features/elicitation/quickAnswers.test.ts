import { describe, expect, it } from "vitest";
import { readForm } from "../../../../src/features/elicitation/form.ts";
import { fieldsInShort, quickAnswers } from "../../../../src/features/elicitation/quickAnswers.ts";

const form = (properties: object, required: readonly string[] = []) =>
	readForm({ type: "object", properties, required });
const labels = (properties: object) => quickAnswers(form(properties)).map(({ label }) => label);

describe("quickAnswers", () => {
	it("exist for plain consent, for yes or no, and for a short choice", () => {
		expect(labels({})).toEqual(["Accept"]);
		expect(labels({ a: { type: "boolean" } })).toEqual(["Yes", "No"]);
		expect(
			quickAnswers(form({ a: { type: "string", enum: ["x", "y"], enumNames: ["Ex", "$(shield) Allow"] } })),
		).toEqual([
			{ label: "Answer 1", title: "Ex (x)", value: { a: "x" } },
			{ label: "Answer 2", title: "$(shield) Allow (y)", value: { a: "y" } },
		]);
	});

	it.each([
		["a text", { a: { type: "string" } }],
		["a long choice", { a: { type: "string", enum: [..."123456789"] } }],
		["several of a list", { a: { type: "array", items: { enum: ["x"] } } }],
		["two fields", { a: { type: "boolean" }, b: { type: "boolean" } }],
	])("do not exist for %s", (_what, properties) => {
		expect(labels(properties)).toEqual([]);
	});
});

describe("fieldsInShort", () => {
	it("shows what each field is, whether it is required, and its value", () => {
		const properties = form(
			{
				name: { type: "string", title: "Name" },
				mail: { type: "string", format: "email", default: "a@b.c" },
				nights: { type: "integer", default: 2 },
				late: { type: "boolean", default: true },
				room: { type: "string", enum: ["s", "d"], enumNames: ["Single", "Double"], default: "d" },
				days: { type: "array", items: { enum: ["mon", "tue"] }, default: ["mon"] },
				meal: { type: "string", enum: ["fish", "meat", "none"] },
				seats: { type: "number" },
			},
			["name", "nights", "meal"],
		);
		expect(fieldsInShort(properties)).toEqual([
			"Name: a text, required",
			"mail: a@b.c",
			"nights: 2, required",
			"late: yes",
			"room: Double (d) (or Single (s))",
			"days: mon (any of mon and tue)",
			"meal: fish, meat or none, required",
			"seats: a number",
		]);
	});

	it("is short for a form of 100 fields and a choice of 500 (ELC-06)", () => {
		const many = form(
			Object.fromEntries(Array.from({ length: 100 }, (_unused, index) => [`f${index}`, { type: "string" }])),
		);
		expect(fieldsInShort(many)).toHaveLength(13);
		expect(fieldsInShort(many).at(-1)).toBe("… and 88 more fields");
		const long = form({
			a: { type: "string", enum: Array.from({ length: 500 }, (_unused, index) => `${index}${"x".repeat(100)}`) },
		});
		expect(fieldsInShort(long)[0]?.length).toBeLessThan(1000);
	});
});
