import { isJsonObject, type Json } from "../../../base/json.ts";
import { cap } from "../../../base/text.ts";

/** How much of arguments and results is kept: nothing, all but the texts, or all. */
export type ContentsMode = "none" | "masked" | "full";

/** The longest contents that are kept whole, in characters of JSON. */
const mostContents = 20_000;
/** For every other text. */
const mostText = 2000;
/** How many values of a list are kept. */
const mostValues = 200;

/** The contents of an entry in their stored form; undefined when there are none. */
export function keptContents(value: Json, mode: ContentsMode): Json | undefined {
	if (mode === "none") return undefined;
	const kept = mode === "full" ? value : masked(value);
	const json = JSON.stringify(kept);
	return json.length <= mostContents ? kept : cap(json, mostContents);
}

/** A value with its texts replaced by their lengths; names of members, numbers and flags stay. */
export function masked(value: Json): Json {
	if (typeof value === "string") return `(${value.length} characters)`;
	if (Array.isArray(value)) return (value as readonly Json[]).map(masked);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, masked(inner)]])),
	);
}

/** A value with texts and lists of a length that can be kept. */
export function capped<T>(value: T): T;
export function capped(value: unknown): unknown {
	if (typeof value === "string") return cap(value, mostText);
	if (Array.isArray(value)) return value.slice(0, mostValues).map(capped);
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, capped(inner)]])),
	);
}
