import { canonicalJson, type JsonObject } from "../base/json.ts";
import { cap } from "../base/text.ts";

/** A model knows what it wrote; of a long text the beginning tells which one is meant. */
const longestValue = 500;

/** What differs between two objects, member by member, such as `nights: 3 → 2`. */
export function argumentChanges(before: JsonObject, after: JsonObject): readonly string[] {
	const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
	return [...keys].flatMap((key) => {
		const [old, now] = [valueOf(before, key), valueOf(after, key)];
		return old === now ? [] : [`${JSON.stringify(key)}: ${cap(old, longestValue)} → ${cap(now, longestValue)}`];
	});
}

function valueOf(object: JsonObject, key: string): string {
	const value = Object.hasOwn(object, key) ? object[key] : undefined;
	return value === undefined ? "(absent)" : canonicalJson(value);
}
