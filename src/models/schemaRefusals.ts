import type { Json, JsonObject } from "../base/json.ts";
import { inlineReferences, mapSchemas } from "../base/schema/references.ts";
import { showHidden } from "../base/text.ts";

/** A model that refuses keywords of JSON Schema in the definitions of tools. */
export interface SchemaRefusal {
	/** The model and its endpoint, for display: untrusted text. */
	readonly label: string;
	readonly keywords: ReadonlySet<string>;
}

/**
 * Which keywords which models have refused since the window opened. The meaning of these is sent to them in words
 * (MDL-12).
 */
export class SchemaRefusals {
	private readonly refusals = new Map<string, { readonly label: string; readonly keywords: Set<string> }>();

	get all(): readonly SchemaRefusal[] {
		return [...this.refusals.values()];
	}

	/** The refused keywords of a model, by its `keeperOf`. */
	of(keeper: string): ReadonlySet<string> {
		return this.refusals.get(keeper)?.keywords ?? none;
	}

	note(keeper: string, label: string, keywords: readonly string[]): void {
		const known = this.refusals.get(keeper) ?? { label, keywords: new Set<string>() };
		this.refusals.set(keeper, known);
		for (const keyword of keywords) known.keywords.add(keyword);
	}
}

const none: ReadonlySet<string> = new Set();

/** Keywords without a meaning for a model: they are dropped silently. */
const mute: ReadonlySet<string> = new Set(["$id", "$anchor", "title", "unevaluatedProperties", "additionalProperties"]);

/** The keyword for references, and those for their targets: a model that refuses one cannot use the others. */
export const referenceKeywords = ["$ref", "$defs", "definitions"] as const;

/** A longer one is not worth its tokens: arguments that do not fit are refused with the reason anyway. */
const longestWords = 600;

/** Which of these keywords are in a schema, in a form that is refused. */
export function keywordsIn(schema: JsonObject, keywords: ReadonlySet<string>): readonly string[] {
	const found = new Set<string>();
	retold(schema, keywords, found);
	return [...found];
}

/**
 * A schema without some keywords: their meaning is in the descriptions beside them, and references are replaced by
 * their targets. Of `type` only lists are removed, which become the first type other than null, and of `enum` those
 * that are not a list of strings.
 */
export function withoutKeywords(schema: JsonObject, keywords: ReadonlySet<string>): JsonObject {
	const isInlined = referenceKeywords.some((keyword) => keywords.has(keyword));
	return retold(isInlined ? inlineReferences(schema) : schema, keywords, new Set());
}

/** `found` receives the removed values. */
function retold(schema: JsonObject, keywords: ReadonlySet<string>, found: Set<string>): JsonObject {
	const refused = Object.entries(schema).filter(([keyword]) => isRefused(schema, keyword, keywords));
	for (const [keyword] of refused) found.add(keyword);
	const isKept = ([keyword]: [string, unknown]): boolean => !refused.some(([name]) => name === keyword);
	const kept = Object.entries(mapSchemas(schema, (inner) => retold(inner, keywords, found))).flatMap(
		(entry): [string, Json | undefined][] => (isKept(entry) ? [entry] : instead(entry[0], entry[1], keywords)),
	);
	const told = refused.filter(([keyword, value]) => !mute.has(keyword) && value !== undefined);
	if (told.length === 0) return Object.fromEntries(kept);
	const { description } = schema;
	const own = typeof description === "string" && description !== "" ? [description] : [];
	const words = showHidden(JSON.stringify(Object.fromEntries(told)));
	const demand =
		words.length > longestWords
			? "Not every value is valid. A value that is not valid is rejected with the reason."
			: `It must also match this JSON Schema: ${words}`;
	return { ...Object.fromEntries(kept), description: [...own, demand].join("\n") };
}

function isRefused(schema: JsonObject, keyword: string, keywords: ReadonlySet<string>): boolean {
	if (!keywords.has(keyword)) return false;
	const value = schema[keyword];
	if (keyword === "type") return Array.isArray(value);
	const isOfStrings = (): boolean =>
		schema["type"] === "string" && Array.isArray(value) && value.every((one) => typeof one === "string");
	return keyword !== "enum" || !isOfStrings();
}

/** The words for a keyword's meaning if there are any. */
function instead(keyword: string, value: Json | undefined, keywords: ReadonlySet<string>): [string, Json][] {
	if (keyword === "type" && Array.isArray(value)) {
		const first = (value as readonly Json[]).find((type) => type !== "null");
		return first === undefined ? [] : [["type", first]];
	}
	const isText = keyword === "const" && typeof value === "string" && value !== "";
	return isText && !keywords.has("enum") ? [["enum", [value]]] : [];
}
