import { isJsonObject, type Json, jsonIn, type JsonObject } from "./json.ts";

/** Whether a value is of a kind that JSON has. As of objects, nothing is said of what is inside. */
export function isJson(value: unknown): value is Json {
	return value === null || ["string", "number", "boolean", "object"].includes(typeof value);
}

/** The value as a JSON object; an empty one for anything else. */
export function jsonObjectOf(value: unknown): JsonObject {
	return isJsonObject(value) ? value : {};
}

/** The value as JSON; null for anything else. */
export function jsonOf(value: unknown): Json {
	return isJson(value) ? value : null;
}

/**
 * A value that JSON can hold, as the JSON that it is written as: without what it cannot hold. Throws for what has no end.
 */
export function copyAsJson(value: unknown): Json {
	return jsonIn(JSON.stringify(value));
}

/** Whether a value is an object of texts alone. */
export function isTextObject(value: unknown): value is Readonly<Record<string, string>> {
	return isJsonObject(value) && Object.values(value).every((one) => typeof one === "string");
}

/** A value that is a text; an empty one for anything else. */
export function stringOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** The keys of an object that is written out here, as its type names them. */
export function keysOf<T extends object>(object: T): readonly Extract<keyof T, string>[] {
	const keys: Extract<keyof T, string>[] = [];
	for (const key in object) if (Object.hasOwn(object, key)) keys.push(key);
	return keys;
}

/** What of some values a value is; undefined for anything else. */
export function oneOf<T>(values: Iterable<T>, value: unknown): T | undefined {
	for (const one of values) if (one === value) return one;
	return undefined;
}

/** Whether a value is a whole number that JSON holds exactly, from `least` on. */
export function isWhole(value: unknown, least: number): value is number {
	return typeof value === "number" && Number.isSafeInteger(value) && value >= least;
}
