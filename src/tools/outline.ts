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

/** Values that are shorter than this stand on one line. */
const shortJson = 48;

/** Deeper values stay in one piece, however long they are. */
const deepest = 4;

/** The members of arguments as lines. Together they tell the whole value, in its order; nothing is left out. */
export function outline(value: JsonObject): readonly OutlineLine[] {
	return membersOf(value, 0);
}

function membersOf(value: JsonObject | readonly Json[], depth: number): readonly OutlineLine[] {
	const members: readonly (readonly [string | number, Json | undefined])[] = isList(value)
		? value.map((member, index) => [index, member])
		: Object.entries(value);
	return members.flatMap(([key, member]): readonly OutlineLine[] => {
		// What JSON does not have is not sent either.
		if (member === undefined) return [];
		const json = compactJson(member);
		const isBroken = json.length > shortJson && depth < deepest && (isList(member) || isJsonObject(member));
		return isBroken ? [{ depth, key }, ...membersOf(member, depth + 1)] : [{ depth, key, json }];
	});
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
