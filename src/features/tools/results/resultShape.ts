import { count } from "../../../base/text.ts";
import { exactName } from "../../../base/exactJson.ts";
import { isJsonObject, type Json, parseJson } from "../../../base/json.ts";
import { jsonObjectOf } from "../../../base/guards.ts";

/** A longer text is not parsed: parsing it would block everything else. */
const longestParsed = 30_000_000;
/** How many levels are described, how many members of an object, and how many items of a list are examined for that. */
const deepest = 3;
const mostMembers = 12;
const mostItems = 50;
const longestShape = 700;

/** The value that a text is the JSON of, if it is an object or a list; otherwise undefined. Never throws. */
export function structureOf(text: string): Json | undefined {
	if (text.length > longestParsed || !/^\s*[[{]/.test(text.slice(0, 1000))) return undefined;
	return parseJson(text);
}

/**
 * The structure of a long text, in one line for a reader of its beginning: the members and items of JSON, or how many
 * lines there are. The names in it are the server's.
 */
export function shapeOf(text: string): string {
	const value = structureOf(text);
	if (value !== undefined) return `JSON: ${describeValue(value)}`;
	const lines = linesOf(text) - (text.endsWith("\n") ? 1 : 0);
	return lines === 1 ? "one line of text" : `${count(lines)} lines of text`;
}

/** The structure of a value, such as `list of 120 objects with id (number), name (text)`. */
export function describeValue(value: Json | undefined): string {
	const shape = describe(value, deepest);
	return shape.length <= longestShape ? shape : `${shape.slice(0, longestShape)}…`;
}

/** How many lines a text has, an empty one at its end among them. */
export function linesOf(text: string): number {
	let lines = 1;
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
	return lines;
}

/** Where a line begins, counted from 1; the end of the text for one that it does not have. */
export function offsetOfLine(text: string, line: number): number {
	let offset = 0;
	for (let number = 1; number < line; number++) {
		const end = text.indexOf("\n", offset);
		if (end < 0) return text.length;
		offset = end + 1;
	}
	return offset;
}

/** The value at a path, or the longest existing part of the path and its value. */
export type Found = { readonly value: Json } | { readonly problem: string };

/**
 * The value at a JSON Pointer (RFC 6901), such as `/rows/0/name`. `rows[0].name` and `$.rows[0].name` are understood as
 * well, which models write as often.
 */
export function valueAt(whole: Json, path: string): Found {
	let value: Json | undefined = whole;
	const passed: string[] = [];
	for (const step of stepsOf(path)) {
		const next: Json | undefined = memberOf(value, step);
		if (next === undefined) {
			const place = passed.length === 0 ? "The whole" : `"/${passed.join("/")}"`;
			return { problem: `has nothing at "${step.slice(0, 100)}". ${place} is: ${describeValue(value)}` };
		}
		value = next;
		passed.push(step);
	}
	return { value };
}

function stepsOf(path: string): readonly string[] {
	if (path.startsWith("/")) {
		const steps = path.slice(1).split("/");
		return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
	}
	return path.split(/[.[\]"']/).filter((step, index) => step !== "" && !(index === 0 && step === "$"));
}

function memberOf(value: Json, step: string): Json | undefined {
	if (Array.isArray(value)) return /^\d{1,9}$/.test(step) ? (value as readonly Json[])[Number(step)] : undefined;
	return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function describe(value: Json | undefined, levels: number): string {
	if (typeof value === "string") return value.length > 200 ? `text of ${count(value.length)} characters` : "text";
	if (typeof value === "boolean") return "yes or no";
	if (typeof value === "number") return "number";
	if (Array.isArray(value)) return describeList(value as readonly Json[], levels);
	if (!isJsonObject(value)) return "nothing";
	const names = Object.keys(value);
	return `object ${levels === 0 ? `with ${count(names.length)} members` : describeMembers([value], levels)}`.trim();
}

function describeList(items: readonly Json[], levels: number): string {
	const size = `list of ${count(items.length)}`;
	if (levels === 0 || items.length === 0) return size;
	const seen = items.slice(0, mostItems);
	const objects = seen.filter(isJsonObject);
	if (objects.length === seen.length) return `${size} objects ${describeMembers(objects, levels)}`.trim();
	const kinds = new Set(seen.map((item) => describe(item, 0)));
	return `${size}: ${[...kinds].slice(0, 4).join(", ")}`;
}

/** The members that some objects have, each described by its first occurrence. */
function describeMembers(objects: readonly Exclude<Json, readonly Json[]>[], levels: number): string {
	const members = new Map<string, Json | undefined>();
	for (const object of objects) {
		for (const [name, member] of Object.entries(jsonObjectOf(object))) {
			if (!members.has(name)) members.set(name, member);
		}
	}
	if (members.size === 0) return "without members";
	const shown = [...members].slice(0, mostMembers);
	const words = shown.map(([name, member]) => `${exactName(name, 60)} (${describe(member, levels - 1)})`);
	const more = members.size - shown.length;
	return `with ${words.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}
