import { keysOf } from "../guards.ts";
import { decoded } from "../words.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/** The value of a keyword: a schema, a list of schemas, schemas by name, or either of the first two. */
export type SchemaPlace = "schema" | "list" | "map" | "either";

const keywords: Readonly<Record<SchemaPlace, string>> = {
	schema:
		"additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties",
	list: "allOf anyOf oneOf prefixItems",
	map: "$defs definitions dependentSchemas patternProperties properties",
	// A list in the dialects before 2020-12.
	either: "items",
};

/** The keywords of all dialects that hold schemas. */
export const schemaPlaces: ReadonlyMap<string, SchemaPlace> = new Map(
	keysOf(keywords).flatMap((place) => keywords[place].split(" ").map((keyword) => [keyword, place] as const)),
);

/**
 * The schemas directly within a schema: objects or booleans, if it is well-formed. Values of the wrong kind, such as a
 * list instead of a schema, are passed unchanged, or as null.
 */
export function* subSchemas(schema: JsonObject): Generator<Json> {
	for (const [keyword, value] of Object.entries(schema)) {
		const place = schemaPlaces.get(keyword);
		if (place === undefined || value === undefined) continue;
		if (place !== "map" && place !== "schema" && Array.isArray(value)) yield* value;
		else if (place === "map" && isJsonObject(value)) {
			for (const inner of Object.values(value)) yield inner ?? null;
		} else yield place === "schema" || place === "either" ? value : null;
	}
}

/**
 * The target of a reference within the same schema, `#/a/b`; undefined if there is none, and for references to other
 * documents.
 */
export function followPointer(root: JsonObject, reference: string): Json | undefined {
	if (reference === "#") return root;
	if (!reference.startsWith("#/")) return undefined;
	let at: Json | undefined = root;
	for (const part of reference.slice(2).split("/")) {
		const key = unescaped(part);
		if (Array.isArray(at)) at = (at as readonly Json[])[Number(key)];
		else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
	}
	return at;
}

function unescaped(part: string): string {
	// In this order (RFC 6901, section 6).
	return decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
}
