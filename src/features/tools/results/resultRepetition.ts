import { canonicalJson, isJsonObject, type Json, parseJson } from "../../../base/json.ts";

/** Within larger values parts are not looked for, nor beyond so many characters of all parts together: each holds those within. */
const searchedCharacters = 200_000;
const mostCharacters = 1_000_000;
/** A text that nests deeper repeats nothing: no server may send a value as deep. */
const deepest = 1000;

/** A text says all of it as JSON, a part of it, or is the very words that it wraps, as in `{"content": "…"}`. */
type Repetition = "whole" | "part" | "words";

/**
 * Finds the texts of a result that only repeat its structured content: servers repeat it for older hosts as the same
 * JSON, indented or not, as a part of it, or one text for each item of a list. The structured content is scanned once,
 * each text at most once.
 */
export function repetitionOf(structured: Json): (text: string) => Repetition | undefined {
	const only = isJsonObject(structured) && Object.keys(structured).length === 1 ? Object.values(structured)[0] : null;
	let search: ReturnType<typeof searchOf> | undefined;
	return (text) => {
		const value = parse(text);
		// The usual result with a file or an answer in words, without a copy of it.
		if (typeof value !== "object" && text === only) return "words";
		search ??= searchOf(structured);
		return search(value);
	};
}

function searchOf(structured: Json): (value: Json) => Repetition | undefined {
	const whole = canonicalJson(structured);
	const members = new Map(
		isJsonObject(structured) ? Object.entries(structured).map(([key, member]) => [key, canonicalJson(member)]) : [],
	);
	const nodes = whole.length > searchedCharacters ? new Set<string>() : nodesOf(structured);
	// The revisions to 2025-11-25 support objects only, so other values are wrapped into one: `{"result": 5}`.
	const wrapped = members.size === 1 ? [...members.values()][0] : undefined;
	return (value) => {
		// Words that are longer than the whole text do not occur in it.
		if (typeof value === "string" && value.length > whole.length) return undefined;
		const canonical = canonicalJson(value);
		if (canonical === whole || canonical === wrapped) return "whole";
		// A single word or number may have another meaning than the same one within.
		if (typeof value !== "object" || value === null) return undefined;
		return nodes.has(canonical) || isPartOf(value, members) ? "part" : undefined;
	};
}

/** The value that a text is the JSON of, otherwise the text. */
function parse(text: string): Json {
	const value = parseJson(text);
	return value === undefined || isDeep(value, deepest) ? text : value;
}

/** Whether a value has more than so many levels. */
function isDeep(value: Json | undefined, levels: number): boolean {
	if (typeof value !== "object" || value === null) return false;
	return levels === 0 || (Object.values(value) as readonly (Json | undefined)[]).some((one) => isDeep(one, levels - 1));
}

/** The canonical JSON of the objects and lists within a value, the outer ones first. */
function nodesOf(value: Json): Set<string> {
	const found = new Set<string>();
	let left = mostCharacters;
	const visit = (node: Json | undefined): void => {
		if (typeof node !== "object" || node === null || left <= 0) return;
		const canonical = canonicalJson(node);
		left -= canonical.length;
		found.add(canonical);
		for (const member of Object.values(node) as readonly (Json | undefined)[]) visit(member);
	};
	visit(value);
	return found;
}

/** Whether an object has no member that the whole does not have with the same value, by the canonical JSON of each. */
function isPartOf(part: Json, members: ReadonlyMap<string, string>): boolean {
	if (!isJsonObject(part)) return false;
	const own = Object.entries(part);
	return own.length > 0 && own.every(([key, member]) => members.get(key) === canonicalJson(member));
}
