import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** The maximum depth of values that are taken over unchanged. */
const deepest = 20;

/** A scalar as text: numbers and dates of TOML and YAML have no quotes. Undefined for other values. */
export function textOf(value: unknown): string | undefined {
	if (typeof value === "string") return value;
	if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
	return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
}

/** The texts of a list; undefined if it is not a list or holds a non-scalar. One text is a list of one. */
export function textsOf(value: unknown): readonly string[] | undefined {
	if (typeof value === "string") return [value];
	if (!Array.isArray(value)) return undefined;
	const texts = value.map(textOf);
	return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Whether a value is an object of a configuration, whose members have names. */
export function isObject(value: unknown): value is JsonObject {
	return isJsonObject(value) && !(value instanceof Date) && !(value instanceof Map);
}

/**
 * A value as JSON, each text replaced by `translate`; undefined if it is too deep or contains values that JSON does not
 * have.
 */
export function jsonOf(value: unknown, translate: (text: string) => string, depth = 0): Json | undefined {
	if (depth > deepest) return undefined;
	if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
		return value;
	const text = textOf(value);
	if (text !== undefined) return translate(text);
	if (Array.isArray(value)) {
		const items = value.map((item) => jsonOf(item, translate, depth + 1));
		return items.every((item) => item !== undefined) ? items : undefined;
	}
	if (!isObject(value)) return undefined;
	const entries = Object.entries(value).map(([key, member]) => [key, jsonOf(member, translate, depth + 1)] as const);
	return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

/** An entry without the members that say nothing: hosts with forms write all of them. An empty list of tools says something. */
export function withoutBlanks(entry: JsonObject): JsonObject {
	const isBlank = (value: unknown): boolean => value === null || (typeof value === "string" && value.trim() === "");
	return Object.fromEntries(Object.entries(entry).filter(([, value]) => !isBlank(value)));
}
