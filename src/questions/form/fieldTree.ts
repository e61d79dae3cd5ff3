import type { Json, JsonObject } from "../../base/json.ts";
import { roomFor } from "./formChange.ts";
import type { FieldInput, FormField, FormNode } from "./formProtocol.ts";
import type { QuestionField } from "./formQuestion.ts";
import type { FormTree, NodePlace, TreeSource } from "./formTree.ts";
import { isSameJson, valueAt } from "./jsonPath.ts";
import { readNumber, type LeafValue } from "./leaf.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** A field as the view gets it: its options are known there by their numbers. */
export interface ReadField {
	readonly name: string;
	readonly field: FormField;
	/** The values of the options. */
	readonly values: readonly string[];
}

/** Reads the fields of a question, once. */
export function readFields(fields: readonly QuestionField[]): readonly ReadField[] {
	return fields.map(({ name, ...field }) => {
		if (field.kind !== "choice" && field.kind !== "choices") return { name, field, values: [] };
		const options = field.options.map(({ label }, index) => ({ value: String(index), label }));
		return { name, field: { ...field, options }, values: field.options.map(({ value }) => value) };
	});
}

/** Makes the nodes of fields, which take the first ids in their order. Changes nothing. */
export function buildFields(fields: readonly ReadField[], source: Omit<TreeSource, "schema" | "reader">): FormTree {
	const { value, initial, memory } = source;
	const places = new Map<number, NodePlace>();
	const children = fields.map((field) => {
		const place = placeOf(field, source);
		places.set(place.node.id, place);
		return place.node;
	});
	const root: FormNode = {
		id: memory.id([]),
		kind: "group",
		label: "",
		isRequired: true,
		isPresent: true,
		isEdited: !isSameJson(value, initial),
		actions: [],
		isList: false,
		isOpen: true,
		size: "",
		children,
		canAddItem: false,
	};
	return { root, places };
}

function placeOf(
	read: ReadField,
	{ value, initial, memory, problems, saysAll }: Omit<TreeSource, "schema" | "reader">,
): NodePlace {
	const { name, field } = read;
	const path = [name];
	const current = valueAt(value, path);
	const isEdited = !isSameJson(current, valueAt(initial, path));
	const typed = memory.typedAt(path, current);
	const problem = typed?.slip ?? problems.within(path)[0];
	const isSaid = problem !== undefined && (saysAll || isEdited || memory.isTouched(path));
	const node: FormNode = {
		id: memory.id(path),
		kind: "field",
		label: field.label,
		isRequired: field.isRequired,
		isPresent: current !== undefined,
		isEdited,
		actions: [],
		field,
		input: typed?.text ?? inputOf(read, current),
		...(isSaid ? { problem } : {}),
	};
	return { path, node, variants: [], field: read, read: (input) => readInput(read, input, value) };
}

function inputOf({ field, values }: ReadField, value: Json | undefined): FieldInput {
	switch (field.kind) {
		case "boolean":
			return value === true;
		case "choices": {
			const chosen = Array.isArray(value) ? (value as readonly Json[]) : [];
			return values.flatMap((option, index) => (chosen.includes(option) ? [String(index)] : []));
		}
		case "choice": {
			const index = values.findIndex((option) => option === value);
			return index === -1 ? "" : String(index);
		}
		case "text":
		case "number":
			return typeof value === "string" || typeof value === "number" ? String(value) : "";
	}
}

/**
 * The value of an input; undefined for an input that a control of this kind never has, or that exceeds the form's
 * limit.
 */
function readInput({ name, field, values }: ReadField, input: FieldInput, whole: Json): LeafValue | undefined {
	if (field.kind === "boolean") return typeof input === "boolean" ? { value: input } : undefined;
	if (field.kind === "choices") {
		if (typeof input === "string" || typeof input === "boolean" || input.length > values.length) return undefined;
		const chosen = input.flatMap((index) => values[Number(index)] ?? []);
		if (chosen.length !== input.length) return undefined;
		return { value: chosen.length === 0 && !field.isRequired ? undefined : chosen };
	}
	if (typeof input !== "string" || input.length > roomFor(jsonObjectOf(whole), name)) return undefined;
	if (input === "") return { value: undefined };
	if (field.kind === "number") return readNumber(input);
	if (field.kind === "text") return { value: input };
	const value = values[Number(input)];
	return value === undefined ? undefined : { value };
}

/** The members of a value in the order of their fields, from any order. */
export function inOrder(value: JsonObject, fields: readonly ReadField[]): JsonObject {
	// `fromEntries` defines own properties, so that a member named `__proto__` is one like any other.
	return Object.fromEntries(
		fields.flatMap(({ name }): [string, Json][] => {
			const member = valueAt(value, [name]);
			return member === undefined ? [] : [[name, member]];
		}),
	);
}
