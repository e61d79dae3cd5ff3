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

/**
 * A text that is equal for equal values whatever the order of their keys, for hashing and comparing.
 * Undefined members are left out, as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		isJsonObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
			: inner,
	);
}
