import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import { object } from "../../e2e/fixtures/objectEdits.ts";
import { Edit } from "./objectScene.ts";

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

	it.each(bombs)("%s: shown in part or as JSON, and sent as it is", (_what, schema, initial) => {
		const { editor } = new Edit(schema, initial);
		expect(JSON.stringify(editor.root ?? editor.noForm).length).toBeLessThan(2_000_000);
		expect(editor.value).toBe(initial);
		editor.apply({ kind: "tab", tab: "json" });
		expect(JSON.parse(editor.text)).toEqual(initial);
	});

	it("a value that a form cannot show becomes JSON, and stays so until the person asks for the form", () => {
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
