import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { object } from "../../../view/fixtures/objectEdits.ts";
import { Edit } from "./editScene.ts";

const text = { type: "string" };
const texts = { type: "array", items: text };
const required = (properties: JsonObject): JsonObject => ({ ...object(properties), required: Object.keys(properties) });

describe("a required list without a value (FST-16)", () => {
	it("shows one empty item, which is sent only once it is filled in", async () => {
		const edit = new Edit(required({ paths: texts }));
		expect(edit.node("paths")).toMatchObject({ kind: "group", isPresent: false, canAddItem: false, size: "" });
		expect(edit.node("paths", "Item 1")).toMatchObject({ kind: "field", isPresent: false, input: "" });
		expect(edit.editor.value).toEqual({});
		expect(edit.editor.text).toBe("{}");
		const { id } = edit.node("paths", "Item 1");
		edit.type("a", "paths", "Item 1");
		expect(edit.editor.value).toEqual({ paths: ["a"] });
		// The control in which the user types stays the same one.
		expect(edit.node("paths", "Item 1")).toMatchObject({ id, kind: "field", isPresent: true, actions: ["remove"] });
		expect(edit.node("paths")).toMatchObject({ isPresent: true, canAddItem: true });
		edit.act("remove", "paths", "Item 1");
		expect(edit.editor.value).toEqual({ paths: [] });
	});

	it("is named as missing, and can be sent empty where the schema allows it", async () => {
		const edit = new Edit(required({ paths: texts }));
		await edit.check();
		expect(edit.problems).toEqual(["paths: This is required."]);
		expect(edit.act("empty", "paths")).toBe(true);
		expect(edit.editor.value).toEqual({ paths: [] });
		const few = new Edit(required({ paths: { ...texts, minItems: 1 } }));
		expect(few.node("paths").actions).toEqual([]);
		expect(few.act("empty", "paths")).toBe(false);
	});

	it("keeps nothing of a number that was not one, once an empty list is sent", () => {
		const edit = new Edit(required({ sizes: { type: "array", items: { type: "number" } } }));
		edit.type("x", "sizes", "Item 1");
		expect(edit.editor.slip).toBe("Enter a number.");
		edit.type("", "sizes", "Item 1");
		expect(edit.editor.slip).toBeUndefined();
		edit.type("x", "sizes", "Item 1");
		edit.act("empty", "sizes");
		expect(edit.editor.slip).toBeUndefined();
		expect(edit.editor.value).toEqual({ sizes: [] });
	});

	it("shows the members of its first item, with what the schema fixes once one is filled in", () => {
		const edits = { type: "array", items: required({ kind: { const: "replace" }, oldText: text, newText: text }) };
		const edit = new Edit(required({ edits, target: required({ path: text }) }));
		expect(edit.node("edits", "Item 1", "oldText")).toMatchObject({ kind: "field", isPresent: false });
		edit.type("a", "edits", "Item 1", "oldText");
		edit.type("/b", "target", "path");
		expect(edit.editor.value).toEqual({ edits: [{ kind: "replace", oldText: "a" }], target: { path: "/b" } });
	});

	it.each<[string, JsonObject]>([
		["an optional list", object({ it: texts })],
		["a list with a default", required({ it: { ...texts, default: [] } })],
		["a list that may be null", required({ it: { ...texts, type: ["array", "null"] } })],
		["a list of lists of anything", required({ it: { type: "array", items: { type: "array" } } })],
		["an object without required members", required({ it: object({ a: text }) })],
	])("but %s is added by the user", (_what, schema) => {
		expect(new Edit(schema).node("it")).toMatchObject({ kind: "absent", isPresent: false });
	});

	it("comes to an end where the schema holds itself", () => {
		const schema = { ...required({ next: { $ref: "#" } }) };
		let node = new Edit(schema).node("next");
		let depth = 1;
		for (; node.kind === "group"; depth++) node = node.children[0] ?? node;
		expect(node.kind).toBe("absent");
		expect(depth).toBeLessThan(8);
	});
});

describe("marks (FST-16)", () => {
	it("call nothing edited in a form that was empty at first", () => {
		const edit = new Edit(required({ path: text }));
		edit.type("a", "path");
		expect(edit.node("path")).toMatchObject({ isEdited: false, actions: [] });
		expect(edit.editor.isEdited).toBe(true);
		const former = new Edit(required({ path: text }), { path: "b" });
		former.type("a", "path");
		expect(former.node("path")).toMatchObject({ isEdited: true, actions: ["reset"] });
	});
});
