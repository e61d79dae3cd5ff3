import type { Json } from "../../base/json.ts";
import { groupRows, type GroupRow } from "./groupRows.ts";
import { valueAt, withValueAt, type JsonPath } from "./jsonPath.ts";
import { isLeaf } from "./leaf.ts";
import type { SchemaReader } from "./schemaMerge.ts";
import { shapeOf, type ShapeReading } from "./schemaShape.ts";
import { plainValue } from "./schemaValues.ts";

/** Down to this depth a required place shows its fields before it has a value. */
const deepest = 3;

/**
 * The fields that a required list or object shows before it has a value: one empty item, or the members. Nothing of them is
 * in the value until one is filled in. Undefined where it is not known what to show, or nothing is needed.
 */
export function emptyRows(row: GroupRow, reading: ShapeReading, reader: SchemaReader): readonly GroupRow[] | undefined {
	const { path, isRequired, isFirst = false } = row;
	const { schema, shape } = reading;
	if (!(isRequired || isFirst) || path.length > deepest || !needsFields(reading, reader, deepest)) return undefined;
	if (shape.kind !== "list") return groupRows(path, shape, schema, {})?.rows;
	const [item] = groupRows(path, shape, schema, [null])?.rows ?? [];
	return item && [{ ...item, isFirst: true }];
}

function needsFields({ schema, shape, isNullable }: ShapeReading, reader: SchemaReader, depth: number): boolean {
	if (schema["default"] !== undefined || isNullable || depth === 0) return false;
	if (shape.kind === "object") return shape.required.size > 0;
	if (shape.kind !== "list") return false;
	const item = shape.first[0] ?? shape.rest;
	if (item === false) return false;
	const inner = shapeOf(item, reader);
	return (isLeaf(inner.shape) && !inner.isNullable) || needsFields(inner, reader, depth - 1);
}

/** The value with the lists and objects that lead to a place, where they are not there yet. */
export function withContainers(
	root: Json,
	path: JsonPath,
	placeAt: (place: JsonPath) => { readonly reading?: ShapeReading } | undefined,
	reader: SchemaReader,
): Json {
	let whole = root;
	for (let length = 1; length < path.length; length++) {
		const place = path.slice(0, length);
		const reading = placeAt(place)?.reading;
		if (reading === undefined || valueAt(whole, place) !== undefined) continue;
		whole = withValueAt(whole, place, plainValue(reading, reader)) ?? whole;
	}
	return whole;
}
