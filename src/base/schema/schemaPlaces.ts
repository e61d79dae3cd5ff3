import { isJsonObject, type Json, type JsonObject, keysOf } from "../json.ts";

/** What stands under a keyword: a schema, a list of schemas, schemas by name, or one or the other of the first two. */
export type SchemaPlace = "schema" | "list" | "map" | "either";

const keywords: Readonly<Record<SchemaPlace, string>> = {
	schema:
		"additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties",
	list: "allOf anyOf oneOf prefixItems",
	map: "$defs definitions dependentSchemas patternProperties properties",
	// A list in the dialects before 2020-12.
	either: "items",
};

/** The keywords of all dialects under which schemas stand. */
export const schemaPlaces: ReadonlyMap<string, SchemaPlace> = new Map(
	keysOf(keywords).flatMap((place) => keywords[place].split(" ").map((keyword) => [keyword, place] as const)),
);

/** A schema within a schema, and where it is, as a JSON pointer. */
export interface SubSchema {
	readonly pointer: string;
	/** An object or a boolean, if the schema is well-formed. */
	readonly schema: Json | undefined;
}

/** The schemas directly within a schema. Values of the wrong kind, such as a list in place of a schema, come as they are. */
export function* subSchemas(schema: JsonObject, pointer: string): Generator<SubSchema> {
	for (const [keyword, value] of Object.entries(schema)) {
		const place = schemaPlaces.get(keyword);
		if (place === undefined || value === undefined) continue;
		const at = `${pointer}/${keyword}`;
		if (place !== "map" && place !== "schema" && Array.isArray(value)) {
			for (const [index, inner] of (value as readonly Json[]).entries())
				yield { pointer: `${at}/${index}`, schema: inner };
		} else if (place === "map" && isJsonObject(value)) {
			for (const [name, inner] of Object.entries(value)) yield { pointer: `${at}/${escaped(name)}`, schema: inner };
		} else yield { pointer: at, schema: place === "schema" || place === "either" ? value : null };
	}
}

/** What a reference within the same schema, `#/a/b`, leads to; undefined for nothing, and for references elsewhere. */
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

function escaped(name: string): string {
	return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescaped(part: string): string {
	const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
	try {
		return decodeURIComponent(plain);
	} catch {
		return plain;
	}
}
