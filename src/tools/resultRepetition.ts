import { canonicalJson, isJsonObject, type Json } from "../base/json.ts";

/** Larger values are compared as a whole only. */
const searchedCharacters = 200_000;

/**
 * Tells which texts of a result say nothing that its structured content does not say: servers repeat it for older hosts
 * (spec.md T8), as the same JSON, indented or not, as a part of it, or one text for each item of a list.
 */
export function repetitionOf(structured: Json): (text: string) => "whole" | "part" | undefined {
	const whole = canonicalJson(structured);
	const nodes = whole.length > searchedCharacters ? new Set<string>() : nodesOf(structured);
	const only = onlyMember(structured);
	return (text) => {
		const value = parse(text);
		const canonical = canonicalJson(value);
		if (canonical === whole) return "whole";
		// The revisions to 2025-11-25 know objects only, so that anything else is wrapped into one: `{"result": 5}`.
		if (only !== undefined && (canonical === canonicalJson(only) || text === only)) return "whole";
		// A lone word or number may mean something else than its like within.
		if (typeof value !== "object" || value === null) return undefined;
		return nodes.has(canonical) || isPartOf(value, structured) ? "part" : undefined;
	};
}

function parse(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return text;
	}
}

/** The canonical JSON of every object and list within a value. */
function nodesOf(value: Json): Set<string> {
	const found = new Set<string>();
	const visit = (node: Json | undefined): void => {
		if (typeof node !== "object" || node === null) return;
		found.add(canonicalJson(node));
		for (const member of Object.values(node) as readonly (Json | undefined)[]) visit(member);
	};
	visit(value);
	return found;
}

function onlyMember(value: Json): Json | undefined {
	if (!isJsonObject(value)) return undefined;
	const members = Object.values(value);
	return members.length === 1 ? members[0] : undefined;
}

/** Whether an object has no member that the other does not have with the same value. */
function isPartOf(part: Json, whole: Json): boolean {
	if (!isJsonObject(part) || !isJsonObject(whole)) return false;
	const members = Object.entries(part);
	return (
		members.length > 0 &&
		members.every(([key, member]) => Object.hasOwn(whole, key) && canonicalJson(whole[key]) === canonicalJson(member))
	);
}
