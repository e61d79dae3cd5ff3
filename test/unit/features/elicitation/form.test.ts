import { describe, expect, it } from "vitest";
import { initialOf, readForm, type FormProperty } from "../../../../src/features/elicitation/form.ts";
import { formContent, validateForm } from "../../../../src/features/elicitation/validate.ts";
import type { FieldInput } from "../../../../src/questions/form/formProtocol.ts";
import type { FormSession } from "../../../../src/questions/form/formSession.ts";
import { enter, fieldsOf, inputsOf, ownForm, problemsOf } from "../../questions/form/formScene.ts";

const form = (properties: object, required: readonly string[] = []) =>
	readForm({ type: "object", properties, required });

/** The form for a user. */
function shown(properties: readonly FormProperty[]): FormSession {
	return ownForm(
		properties.map(({ field }) => field),
		{ initial: initialOf(properties), validate: async (value) => validateForm(properties, value) },
	);
}

/** The one property of a form, with its control, and with its problem and content for an input of it. */
function only(schema: object, isRequired = false) {
	const properties = form({ value: schema }, isRequired ? ["value"] : []);
	const filled = (input: FieldInput): FormSession => {
		const session = shown(properties);
		enter(session, input);
		return session;
	};
	return {
		field: properties[0]?.field,
		initial: inputsOf(shown(properties))[0],
		options: fieldsOf(shown(properties)).flatMap((field) => ("options" in field ? field.options : [])),
		problem: async (input: FieldInput) => {
			const session = filled(input);
			await session.submit();
			return problemsOf(session)[0]?.replace("value: ", "");
		},
		content: (input: FieldInput) => formContent(properties, filled(input).value),
	};
}

describe("readForm", () => {
	it("distinguishes the choice of the empty text from no choice", async () => {
		const required = only({ type: "string", enum: ["", "empty", "x"], enumNames: ["None", "Empty", "X"] }, true);
		expect(required.options.map(({ label }) => label)).toEqual(["None (empty text)", "Empty (empty)", "X (x)"]);
		expect([required.initial, await required.problem("")]).toEqual(["", "Fill in this field."]);
		for (const [index, value] of ["", "empty", "x"].entries()) {
			expect(await required.problem(String(index))).toBeUndefined();
			expect(required.content(String(index))).toEqual({ value });
		}
		const preset = only({ type: "string", enum: ["x", ""], default: "" });
		expect([preset.content(preset.initial ?? "0"), preset.content("")]).toEqual([{ value: "" }, {}]);
	});

	it("offers a duplicate value once", () => {
		const one = only({ type: "string", enum: ["x", "y", "x"] }).field;
		const several = only({ type: "array", items: { anyOf: ["a", "a", ""].map((value) => ({ const: value })) } }).field;
		const labels = [one, several].map(
			(field) => field && "options" in field && field.options.map(({ label }) => label),
		);
		expect(labels).toEqual([
			["x", "y"],
			["a", "empty text"],
		]);
	});

	it("reads every kind of property with its default", () => {
		const options = [
			{ value: "s", label: "Small (s)" },
			{ value: "l", label: "Large (l)" },
		];
		const titled = [
			{ const: "s", title: "Small" },
			{ const: "l", title: "Large" },
		];
		const kinds: [object, object, unknown][] = [
			[{ type: "string", default: "x" }, { kind: "text", isLong: false }, "x"],
			[{ type: "string", maxLength: 2000 }, { kind: "text", isLong: true }, undefined],
			[{ type: "string", format: "email" }, { kind: "text", format: "email" }, undefined],
			[{ type: "number", default: 1.5 }, { kind: "number" }, 1.5],
			[{ type: "integer" }, { kind: "number" }, undefined],
			[{ type: "boolean", default: true }, { kind: "boolean" }, true],
			[
				{ type: "string", enum: ["a", "b"], default: "b" },
				{
					kind: "choice",
					options: [
						{ value: "a", label: "a" },
						{ value: "b", label: "b" },
					],
				},
				"b",
			],
			[{ type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] }, { kind: "choice", options }, undefined],
			[{ type: "string", oneOf: titled, default: "gone" }, { kind: "choice", options }, undefined],
			[
				{ type: "array", items: { type: "string", enum: ["a"] } },
				{ kind: "choices", options: [{ value: "a", label: "a" }] },
				undefined,
			],
			[{ type: "array", items: { anyOf: titled }, default: ["l", "x"] }, { kind: "choices", options }, ["l"]],
		];
		for (const [schema, field, initial] of kinds) {
			const [read] = form({ value: schema });
			expect(read?.field).toMatchObject(field);
			expect(read?.initial).toEqual(initial);
		}
	});

	it("shows title, description and required state, as plain and visible text", () => {
		const [name, plain] = form(
			{ name: { type: "string", title: "Full\n name\u202E", description: "a\u200Bb" }, plain: { type: "string" } },
			["name"],
		);
		expect(name?.field).toMatchObject({ label: "Full name\\u202E", description: "a\\u200Bb", isRequired: true });
		expect(plain?.field).toMatchObject({ label: "plain", isRequired: false });
	});

	it.each(["password", "userPassword", "api_key", "API key", "accessToken", "client_secret", "pin", "CVV", "ssn"])(
		"warns of a field named %s",
		(name) => {
			expect(form({ [name]: { type: "string" } })[0]?.field.warning).toMatch(/must not ask for secrets/);
		},
	);

	it.each(["passenger", "shipping", "keyboard", "opinion", "compass"])("does not warn of a field named %s", (name) => {
		expect(form({ [name]: { type: "string" } })[0]?.field.warning).toBeUndefined();
	});

	it("warns of a title or a description that asks for a secret under a harmless name (ELC-01)", () => {
		expect(only({ type: "string", title: "Your password" }).field?.warning).toBeDefined();
		for (const title of ["Your p\u0430ssword", "Your pass\u00ADword", "GitHub PAT"])
			expect(only({ type: "string", title }).field?.warning, title).toBeDefined();
		expect(only({ type: "string", description: "The API key of your account" }).field?.warning).toBeDefined();
	});

	it("distinguishes fields with the same name, in any case (ELC-02)", () => {
		const labels = form({
			from: { type: "string", title: "Account" },
			to: { type: "string", title: "\uFF21ccount" },
			account: { type: "string" },
			other: { type: "string", title: "Other" },
		}).map(({ field }) => field.label);
		expect(labels).toEqual(["Account (from)", "\uFF21ccount (to)", "account", "Other"]);
	});

	it("builds a form of 100 fields and 100 KB at once (UI-12)", () => {
		const title = "\u202E\u{1F469}\u200D\u{1F680}字".repeat(10_000);
		const properties = Object.fromEntries(
			Array.from({ length: 100 }, (_unused, index) => [`f${index}`, { type: "string", title, description: title }]),
		);
		for (const { field } of form(properties)) {
			expect(field.label.length).toBeLessThan(300);
			expect(field.description?.length).toBeLessThan(2100);
		}
	});

	it.each([
		["no object", "string"],
		["an array schema", { type: "array", properties: {} }],
		["no properties", { type: "object" }],
		["a nested object", { type: "object", properties: { a: { type: "object" } } }],
		["an array of numbers", { type: "object", properties: { a: { type: "array", items: { type: "number" } } } }],
		["an array without items", { type: "object", properties: { a: { type: "array" } } }],
		["a schema that is no object", { type: "object", properties: { a: true } }],
		["a choice of nothing", { type: "object", properties: { a: { type: "string", enum: [] } } }],
		["a choice of numbers", { type: "object", properties: { a: { type: "string", enum: [1] } } }],
		[
			"1,000 fields",
			{
				type: "object",
				properties: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, { type: "string" }])),
			},
		],
		["a default of 1 MB", { type: "object", properties: { a: { type: "string", default: "x".repeat(1_000_000) } } }],
		["a pattern of 1 MB", { type: "object", properties: { a: { type: "string", pattern: "x".repeat(1_000_000) } } }],
		[
			"1,000 choices",
			{ type: "object", properties: { a: { type: "string", enum: Array.from({ length: 1000 }, String) } } },
		],
	])("refuses %s as invalid params", (_what, schema) => {
		expect(() => readForm(schema)).toThrow(expect.objectContaining({ rpcCode: -32602 }));
	});
});

describe("validateForm", () => {
	it.each([
		[{ type: "string" }, ["", "x"], []],
		[{ type: "string", minLength: 2, maxLength: 3 }, ["ab", "abc", "👩👩"], ["a", "abcd"]],
		[{ type: "string", pattern: "^[A-Z]{3}$" }, ["ABC"], ["abc", "ABCD"]],
		[{ type: "string", pattern: "(" }, ["a pattern that does not compile decides nothing"], []],
		[{ type: "string", format: "email" }, ["a@b.c", "a@localhost"], ["a", "a@", "@b", "a b@c.d", "a@b..c"]],
		[{ type: "string", format: "uri" }, ["https://a.b/c?d", "urn:isbn:1"], ["a.b", "https://a b", "//a.b"]],
		[{ type: "string", format: "date" }, ["2028-02-29"], ["2026-02-29", "2026-13-01", "20260101", "2026-1-1"]],
		[
			{ type: "string", format: "date-time" },
			["2026-06-20T15:04:05Z", "2026-06-20T15:04:05.123+02:00"],
			["2026-06-20", "2026-06-20T15:04", "2026-06-20T15:04:05", "2026-02-30T15:04:05Z", "2026-06-20T24:00:00Z"],
		],
		[
			{ type: "number", minimum: 1, maximum: 5 },
			["1", "5", "2.5", "1e0", ".5e1"],
			["0.9", "6", "x", "0x3", " 3", "1e999"],
		],
		[{ type: "integer" }, ["-3", "0"], ["1.5", "9007199254740993"]],
		[
			{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
			["0.1", "0.3", "0.7"],
			["0", "1", "0.15"],
		],
		[{ type: "integer", multipleOf: 0 }, ["3"], []],
	])("checks %j", async (schema, good, bad) => {
		const { problem } = only(schema);
		for (const input of good) expect([input, await problem(input)]).toEqual([input, undefined]);
		for (const input of bad) expect([input, await problem(input)]).toEqual([input, expect.any(String)]);
	});

	it("checks the number of choices", async () => {
		const schema = { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 2, maxItems: 2 };
		expect(await only(schema).problem([])).toBeUndefined();
		expect(await only(schema, true).problem([])).toBe("Choose at least 2.");
		expect(await only(schema).problem(["0"])).toBe("Choose at least 2.");
		expect(await only(schema).problem(["0", "1"])).toBeUndefined();
		expect(await only(schema).problem(["0", "1", "2"])).toBe("Choose at most 2.");
	});

	it("has no control for a property that the schema does not name", () => {
		expect(only({ type: "array", items: { enum: ["a"] } }).content(["forged"])).toEqual({});
		expect(only({ type: "string", enum: ["a"] }).content("a")).toEqual({});
		expect(only({ type: "string", enum: ["a"] }).content("1")).toEqual({});
	});

	it("requests required values", async () => {
		expect(await only({ type: "string" }, true).problem("")).toBe("Fill in this field.");
		expect(await only({ type: "boolean" }, true).problem(false)).toBeUndefined();
	});

	it("interrupts patterns that backtrack without end, and tries each of them once (ELC-06)", () => {
		const endless = { type: "string", pattern: "^(a+)+$", default: `${"a".repeat(50)}!` };
		const properties = form(
			Object.fromEntries(Array.from({ length: 100 }, (_unused, index) => [`f${index}`, endless])),
		);
		const values = initialOf(properties);
		// It returns at all: each of them on its own would run for longer than the universe is old.
		for (let key = 0; key < 30; key++) expect(validateForm(properties, values)).toEqual([]);
		const good = form({ code: { type: "string", pattern: "^[a-z]+$" } });
		expect(validateForm(good, { code: "A" })).toHaveLength(1);
	});
});

describe("formContent", () => {
	it("has values of the schema's types and leaves out empty ones", () => {
		const properties = form(
			{
				name: { type: "string" },
				note: { type: "string" },
				nights: { type: "integer" },
				late: { type: "boolean" },
				extras: { type: "array", items: { enum: ["a", "b"] } },
				needed: { type: "array", items: { enum: ["a", "b"] } },
			},
			["needed"],
		);
		const session = shown(properties);
		enter(session, "  Ada\r\n", "", "3", false, [], []);
		expect(formContent(properties, session.value)).toEqual({
			name: "  Ada\r\n",
			nights: 3,
			late: false,
			needed: [],
		});
	});

	it("keeps a property named __proto__ a property", () => {
		const properties = form(JSON.parse('{"__proto__": {"type": "string"}}') as object);
		const session = shown(properties);
		enter(session, "x");
		const content = formContent(properties, session.value);
		expect(JSON.stringify(content)).toBe('{"__proto__":"x"}');
	});
});
