import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { object, trip } from "../../../view/fixtures/objectEdits.ts";
import { Edit } from "./editScene.ts";

describe("the form of an object", () => {
	it("has a control for each kind of value, and invents none", () => {
		const edit = new Edit(trip.schema, trip.initial);
		const root = edit.node();
		const rows = root.kind === "group" ? root.children : [];
		expect(rows.map(({ label, kind, isPresent, isRequired }) => [label, kind, isPresent, isRequired])).toEqual([
			["Name of the hotel (hotel)", "field", true, true],
			["nights", "field", true, true],
			["arrival", "field", false, false],
			["board", "field", false, false],
			["quiet", "field", false, false],
			["note", "field", true, false],
			["guests", "group", true, true],
			["payment", "group", true, true],
			["tags", "group", true, false],
			["filter", "json", true, false],
		]);
		expect(edit.node("arrival")).toMatchObject({ field: { kind: "text", format: "date" }, input: "" });
		expect(edit.node("board")).toMatchObject({ description: 'Default: "breakfast"', input: "" });
		expect(edit.node("payment")).toMatchObject({ variants: { labels: ["Card", "Cash"], chosen: 0 } });
		expect(edit.node("filter")).toMatchObject({ why: "The schema has rules that a form cannot show (not)." });
		expect(edit.editor.value).toBe(trip.initial);
		expect(edit.editor.isEdited).toBe(false);
	});

	it("gives several lines to texts that are named so, allowed so or long already", () => {
		const text = { type: "string" };
		const edit = new Edit(
			object({
				body: text,
				sqlQuery: text,
				file_content: text,
				city: text,
				context: text,
				long: { ...text, maxLength: 5000 },
				code: { ...text, pattern: "^x" },
			}),
			{ city: "x".repeat(200) },
		);
		const root = edit.node();
		const fields =
			root.kind === "group" ? root.children.flatMap((node) => (node.kind === "field" ? [node.field] : [])) : [];
		expect(fields.filter((field) => field?.kind === "text" && field.isLong).map((field) => field?.label)).toEqual([
			"body",
			"sqlQuery",
			"file_content",
			"city",
			"long",
		]);
	});

	it("distinguishes absent, empty and null", () => {
		const schema = object({ note: { type: ["string", "null"] }, count: { type: "integer" } });
		const edit = new Edit(schema, {});
		edit.type("a", "note");
		expect(edit.editor.value).toEqual({ note: "a" });
		edit.type("", "note");
		expect(edit.editor.value).toEqual({ note: "" });
		edit.act("null", "note");
		expect(edit.editor.value).toEqual({ note: null });
		expect(edit.node("note").kind).toBe("null");
		edit.act("replace", "note");
		expect(edit.editor.value).toEqual({ note: "" });
		edit.act("remove", "note");
		expect(edit.editor.value).toEqual({});
		expect(edit.editor.isEdited).toBe(false);
		edit.type("5", "count");
		edit.type("", "count");
		expect(edit.editor.value).toEqual({});
	});

	it("keeps members that the schema does not define, and the order of all", () => {
		const initial = { z: { deep: [1, "x"] }, b: "2", a: "1" };
		const edit = new Edit(object({ a: { type: "string" }, b: { type: "string" }, c: { type: "string" } }), initial);
		expect(edit.node("z")).toMatchObject({ kind: "json", text: JSON.stringify(initial.z, undefined, 2) });
		edit.type("changed", "b");
		edit.type("new", "c");
		expect(JSON.stringify(edit.editor.value)).toBe('{"z":{"deep":[1,"x"]},"b":"changed","a":"1","c":"new"}');
		edit.type('{"deep": 1.50}', "z");
		expect(edit.node("z")).toMatchObject({ text: '{"deep": 1.50}' });
		expect(edit.editor.value).toMatchObject({ z: { deep: 1.5 } });
	});

	it("has members of any name, `__proto__` and `constructor` among them", () => {
		const edit = new Edit(object({ constructor: { type: "string" } }, { additionalProperties: { type: "number" } }));
		expect(edit.node("constructor").isPresent).toBe(false);
		edit.change((id) => ({ kind: "addMember", id, name: "__proto__" }));
		edit.type("7", "__proto__");
		edit.type("x", "constructor");
		expect(JSON.stringify(edit.editor.value)).toBe('{"__proto__":7,"constructor":"x"}');
		expect(edit.change((id) => ({ kind: "addMember", id, name: "__proto__" }))).toBe(false);
	});

	it("adds, moves and removes items, and typed text moves with them", () => {
		const edit = new Edit(object({ list: { type: "array", items: { type: "number" } } }), { list: [1, 2, 3] });
		edit.type("2.50", "list", "Item 2");
		edit.act("down", "list", "Item 2");
		expect(edit.editor.value).toEqual({ list: [1, 3, 2.5] });
		expect(edit.node("list", "Item 3")).toMatchObject({ input: "2.50" });
		edit.act("remove", "list", "Item 1");
		expect(edit.node("list", "Item 2")).toMatchObject({ input: "2.50" });
		edit.change((id) => ({ kind: "addItem", id }), "list");
		expect(edit.editor.value).toEqual({ list: [3, 2.5, 0] });
		edit.type("", "list", "Item 3");
		expect(edit.editor.slip).toBe("Fill in this field.");
		edit.act("remove", "list", "Item 3");
		expect(edit.editor.slip).toBeUndefined();
		edit.act("reset", "list");
		expect(edit.editor.value).toEqual({ list: [1, 2, 3] });
		expect(edit.editor.isEdited).toBe(false);
	});

	it("shows a tuple's places by their own schemas; only the following items move", () => {
		const pair = { type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }], items: { type: "number" } };
		const edit = new Edit(object({ pair }), { pair: ["a", true, 1, 2] });
		expect(edit.node("pair", "Item 2")).toMatchObject({ field: { kind: "choice" }, actions: [] });
		expect(edit.node("pair", "Item 3")).toMatchObject({ field: { kind: "number" }, actions: ["remove", "down"] });
		const closed = new Edit(object({ pair: { ...pair, items: false } }), { pair: ["a"] });
		closed.change((id) => ({ kind: "addItem", id }), "pair");
		expect(closed.editor.value).toEqual({ pair: ["a", false] });
		expect(closed.node("pair")).toMatchObject({ canAddItem: false });
	});

	it("changes between variants, filling in only the distinguishing members", () => {
		const edit = new Edit(trip.schema, trip.initial);
		edit.change((id) => ({ kind: "variant", id, index: 1 }), "payment");
		expect(edit.editor.value["payment"]).toEqual({ by: "cash" });
		edit.change((id) => ({ kind: "variant", id, index: 0 }), "payment");
		expect(edit.editor.value["payment"]).toEqual({ by: "card" });
		edit.act("reset", "payment");
		expect(edit.editor.value["payment"]).toEqual({ by: "card", number: "1234" });
		expect(edit.change((id) => ({ kind: "variant", id, index: 7 }), "payment")).toBe(false);
	});

	it("follows a recursive schema only as deep as there are values", () => {
		const edit = new Edit(trip.schema, { guests: [{ name: "a" }] });
		for (let depth = 0; depth < 3; depth++) {
			edit.act("add", "guests", "Item 1", ...Array.from({ length: depth + 1 }, () => "friend"));
			edit.change(
				(id) => ({ kind: "toggle", id }),
				"guests",
				"Item 1",
				...Array.from({ length: depth + 1 }, () => "friend"),
			);
		}
		expect(edit.editor.value).toEqual({ guests: [{ name: "a", friend: { friend: { friend: {} } } }] });
	});

	it("offers a value of another kind than the schema's as JSON, and does not change it", () => {
		const edit = new Edit(object({ nights: { type: "integer" }, list: { type: "array" } }), { nights: "3", list: {} });
		expect(edit.node("nights")).toMatchObject({ kind: "json", text: '"3"', actions: ["replace", "remove"] });
		expect(edit.node("list")).toMatchObject({ kind: "json", text: "{}" });
		edit.type("3", "nights");
		expect(edit.editor.value).toEqual({ nights: 3, list: {} });
		expect(edit.node("nights")).toMatchObject({ kind: "field", input: "3", isEdited: true });
	});

	it.each<[string, JsonObject, JsonObject]>([
		[
			"allOf and $ref with words beside it",
			{ allOf: [{ $ref: "#/$defs/a" }, { properties: { b: { type: "number" } } }] },
			{},
		],
		[
			"a reference with a title",
			{ properties: { a: { $ref: "#/$defs/a/properties/a", title: "A" }, b: { type: "number" } } },
			{},
		],
		[
			"required members only",
			{ ...object({ a: true, b: { type: "number" } }), anyOf: [{ required: ["a"] }, { required: ["b"] }] },
			{},
		],
	])("reads %s", (_what, schema, initial) => {
		const edit = new Edit({ type: "object", ...schema, $defs: { a: object({ a: { type: "string" } }) } }, initial);
		expect(edit.editor.noForm).toBeUndefined();
		expect(edit.node("b")).toMatchObject({ field: { kind: "number" } });
	});

	it.each<[JsonObject, string]>([
		[{ not: {} }, "The schema has rules that a form cannot show (not)."],
		[{ if: {} }, "The schema has rules that a form cannot show (if)."],
		[{ patternProperties: {} }, "The schema has rules that a form cannot show (patternProperties)."],
		[{ $ref: "https://example.com/schema" }, "The schema refers to a schema outside of it."],
		[{ $ref: "#" }, "The schema refers to itself without end."],
		[{ allOf: [{ pattern: "a" }, { pattern: "b" }] }, "The schema combines rules that a form cannot show (pattern)."],
		[{ $schema: "https://example.com/dialect" }, "MCP Host cannot show a form for this dialect of JSON Schema."],
		[{ type: "string" }, "The value does not have the type that the schema requires."],
	])("for %j has only JSON, and explains why", (schema, why) => {
		const { editor } = new Edit(schema, { a: 1 });
		expect(editor.noForm).toBe(why);
		expect(editor.tab).toBe("json");
		expect(editor.apply({ kind: "tab", tab: "form" })).toBe(false);
		expect(editor.apply({ kind: "json", text: '{"a": 2}' })).toBe(true);
		expect(editor.value).toEqual({ a: 2 });
	});
});

describe("an invalid value", () => {
	const schema = object({ n: { type: "number" }, any: true });

	it.each([
		["x", "Enter a number."],
		["0x10", "Enter a number."],
		["12345678901234567890", "This number cannot be sent exactly; it would become 12345678901234567000."],
		["0.1000000000000000055", "This number cannot be sent exactly; it would become 0.1."],
		["1e400", "This number cannot be sent exactly; it would become Infinity."],
	])("%s stays in its field, and is neither sent nor left (the last valid text is not sent instead)", (text, slip) => {
		const edit = new Edit(schema, { n: 1 });
		edit.type(text, "n");
		expect(edit.editor.slip).toBe(slip);
		expect(edit.node("n")).toMatchObject({ input: text, problem: slip });
		expect(edit.editor.apply({ kind: "tab", tab: "json" })).toBe(false);
		expect(edit.editor.value).toEqual({ n: 1 });
		expect(edit.editor.isEdited).toBe(true);
		edit.type("2", "n");
		expect(edit.editor.slip).toBeUndefined();
	});

	it.each(["1.0", "1e21", "1e+21", "-0", "0.10", "9007199254740992", "5e-324", "123456789012345680000"])(
		"%s is a number",
		(text) => {
			const edit = new Edit(schema);
			edit.type(text, "n");
			expect(edit.editor.slip).toBeUndefined();
			expect(edit.editor.value["n"]).toBe(Number(text));
			expect(edit.node("n")).toMatchObject({ input: text });
		},
	);

	it.each<[string, string]>([
		["{", "Line 1, column 2: close brace expected."],
		['{\n  "a": 1,\n}', "Line 3, column 1: property name expected."],
		['{"a": 1, "a": 2}', 'Line 1, column 10: the name "a" is used twice.'],
		[
			'{"a": 12345678901234567890}',
			"Line 1, column 7: 12345678901234567890 cannot be sent exactly; it would become 12345678901234567000.",
		],
		["[]", "This must be a JSON object: { … }"],
		["", "The text is empty. Enter JSON."],
		["// {}", "Line 1, column 1: invalid comment token."],
		["[".repeat(100_000), "This is nested too deeply."],
	])("the JSON text %.30s keeps its tab, and the error has its place", (text, problem) => {
		const edit = new Edit(schema, { n: 1 });
		edit.editor.apply({ kind: "tab", tab: "json" });
		edit.editor.apply({ kind: "json", text });
		expect(edit.editor.jsonProblems[0]).toBe(problem);
		expect(edit.editor.apply({ kind: "tab", tab: "form" })).toBe(false);
		expect(edit.editor.tab).toBe("json");
		expect(edit.editor.text).toBe(text);
		edit.editor.apply({ kind: "json", text: '{ "n": 2.0 }' });
		expect(edit.editor.apply({ kind: "tab", tab: "form" })).toBe(true);
		edit.editor.apply({ kind: "tab", tab: "json" });
		expect(edit.editor.text, "as it was written").toBe('{ "n": 2.0 }');
	});
});

describe("Reset", () => {
	it("restores everything, and can be undone", () => {
		const edit = new Edit(trip.schema, trip.initial);
		edit.type("Hotel B", "Name of the hotel (hotel)");
		edit.type("x", "nights");
		const edited = edit.editor.value;
		edit.editor.apply({ kind: "reset" });
		expect(edit.editor.value).toBe(trip.initial);
		expect(edit.editor.slip).toBeUndefined();
		expect(edit.editor.canUndoReset).toBe(true);
		edit.editor.apply({ kind: "reset" });
		expect(edit.editor.value).toBe(edited);
	});

	it("of a field restores only that; a value that is typed back is not an edit", () => {
		const edit = new Edit(trip.schema, trip.initial);
		edit.type("Hotel B", "Name of the hotel (hotel)");
		edit.type("4", "nights");
		edit.act("reset", "nights");
		expect(edit.editor.value).toEqual({ ...trip.initial, hotel: "Hotel B" });
		edit.type("Hotel Arts", "Name of the hotel (hotel)");
		expect(edit.editor.value).toBe(trip.initial);
	});
});
