import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";

/**
 * One line of a value laid out for a narrow column: where it stands and, unless lines below tell it, its JSON.
 * Laid out so that every part of it can wrap; a block of code would push long lines out of sight (security.md TOL-09).
 */
export interface OutlineLine {
	readonly depth: number;
	/** The member's name, or the index in a list. */
	readonly key: string | number;
	/** The value in compact JSON; absent for an object or list whose members follow, one level deeper. */
	readonly json?: string;
}

/** How long the JSON of an object or list may be at each depth before its members get lines of their own; then any. */
const longestJson = [48, 160, 160, 160];

/** The members of arguments as lines. Together they tell the whole value, in its order; nothing is left out. */
export function outline(value: JsonObject): readonly OutlineLine[] {
	return membersOf(value, 0);
}

function membersOf(value: JsonObject | readonly Json[], depth: number): readonly OutlineLine[] {
	const members: readonly (readonly [string | number, Json | undefined])[] = isList(value)
		? value.map((member, index) => [index, member])
		: Object.entries(value);
	const lines: OutlineLine[] = [];
	for (const [key, member] of members) {
		// What JSON does not have is not sent either.
		if (member === undefined) continue;
		const json = compactJson(member);
		const isLong = json.length > (longestJson[depth] ?? Infinity);
		if (isLong && (isList(member) || isJsonObject(member))) lines.push({ depth, key }, ...membersOf(member, depth + 1));
		else lines.push({ depth, key, json });
	}
	return lines;
}

/** JSON on one line, with the spaces that let it wrap between members. */
function compactJson(value: Json): string {
	if (isList(value)) return `[${value.map(compactJson).join(", ")}]`;
	if (!isJsonObject(value)) return JSON.stringify(value);
	const members = Object.entries(value).flatMap(([key, member]) =>
		member === undefined ? [] : [`${JSON.stringify(key)}: ${compactJson(member)}`],
	);
	return `{${members.join(", ")}}`;
}

function isList(value: Json): value is readonly Json[] {
	return Array.isArray(value);
}
