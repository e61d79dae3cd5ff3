import { exactNumber } from "../exactJson.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { readJsonText } from "../jsonText.ts";
import { cap } from "../text.ts";

/** A value that was written in another form than its schema requires, and the corrections, one line each. */
export interface Repaired {
	readonly value: JsonObject;
	/** Such as `nights: "3" → 3`. The names and values are those of the value's author: untrusted. */
	readonly repairs: readonly string[];
}

/** More than any model gets wrong in one call, and how deep is looked. */
const mostRepairs = 20;
const deepest = 10;
const longestShown = 60;

/** The numbers that JSON has: no blanks, no leading zeros, nothing that a language writes otherwise (RFC 8259, section 6). */
const jsonNumber = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;

/**
 * Parses texts in a value where the schema clearly requires another type and the text has exactly one such meaning: the
 * JSON of an object or list, a number, `true` or `false`. Weak models write such texts. Nothing is guessed: a value
 * stays where the schema has alternatives or a reference, or where a text would be valid. The caller checks whether the
 * result fits. Undefined when there is nothing to repair. Never throws.
 */
export function repairBySchema(schema: JsonObject, value: JsonObject): Repaired | undefined {
	const repairs: string[] = [];
	const repaired = repairAt(schema, value, [], repairs);
	if (repairs.length === 0 || repairs.length > mostRepairs || !isJsonObject(repaired)) return undefined;
	return { value: repaired, repairs };
}

function repairAt(schema: unknown, value: Json, path: readonly string[], repairs: string[]): Json {
	if (!isJsonObject(schema) || path.length > deepest || isOpen(schema)) return value;
	const { type, properties, items, prefixItems } = schema;
	if (typeof value === "string") {
		const meant = meantBy(value, type);
		if (meant === undefined) return value;
		repairs.push(`${path.join("/")}: ${shown(value)} → ${shown(meant)}`);
		return meant;
	}
	if (Array.isArray(value)) {
		const list = value as readonly Json[];
		const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
		return list.map((item, index) =>
			repairAt(index < first.length ? first[index] : items, item, [...path, String(index)], repairs),
		);
	}
	if (!isJsonObject(value) || !isJsonObject(properties)) return value;
	const members = Object.entries(value).map(([name, member]): [string, Json | undefined] => {
		const of = Object.hasOwn(properties, name) ? properties[name] : undefined;
		return [name, member === undefined ? undefined : repairAt(of, member, [...path, name], repairs)];
	});
	return Object.fromEntries(members);
}

/** Whether a schema accepts several types. */
function isOpen(schema: JsonObject): boolean {
	return ["$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if", "not"].some((key) => Object.hasOwn(schema, key));
}

/** The value of a text where a value of a type is required; undefined when that is not certain. */
function meantBy(text: string, type: Json | undefined): Json | undefined {
	if (type === "integer" || type === "number") {
		const number = jsonNumber.test(text) ? exactNumber(text) : undefined;
		return type === "integer" && !Number.isSafeInteger(number) ? undefined : number;
	}
	if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
	if (type !== "object" && type !== "array") return undefined;
	const value = parsed(text);
	return (type === "array" ? Array.isArray(value) : isJsonObject(value)) ? value : undefined;
}

/** Strict: a conversion that would lose a number or a member is not certain. */
function parsed(text: string): Json | undefined {
	const reading = readJsonText(text);
	return "value" in reading ? reading.value : undefined;
}

function shown(value: Json): string {
	return cap(JSON.stringify(value), longestShown);
}
