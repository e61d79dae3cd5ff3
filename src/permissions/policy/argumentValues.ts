import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { foldKey } from "../../base/readings.ts";

/** A value of the arguments at a place that a rule names. */
export interface ArgumentValue {
	/** The text itself, the key of an object, or the JSON of a number, `true`, `false` or `null`. */
	readonly text: string;
	/** Its place has the name of another case or form, such as `Path` for `path`, which some servers take for the same. */
	readonly isLoose: boolean;
}

/** The role of a key in the arguments: a name in the tool's schema, a value, or possibly either. */
export type KeyKind = "name" | "value" | "either";

/** The values at a place. */
export interface ArgumentValues {
	readonly values: readonly ArgumentValue[];
	/** Keys that may be names or values: they count only for a pattern that names them. */
	readonly words: ReadonlySet<string>;
	/** False when there are more, or longer ones, than the limits. */
	readonly isWhole: boolean;
	/** How many members were visited to find them. */
	readonly steps: number;
}

/** The maximum number of values of one place, and of characters of all of them. */
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
 * The values at a place of the arguments: for a list, those of all its members, whether or not the place counts them;
 * for an object or list at its end, all values within, and the keys of objects, which a model can fill like any value,
 * except those that are names (see `kindsOfKeys`). `*` is any member. Empty when the place does not exist.
 */
export function valuesAt(
	args: JsonObject,
	path: readonly string[],
	kindOfKey: (key: string) => KeyKind,
): ArgumentValues {
	const values: ArgumentValue[] = [];
	const words = new Set<string>();
	// A list of pending values instead of recursion: a model may nest arguments arbitrarily deep.
	const open: { readonly value: Json; readonly depth: number; readonly isLoose: boolean }[] = [
		{ value: args, depth: 0, isLoose: false },
	];
	let [characters, steps] = [0, 0];
	/** Takes a value; false when the limit is exceeded. */
	const add = (text: string, isLoose: boolean): boolean => {
		characters += text.length;
		if (values.length === maxValues || characters > maxCharacters) return false;
		values.push({ text, isLoose });
		return true;
	};
	let [hasAllWords, wordCharacters] = [true, 0];
	/** The same words recur in each object of a list, and must leave room for the values. */
	const addWord = (key: string): void => {
		if (!hasAllWords || words.has(key)) return;
		wordCharacters += key.length;
		hasAllWords = words.size < maxValues && wordCharacters <= maxCharacters;
		if (hasAllWords) words.add(key);
	};
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { value, depth, isLoose } = next;
		if (++steps > maxSteps) return { values, words, isWhole: false, steps };
		if (value === null || typeof value !== "object") {
			if (depth < path.length) continue;
			if (!add(typeof value === "string" ? value : String(value), isLoose))
				return { values, words, isWhole: false, steps };
			continue;
		}
		const segment = path[depth];
		const isList = Array.isArray(value);
		for (const [key, member] of membersOf(value)) {
			const how = segment === undefined ? "inside" : match(key, segment, isList);
			if (how === undefined) continue;
			const isSame = how === "inside" || how === "element";
			const isMeant = how === "inside" || (segment === "*" && depth === path.length - 1);
			const kind = isMeant && !isList ? kindOfKey(key) : "name";
			if (kind === "value" && !add(key, isLoose)) return { values, words, isWhole: false, steps };
			if (kind === "either") addWord(key);
			open.push({ value: member, depth: isSame ? depth : depth + 1, isLoose: isLoose || how === "loose" });
		}
	}
	return { values, words, isWhole: hasAllWords, steps };
}

function membersOf(value: JsonObject | readonly Json[]): readonly (readonly [string, Json])[] {
	return Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, member]]));
}

/** How a member's key meets a segment of the place; undefined when it does not. */
function match(key: string, segment: string, isList: boolean): "exact" | "loose" | "element" | undefined {
	if (segment === "*" || key === segment) return "exact";
	if (isList) return /^\d+$/.test(segment) ? undefined : "element";
	return foldKey(key) === foldKey(segment) ? "loose" : undefined;
}

/** Most parts of a schema that are gone through for the names in it. */
const maxParts = 20_000;

/**
 * Which keys of arguments are names and no values: those that a tool's schema declares as properties, if they are words.
 * A server cannot make a name of a path by declaring it. Where a schema declares none, every word may be a name.
 */
export function kindsOfKeys(schema: unknown): (key: string) => KeyKind {
	let declared: ReadonlySet<string> | undefined;
	return (key) => {
		if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return "value";
		declared ??= declaredIn(schema);
		if (declared.size === 0) return "either";
		return declared.has(key) ? "name" : "value";
	};
}

function declaredIn(schema: unknown): ReadonlySet<string> {
	const names = new Set<string>();
	const open = [schema];
	for (let steps = 0; open.length > 0 && steps < maxParts; steps++) {
		const part = open.pop();
		if (typeof part !== "object" || part === null) continue;
		if (isJsonObject(part) && isJsonObject(part["properties"])) {
			for (const name of Object.keys(part["properties"])) names.add(name);
		}
		open.push(...Object.values(part).slice(0, maxParts));
	}
	return names;
}
