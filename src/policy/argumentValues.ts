import type { Json, JsonObject } from "../base/json.ts";

/** A value of the arguments at a place that a rule names. */
export interface ArgumentValue {
	/** The text itself, or the JSON of a number, `true`, `false` or `null`. */
	readonly text: string;
	/** Its place has the name of another case or form, such as `Path` for `path`, which some servers take for the same. */
	readonly isLoose: boolean;
}

/** The values at a place. */
export interface ArgumentValues {
	readonly values: readonly ArgumentValue[];
	/** False when there are more, or longer ones, than are looked at. */
	readonly isWhole: boolean;
	/** How many members were visited to find them. */
	readonly steps: number;
}

/** Most values of one place that are looked at, and most characters of all of them. */
const maxValues = 10_000;
const maxCharacters = 2 * 1024 * 1024;
/** Most members that are visited on the way. */
const maxSteps = 200_000;
const maxSegments = 20;

/** The segments of a place such as `options.path`; a dot within a name is written `\.`. Undefined when one is empty. */
export function parseArgumentPath(path: string): readonly string[] | undefined {
	const segments = path.split(/(?<!\\)\./).map((segment) => segment.replaceAll("\\.", "."));
	return segments.length > maxSegments || segments.some((segment) => segment === "") ? undefined : segments;
}

/**
 * The values at a place of the arguments: of a list, those of all its members, whether or not the place counts them; of
 * an object or list at its end, all values within. `*` is any member. No values when the place does not exist.
 */
export function valuesAt(args: JsonObject, path: readonly string[]): ArgumentValues {
	const values: ArgumentValue[] = [];
	// A list of what is still to be visited in place of recursion: arguments may be nested as deeply as a model likes.
	const open: { readonly value: Json; readonly depth: number; readonly isLoose: boolean }[] = [
		{ value: args, depth: 0, isLoose: false },
	];
	let [characters, steps] = [0, 0];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { value, depth, isLoose } = next;
		if (++steps > maxSteps) return { values, isWhole: false, steps };
		if (value === null || typeof value !== "object") {
			if (depth < path.length) continue;
			const text = typeof value === "string" ? value : String(value);
			characters += text.length;
			if (values.length === maxValues || characters > maxCharacters) return { values, isWhole: false, steps };
			values.push({ text, isLoose });
			continue;
		}
		const segment = path[depth];
		const isList = Array.isArray(value);
		for (const [key, member] of membersOf(value)) {
			const how = segment === undefined ? "inside" : match(key, segment, isList);
			if (how === undefined) continue;
			const isSame = how === "inside" || how === "element";
			open.push({ value: member, depth: isSame ? depth : depth + 1, isLoose: isLoose || how === "loose" });
		}
	}
	return { values, isWhole: true, steps };
}

function membersOf(value: JsonObject | readonly Json[]): readonly (readonly [string, Json])[] {
	return Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, member]]));
}

/** How a member's key meets a segment of the place; undefined when it does not. */
function match(key: string, segment: string, isList: boolean): "exact" | "loose" | "element" | undefined {
	if (segment === "*" || key === segment) return "exact";
	if (isList) return /^\d+$/.test(segment) ? undefined : "element";
	return fold(key) === fold(segment) ? "loose" : undefined;
}

function fold(key: string): string {
	return key.normalize("NFKC").toLowerCase();
}
