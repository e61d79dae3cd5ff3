/** The shown value is sent, byte for byte (TOL-10): random schemas, random values, random edits. */
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { isSameJson, valueAt, type JsonPath } from "../../../../src/questions/form/jsonPath.ts";
import { FormEditor } from "../../../../src/questions/form/formEditor.ts";
import { nodesOf } from "./editScene.ts";

/** A sequence of numbers that looks random and is the same each time. */
class Dice {
	private state: number;

	constructor(seed: number) {
		this.state = seed * 2_654_435_761 + 1;
	}

	/** A whole number below `sides`. */
	roll(sides: number): number {
		this.state = (Math.imul(this.state ^ (this.state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
		return ((this.state ^ (this.state >>> 13)) >>> 0) % sides;
	}

	pick<T>(values: readonly [T, ...T[]]): T {
		return values[this.roll(values.length)] ?? values[0];
	}
}

const names = ["a", "b", "c", "10", "2", "__proto__", "constructor", "", "a/b", "x\u202Ey", "длинное имя"] as const;
const texts = [
	"",
	"text",
	"two\nlines",
	"cr\r\nlf\r",
	"\u202Ehidden\u200B\u0007",
	"\u{E0041}",
	"\uD800",
	"x".repeat(5000),
	"1e3",
	"null",
] as const;
const numbers = [0, 1, -1, 0.1, 1e21, 1e-7, 5e-324, 2 ** 53, -(2 ** 60), 1.7976931348623157e308, 123456.789] as const;

function schemaOf(dice: Dice, depth: number): Json {
	const kind = dice.roll(depth === 0 ? 6 : 14);
	switch (kind) {
		case 0:
			return { type: "string", ...(dice.roll(3) === 0 ? { format: dice.pick(["date", "email", "uuid"]) } : {}) };
		case 1:
			return { type: dice.pick(["number", "integer"]), minimum: dice.roll(10) };
		case 2:
			return { type: "boolean", default: true };
		case 3:
			return { enum: ["a", 1, null, { deep: [true] }] };
		case 4:
			return { type: ["string", "null"] };
		case 5:
			return dice.pick<Json>([true, {}, false, { type: "null" }, { const: "x" }, { not: {} }]);
		case 6:
		case 7:
			return { type: "array", items: schemaOf(dice, depth - 1) };
		case 8:
			return { type: "array", prefixItems: [schemaOf(dice, 0), schemaOf(dice, 0)], items: dice.roll(2) === 0 };
		case 9:
			return { anyOf: [schemaOf(dice, depth - 1), schemaOf(dice, depth - 1), { type: "null" }] };
		case 10:
			return { $ref: "#/$defs/shared" };
		case 11:
			return { allOf: [objectSchema(dice, depth - 1), objectSchema(dice, depth - 1)] };
		default:
			return objectSchema(dice, depth - 1);
	}
}

function objectSchema(dice: Dice, depth: number): JsonObject {
	const members = Array.from({ length: dice.roll(5) }, (): [string, Json] => [dice.pick(names), schemaOf(dice, depth)]);
	return {
		type: "object",
		properties: Object.fromEntries(members),
		required: dice.roll(2) === 0 ? [dice.pick(names)] : [],
		...(dice.roll(3) === 0 ? { additionalProperties: dice.roll(2) === 0 ? false : { type: "string" } } : {}),
	};
}

/** A value that is often valid for the schema, and often not. */
function valueOf(dice: Dice, schema: Json | undefined, depth: number): Json {
	const type = typeof schema === "object" && schema !== null && "type" in schema ? schema["type"] : undefined;
	const kind = dice.roll(4) === 0 || depth === 0 ? dice.roll(depth === 0 ? 4 : 7) : type;
	if (kind === "string" || kind === 0) return dice.pick(texts);
	if (kind === "number" || kind === "integer" || kind === 1) return dice.pick(numbers);
	if (kind === "boolean" || kind === 2) return dice.roll(2) === 0;
	if (kind === 3) return null;
	if (kind === "array" || kind === 4) return Array.from({ length: dice.roll(4) }, () => valueOf(dice, true, depth - 1));
	return objectValue(dice, schema, depth);
}

function objectValue(dice: Dice, schema: Json | undefined, depth: number): JsonObject {
	const known = valueAt(schema, ["properties"]);
	const entries = [...Object.keys(known ?? {}), ...names]
		.filter(() => dice.roll(3) === 0)
		.map((name): [string, Json] => [name, valueOf(dice, valueAt(known, [name]), Math.max(0, depth - 1))]);
	return Object.fromEntries(entries);
}

const rounds = 400;

function* examples(): Generator<{
	readonly dice: Dice;
	readonly schema: JsonObject;
	readonly initial: JsonObject;
	readonly name: string;
}> {
	for (let seed = 1; seed <= rounds; seed++) {
		const dice = new Dice(seed);
		const schema = { ...objectSchema(dice, 4), $defs: { shared: objectSchema(dice, 2) } };
		const initial = JSON.parse(JSON.stringify(objectValue(dice, schema, 4))) as JsonObject;
		yield { dice, schema, initial, name: `seed ${seed}` };
	}
}

it("a value that is opened, viewed in both tabs and submitted is unchanged", () => {
	for (const { schema, initial, name } of examples()) {
		const before = JSON.stringify(initial);
		const editor = new FormEditor({ kind: "schema", schema }, initial);
		for (const node of editor.root === undefined ? [] : nodesOf(editor.root)) {
			if (node.kind === "group" && !node.isOpen) editor.apply({ kind: "toggle", id: node.id });
		}
		editor.apply({ kind: "tab", tab: "json" });
		const { text } = editor;
		editor.apply({ kind: "tab", tab: "form" });
		expect(editor.value, name).toBe(initial);
		expect(JSON.stringify(editor.value), name).toBe(before);
		// The JSON tab shows exactly that value, and accepting it as typed changes nothing either.
		expect(JSON.stringify(JSON.parse(text)), name).toBe(before);
		editor.apply({ kind: "tab", tab: "json" });
		editor.apply({ kind: "json", text: `${text}\n` });
		expect(editor.jsonProblems, name).toEqual([]);
		expect(editor.value, name).toBe(initial);
	}
});

it("typing a control's content again changes nothing; typing another changes that place only", () => {
	let edits = 0;
	for (const { dice, schema, initial, name } of examples()) {
		const editor = new FormEditor({ kind: "schema", schema }, initial);
		const fields = editor.root === undefined ? [] : nodesOf(editor.root).filter((node) => node.kind === "field");
		for (const { id, input, isPresent } of fields) {
			if (isPresent) editor.apply({ kind: "input", id, input });
		}
		expect(JSON.stringify(editor.value), name).toBe(JSON.stringify(initial));
		const field = fields[dice.roll(Math.max(1, fields.length))];
		if (field === undefined) continue;
		const input = field.field?.kind === "choice" ? "0" : field.field?.kind === "number" ? "7.25" : "\u202Etyped";
		editor.apply({ kind: "input", id: field.id, input });
		const changed = placesOf(editor.value, initial);
		expect(changed.length, `${name}: ${changed.join()}`).toBeLessThanOrEqual(1);
		edits += changed.length;
		editor.apply({ kind: "reset" });
		expect(editor.value, name).toBe(initial);
	}
	expect(edits).toBeGreaterThan(rounds / 4);
});

/** The places where two values differ, as deep as they have the same shape. */
function placesOf(one: Json | undefined, other: Json | undefined, path: JsonPath = []): readonly string[] {
	if (isSameJson(one, other)) return [];
	const isPair = [one, other].every((value) => typeof value === "object" && value !== null);
	if (!isPair || Array.isArray(one) !== Array.isArray(other)) return [JSON.stringify(path)];
	const keys = new Set([...Object.keys(one as object), ...Object.keys(other as object)]);
	const inner = [...keys].flatMap((key) => {
		const step = Array.isArray(one) ? Number(key) : key;
		return placesOf(valueAt(one, [step]), valueAt(other, [step]), [...path, step]);
	});
	return inner.length === 0 ? [`order of ${JSON.stringify(path)}`] : inner;
}
