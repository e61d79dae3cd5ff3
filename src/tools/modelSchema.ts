import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { showHidden } from "../base/text.ts";
import { inLatestDialect } from "./schemaDialect.ts";
import { gatherProperties, withoutReference } from "./schemaParts.ts";
import { schemaPlaces } from "../schema/schemaPlaces.ts";

/** A tool's input schema as models are told of it. */
export interface ModelSchema {
	readonly schema: JsonObject;
	/** What the schema also demands, for the description of the tool: providers take it in no other place. */
	readonly demand: string | undefined;
}

/** The keywords that OpenAI and Anthropic refuse at the top of a schema, with all tools of the request. */
const refusedAtTop = ["oneOf", "anyOf", "allOf", "not", "enum"] as const;
/** They say nothing to a model, and Gemini refuses the first. */
const dropped: ReadonlySet<string> = new Set(["$schema", "$comment", "$vocabulary"]);
/** Where a boolean is what everybody expects. */
const booleanPlaces: ReadonlySet<string> = new Set(
	"additionalItems additionalProperties unevaluatedItems unevaluatedProperties".split(" "),
);

/** A longer demand is not worth its tokens: arguments that do not fit are refused with the reason anyway. */
const longestDemand = 1500;

/**
 * A server's input schema as every provider takes it: keywords stay as they are (spec.md T7), except those for which some
 * refuse the whole request. Those are written in another way that means the same (`true` becomes `{}`, a list without
 * `items` gets `{}`, older dialects become 2020-12), or, at the top, merged into the properties and told in words. The hidden characters of titles and
 * descriptions are shown, since they could tell a model what the person cannot read (security.md TOL-08). Arguments are
 * checked against the server's own schema in any case. The schema must be one that {@link whyUnusable} let pass.
 */
export function schemaForModel(own: JsonObject): ModelSchema {
	const copied = copy(own);
	const isPlain = copied["type"] === "object" && isJsonObject(copied["properties"]) && copied["$ref"] === undefined;
	if (isPlain && refusedAtTop.every((keyword) => copied[keyword] === undefined))
		return { schema: copied, demand: undefined };
	const whole = withoutReference(copied, copied);
	const isRefused = (keyword: string): boolean => refusedAtTop.some((refused) => refused === keyword);
	const entries = Object.entries(whole);
	const refused = entries.filter(([keyword]) => isRefused(keyword));
	const { properties, required } = gatherProperties(copied, whole);
	return {
		schema: {
			...Object.fromEntries(entries.filter(([keyword]) => !isRefused(keyword))),
			type: "object",
			properties,
			...(required.length > 0 || whole["required"] !== undefined ? { required } : {}),
		},
		demand: refused.length > 0 ? describeDemand(Object.fromEntries(refused)) : undefined,
	};
}

function describeDemand(refused: JsonObject): string {
	const text = showHidden(JSON.stringify(refused));
	return text.length <= longestDemand
		? `The arguments must also fit this JSON Schema: ${text}`
		: `The arguments must also fit one of several forms; those that do not are refused with the reason.`;
}

/**
 * The copy of one schema; the schema itself where nothing is to be changed, so that most tools take no memory twice. Only
 * what stands where schemas stand is changed: values of `default` or `enum` are data.
 */
function copy(own: JsonObject): JsonObject {
	const schema = inLatestDialect(own);
	const before = Object.entries(schema);
	const entries = before.flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
		if (value === undefined || dropped.has(keyword)) return [];
		const isText = keyword === "description" || keyword === "title";
		if (isText && typeof value === "string") return [[keyword, showHidden(value)]];
		const place = schemaPlaces.get(keyword);
		if (place === undefined || (typeof value === "boolean" && booleanPlaces.has(keyword))) return [[keyword, value]];
		if (place === "map") return [[keyword, isJsonObject(value) ? copyMap(value) : value]];
		return [[keyword, Array.isArray(value) ? copyList(value as readonly Json[]) : copyOne(value)]];
	});
	const { type } = schema;
	const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
	// OpenAI and Gemini refuse lists of anything unless that is said.
	if (isList && schema["items"] === undefined) return { ...Object.fromEntries(entries), items: {} };
	return isSame(before, entries) ? schema : Object.fromEntries(entries);
}

function copyMap(map: JsonObject): JsonObject {
	const before = Object.entries(map);
	const entries = before.map(([name, schema]) => [name, schema === undefined ? {} : copyOne(schema)] as const);
	return isSame(before, entries) ? map : Object.fromEntries(entries);
}

function copyList(list: readonly Json[]): readonly Json[] {
	const copied = list.map(copyOne);
	return copied.every((value, index) => value === list[index]) ? list : copied;
}

type Entries = readonly (readonly [string, Json | undefined])[];

function isSame(before: Entries, after: Entries): boolean {
	return before.length === after.length && before.every(([, value], index) => value === after[index]?.[1]);
}

function copyOne(schema: Json): Json {
	if (typeof schema === "boolean") return schema ? {} : { not: {} };
	return isJsonObject(schema) ? copy(schema) : schema;
}
