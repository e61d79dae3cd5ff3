import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { besideReference } from "../../base/schema/references.ts";
import { followPointer } from "../../base/schema/schemaPlaces.ts";

/** The properties of an object in a schema, with all of its parts. */
export interface Gathered {
	readonly properties: JsonObject;
	readonly required: readonly string[];
}

/** Deeper nested parts are only described in words. */
const deepest = 16;
const none: Gathered = { properties: {}, required: [] };

/**
 * A schema with the reference at its top replaced by its target. Keywords of both, or unresolvable ones, become a part
 * of `allOf`, which means the same.
 */
export function withoutReference(root: JsonObject, schema: JsonObject, seen = new Set<string>()): JsonObject {
	const { $ref: reference, ...own } = schema;
	if (typeof reference !== "string") return schema;
	const found = seen.has(reference) ? undefined : followPointer(root, reference);
	const target = isJsonObject(found) ? withoutReference(root, found, seen.add(reference)) : { $ref: reference };
	return besideReference(target, own);
}

/**
 * The properties in a schema and its parts (`allOf`, `anyOf`, `oneOf`, references), and the names that are required in
 * any case. Each part is read once, and recursive ones end (TOL-20).
 */
export function gatherProperties(root: JsonObject, schema: JsonObject): Gathered {
	const known = new Map<JsonObject, Gathered>();
	const gather = (part: JsonObject, depth: number): Gathered => {
		const before = known.get(part);
		if (before !== undefined) return before;
		known.set(part, none);
		const { properties, required, $ref: reference } = part;
		const own: Gathered = {
			properties: isJsonObject(properties) ? properties : {},
			required: listOf(required).filter((name) => typeof name === "string"),
		};
		const target = typeof reference === "string" ? followPointer(root, reference) : undefined;
		const inner = (branches: readonly (Json | undefined)[]): readonly Gathered[] =>
			depth >= deepest ? [] : [...new Set(branches.map((one) => (isJsonObject(one) ? gather(one, depth + 1) : none)))];
		const alternatives = ["anyOf", "oneOf"].map((keyword) => inner(listOf(part[keyword])));
		const parts = [
			own,
			...inner([...listOf(part["allOf"]), target]),
			...alternatives.map((branches) => ({
				properties: mergeProperties(branches.map((branch) => branch.properties)),
				required: inAll(branches.map((branch) => branch.required)),
			})),
		].filter((one) => one.required.length > 0 || Object.keys(one.properties).length > 0);
		const [only = none, ...others] = parts;
		const gathered =
			others.length === 0
				? only
				: {
						properties: mergeProperties(parts.map((one) => one.properties)),
						required: [...new Set(parts.flatMap((one) => one.required))],
					};
		known.set(part, gathered);
		return gathered;
	};
	return gather(schema, 0);
}

function inAll([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
	return first.filter((name) => others.every((list) => list.includes(name)));
}

/** Properties of several schemas in one. A property with different descriptions may be any of them. */
function mergeProperties(sources: readonly JsonObject[]): JsonObject {
	const merged = new Map<string, Map<string, Json>>();
	for (const [name, schema] of sources.flatMap((source) => Object.entries(source))) {
		if (schema === undefined) continue;
		const kinds = merged.get(name) ?? new Map<string, Json>();
		kinds.set(canonicalJson(schema), schema);
		merged.set(name, kinds);
	}
	return Object.fromEntries(
		[...merged].map(([name, kinds]) => {
			const [only, ...others] = kinds.values();
			return [name, others.length === 0 ? only : { anyOf: [...kinds.values()] }];
		}),
	);
}

function listOf(value: Json | undefined): readonly Json[] {
	return Array.isArray(value) ? (value as readonly Json[]) : [];
}
