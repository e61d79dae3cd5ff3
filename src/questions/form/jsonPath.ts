import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** A place in a JSON value: names of members and numbers of items. */
export type JsonPath = readonly (string | number)[];

/** The identity of a place. */
export function pathKey(path: JsonPath): string {
	return JSON.stringify(path);
}

/** The place that a key names which {@link pathKey} made. */
export function pathOf(key: string): JsonPath {
	return JSON.parse(key);
}

/** The value at a place; undefined when there is none. */
export function valueAt(root: Json | undefined, path: JsonPath): Json | undefined {
	let current = root;
	for (const key of path) {
		if (Array.isArray(current)) current = typeof key === "number" ? (current as readonly Json[])[key] : undefined;
		else if (isJsonObject(current)) current = Object.hasOwn(current, key) ? current[key] : undefined;
		else return undefined;
	}
	return current;
}

/**
 * The value with another one at a place, or without it when that is undefined. The rest stays unchanged: a member keeps
 * its position, a new one is last, and a value without such a path is left alone.
 */
export function withValueAt(root: Json, [key, ...rest]: JsonPath, value: Json | undefined): Json | undefined {
	if (key === undefined) return value;
	if (Array.isArray(root)) {
		const items = root as readonly Json[];
		if (typeof key !== "number" || key > items.length) return root;
		const item = rest.length === 0 ? value : withValueAt(items[key] ?? null, rest, value);
		return item === undefined ? items.toSpliced(key, 1) : items.toSpliced(key, 1, item);
	}
	if (!isJsonObject(root) || typeof key !== "string") return root;
	const former = Object.hasOwn(root, key) ? root[key] : undefined;
	if (former === undefined && rest.length > 0) return root;
	const member = rest.length === 0 ? value : withValueAt(former ?? null, rest, value);
	const entries = Object.entries(root).filter(([name]) => name !== key || member !== undefined);
	// `fromEntries` defines own properties, so that a member named `__proto__` is one like any other.
	if (former === undefined) return Object.fromEntries(member === undefined ? entries : [...entries, [key, member]]);
	return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? member : old]));
}

/** Whether two values are the same JSON text, to the order of their members. Cheap where they share their parts. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
	if (one === other) return true;
	if (Array.isArray(one) && Array.isArray(other)) {
		const [these, those] = [one as readonly Json[], other as readonly Json[]];
		return these.length === those.length && these.every((item, index) => isSameJson(item, those[index]));
	}
	if (!isJsonObject(one) || !isJsonObject(other)) return false;
	const [these, those] = [membersOf(one), membersOf(other)];
	return (
		these.length === those.length &&
		these.every(([name, value], index) => name === those[index]?.[0] && isSameJson(value, those[index][1]))
	);
}

function membersOf(value: JsonObject): readonly [string, Json | undefined][] {
	return Object.entries(value).filter(([, member]) => member !== undefined);
}
