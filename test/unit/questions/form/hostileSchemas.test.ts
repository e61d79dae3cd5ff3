import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { object } from "../../../view/fixtures/objectEdits.ts";
import { Edit } from "./editScene.ts";

const huge = (count: number): JsonObject =>
	Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "string" }]));

describe("hostile schemas (TOL-20)", () => {
	const bombs: readonly (readonly [string, JsonObject, JsonObject])[] = [
		["10,000 members", object(huge(10_000)), { p5: "x" }],
		["10,000 required members", object(huge(10_000), { required: Object.keys(huge(10_000)) }), {}],
		["5 MB", object({ a: { type: "string", description: "x".repeat(5_000_000) } }), { a: "b" }],
		["recursion without end", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, {}],
		[
			"a recursive choice",
			{
				$defs: { n: { anyOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }] } },
				type: "object",
				properties: { a: { $ref: "#/$defs/n" } },
			},
			{ a: 1 },
		],
		...Object.entries<JsonObject>({
			"anyOf beside null": { anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] },
			"oneOf beside null": { oneOf: [{ type: "null" }, { $ref: "#/$defs/n" }] },
			"anyOf alone": { anyOf: [{ $ref: "#/$defs/n" }] },
			"anyOf with rules of its own": { minLength: 1, anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] },
			"anyOf within allOf": { allOf: [{ anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] }] },
			"anyOf by way of another": { anyOf: [{ anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] }, { type: "null" }] },
		}).flatMap(([what, n]): (readonly [string, JsonObject, JsonObject])[] => [
			[`itself in ${what}`, object({ a: { $ref: "#/$defs/n" } }, { $defs: { n }, required: ["a"] }), { a: 1 }],
			[`itself in ${what}, at the top`, { ...n, $defs: { n: { $ref: "#" } } }, { a: 1 }],
			[
				`itself in ${what}, as items`,
				object({ a: { type: "array", items: { $ref: "#/$defs/n" } } }, { $defs: { n } }),
				{ a: [1] },
			],
		]),
		[
			"doubling references",
			{ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: doubling(30) },
			{ a: {} },
		],
		[
			"1,000 variants",
			object({ a: { anyOf: Array.from({ length: 1000 }, (_, i) => object({ [`m${i}`]: true })) } }),
			{ a: {} },
		],
		["100,000 values", object({ a: { enum: Array.from({ length: 100_000 }, (_, i) => `v${i}`) } }), { a: "v1" }],
		["keywords of wrong types", { type: 5, properties: [], required: "a", anyOf: {}, $defs: 3 }, {}],
		["no schema at all", { type: "object", properties: { a: 5, b: null, c: [] } }, { a: 1 }],
		[
			"10,000 items",
			object({ a: { type: "array", items: { type: "string" } } }),
			{ a: Array.from({ length: 10_000 }, () => "x") },
		],
		["a deep value", { $ref: "#/$defs/a", $defs: { a: object({ b: { $ref: "#/$defs/a" } }) } }, deep(2000)],
	];

	it.each(bombs)("%s: shown in part or as JSON, and sent unchanged", (_what, schema, initial) => {
		const { editor } = new Edit(schema, initial);
		expect(JSON.stringify(editor.root ?? editor.noForm).length).toBeLessThan(2_000_000);
		expect(editor.value).toBe(initial);
		editor.apply({ kind: "tab", tab: "json" });
		expect(JSON.parse(editor.text)).toEqual(initial);
	});

	it.each([
		["lists", "[", "]"],
		["objects", '{"a":', "1}"],
	])("%s nested beyond the limit for sending are a problem of the text, not a fault of ours", (_what, begin, end) => {
		const { editor } = new Edit(object({}), {});
		editor.apply({ kind: "tab", tab: "json" });
		const inner = (depth: number): string =>
			`{"deep": ${begin.repeat(depth)}${end}${(end.at(-1) ?? "").repeat(depth - 1)}}`;
		for (const depth of [300, 3000, 30_000, 300_000]) {
			editor.apply({ kind: "json", text: inner(depth) });
			expect(editor.slip, String(depth)).toMatch(/nested/);
			expect(editor.value).toEqual({});
		}
		editor.apply({ kind: "json", text: inner(100) });
		expect(editor.slip).toBeUndefined();
	});

	it("a value that a form cannot show becomes JSON, until the user asks for the form", () => {
		const many = Object.fromEntries(Array.from({ length: 201 }, (_, i): [string, Json] => [`m${i}`, i]));
		const { editor } = new Edit(object({}), many);
		expect(editor.tab).toBe("json");
		editor.apply({ kind: "json", text: '{"m0": 0}' });
		expect(editor.noForm).toBeUndefined();
		expect(editor.tab).toBe("json");
		expect(editor.apply({ kind: "tab", tab: "form" })).toBe(true);
	});

	it("of many members, those beyond the first are added by name", () => {
		const edit = new Edit(object(huge(10_000), { additionalProperties: false }));
		const root = edit.node();
		expect(root).toMatchObject({ adding: { left: 9460, takesAnyName: false } });
		expect(edit.change((id) => ({ kind: "addMember", id, name: "p9999" }))).toBe(true);
		expect(edit.change((id) => ({ kind: "addMember", id, name: "other" }))).toBe(false);
		expect(edit.editor.value).toEqual({ p9999: "" });
		expect(edit.node("p9999")).toMatchObject({ kind: "field", isPresent: true });
	});
});

describe("names and values that look alike (TOL-08, TOL-10)", () => {
	it.each<[what: string, values: readonly Json[]]>([
		["a text and a number", ["1", 1]],
		["a text and nothing", ["null", null]],
		["blanks at the end", ["delete", "delete "]],
		["blanks within", ["a b", "a  b", "a\nb"]],
		["an end that is not shown", [`${"x".repeat(150)}a`, `${"x".repeat(150)}b`]],
		["a hidden character and its escape", ["a\u202E", String.raw`a\u202E`]],
		["the label of the absent value", ["(not set)", "x"]],
		["an object and its text", [{ a: 1 }, '{"a":1}']],
		["texts and the same in quotes", ["a", "a ", '"a"', '"a "']],
	])("are distinguished in a choice: %s", (_what, values) => {
		const edit = new Edit(object({ choice: { enum: values } }));
		const node = edit.node("choice");
		if (node.kind !== "field" || node.field?.kind !== "choice") throw new Error("It is no choice.");
		const labels = [node.field.nothing, ...node.field.options.map(({ label }) => label)];
		expect(new Set(labels).size, labels.join(" | ")).toBe(values.length + 1);
	});

	const long = "x".repeat(300);
	const names = [
		"path",
		"path ",
		"pa  th",
		"pa   th",
		"pa th",
		"pa\u00A0th",
		"a\u202E",
		String.raw`a\u202E`,
		'"path "',
		"",
	];
	names.push(`${long}a`, `${long}b`);

	it("of members are distinguished by their labels", () => {
		const edit = new Edit(
			object({}, { additionalProperties: true }),
			Object.fromEntries(names.map((name) => [name, 1])),
		);
		const root = edit.node();
		if (root.kind !== "group") throw new Error("It is no group.");
		const labels = root.children.map(({ label }) => label);
		expect(new Set(labels).size, labels.join(" | ")).toBe(names.length);
	});

	it("of members are distinguished where they are offered", () => {
		const others = Array.from({ length: 100 }, (_, index) => `other ${index}`);
		const properties = Object.fromEntries([...others, ...names].map((name) => [name, {}]));
		const root = new Edit(object(properties)).node();
		if (root.kind !== "group") throw new Error("It is no group.");
		const labels = (root.adding?.names ?? []).map(({ label }) => label);
		expect(labels.length).toBeGreaterThan(names.length);
		expect(new Set(labels).size, labels.join(" | ")).toBe(labels.length);
	});
});

function doubling(count: number): JsonObject {
	return Object.fromEntries(
		Array.from({ length: count }, (_, i): [string, Json] => {
			const next = { $ref: `#/$defs/d${i + 1 === count ? 0 : i + 1}` };
			return [`d${i}`, { allOf: [next, next], properties: { [`m${i}`]: next } }];
		}),
	);
}

function deep(count: number): JsonObject {
	let value: JsonObject = {};
	for (let i = 0; i < count; i++) value = { b: value };
	return value;
}
