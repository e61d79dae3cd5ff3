import { isJsonObject, type Json, jsonIn, type JsonObject } from "./json.ts";

/** Whether a value has one of JSON's types. The contents of objects are not checked. */
export function isJson(value: unknown): value is Json {
	return value === null || ["string", "number", "boolean", "object"].includes(typeof value);
}

/** The value as a JSON object; an empty object for any other value. */
export function jsonObjectOf(value: unknown): JsonObject {
	return isJsonObject(value) ? value : {};
}

/** The value as JSON; null for any other value. */
export function jsonOf(value: unknown): Json {
	return isJson(value) ? value : null;
}

/**
 * A value that JSON can hold, as the JSON that it is serialized to, without members that JSON cannot hold. Throws for a
 * cyclic value.
 */
export function copyAsJson(value: unknown): Json {
	return jsonIn(JSON.stringify(value));
}

/** Whether a value is an object of texts alone. */
export function isTextObject(value: unknown): value is Readonly<Record<string, string>> {
	return isJsonObject(value) && Object.values(value).every((one) => typeof one === "string");
}

/** A value that is a text; an empty text for any other value. */
export function stringOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** The keys of an object that is written out here, as its type names them. */
export function keysOf<T extends object>(object: T): readonly Extract<keyof T, string>[] {
	const keys: Extract<keyof T, string>[] = [];
	for (const key in object) if (Object.hasOwn(object, key)) keys.push(key);
	return keys;
}

/** The value if it is one of `values`; undefined otherwise. */
export function oneOf<T>(values: Iterable<T>, value: unknown): T | undefined {
	for (const one of values) if (one === value) return one;
	return undefined;
}

/** Whether a value is a whole number that JSON holds exactly, from `least` on. */
export function isWhole(value: unknown, least: number): value is number {
	return typeof value === "number" && Number.isSafeInteger(value) && value >= least;
}
