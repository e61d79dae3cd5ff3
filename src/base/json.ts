/** Any JSON value, as it arrives from a server, a model or a file. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys are data: read with `Object.hasOwn` where a name comes from outside. */
export interface JsonObject {
	readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text. Throws a `SyntaxError` for a text that is not JSON. */
export function jsonIn(text: string): Json {
	return JSON.parse(text);
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): Json | undefined {
	try {
		return jsonIn(text);
	} catch {
		return undefined;
	}
}

/** The object that a JSON text holds; undefined where it holds none. */
export function parseJsonObject(text: string): JsonObject | undefined {
	const value = parseJson(text);
	return isJsonObject(value) ? value : undefined;
}

/** Reads a key as data: inherited members such as `constructor` are absent (CFG-19). */
export function own(object: JsonObject, key: string): unknown {
	return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The objects of a list; empty if the value is not a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/**
 * A text that is equal for equal values regardless of the order of their keys, for hashing and comparing. Undefined
 * members are left out, as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		isJsonObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
			: inner,
	);
}
