import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { schemaPlaces } from "../../base/schema/schemaPlaces.ts";
import { showHidden } from "../../base/text.ts";
import { gatherProperties, withoutReference } from "./schemaParts.ts";

/** A tool's input schema in the form for models. */
export interface ModelSchema {
	readonly schema: JsonObject;
	/** Further requirements of the schema, for the description of the tool: providers accept them in no other place. */
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
 * A server's input schema in a form that every provider accepts. Keywords stay unchanged, except those for which some
 * providers refuse the whole request. These are rewritten with the same meaning (`true` becomes `{}`, a list without
 * `items` gets `{}`, older dialects become 2020-12), or, at the top, merged into the properties and described in words.
 * The hidden characters of titles and descriptions are shown, because they could give a model text that the user cannot
 * read (TOL-08). Arguments are checked against the server's own schema in any case. The schema must have passed {@link
 * whyUnusable}.
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
		? `The arguments must also match this JSON Schema: ${text}`
		: `The arguments must also match one of several schemas. Arguments that do not match are rejected with the reason.`;
}

/**
 * The copy of one schema; the schema itself if nothing is to be changed, so that most tools take no memory twice. Only
 * places of schemas are changed: values of `default` or `enum` are data.
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
	// OpenAI and Gemini refuse lists of anything without an explicit `items`.
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

const isNumber = (value: Json): boolean => typeof value === "number";
const isPositive = (value: Json): boolean => typeof value === "number" && value > 0;
const isLength = (value: Json): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isFlag = (value: Json): boolean => typeof value === "boolean";
const isText = (value: Json): boolean => typeof value === "string";
const isFilled = (value: Json): boolean => Array.isArray(value) && value.length > 0;
/** A type is one word, or a list of them. */
const isFilledOrOne = (value: Json): boolean => !Array.isArray(value) || value.length > 0;

const checks: readonly (readonly [names: string, isFit: (value: Json) => boolean])[] = [
	["minimum maximum exclusiveMinimum exclusiveMaximum", isNumber],
	["multipleOf", isPositive],
	["minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", isLength],
	["uniqueItems deprecated readOnly writeOnly", isFlag],
	["title description format contentEncoding contentMediaType $id $anchor", isText],
	["allOf anyOf oneOf prefixItems", isFilled],
	["examples", Array.isArray],
	["type", isFilledOrOne],
];

/** The valid values of the keywords of 2020-12, if a schema that passed {@link whyUnusable} may have others. */
const fits: ReadonlyMap<string, (value: Json) => boolean> = new Map(
	checks.flatMap(([names, isFit]) => names.split(" ").map((name) => [name, isFit] as const)),
);

/**
 * The keywords of one schema in the dialect of 2020-12, which OpenAI and Anthropic check: one fault makes them refuse
 * the whole request with all tools. Older forms are converted: tuples, and bounds that are exclusive by a flag.
 * Keywords with a meaningless value are left out. The same object if nothing is to be changed.
 */
function inLatestDialect(schema: JsonObject): JsonObject {
	const isPlain = Object.entries(schema).every(
		([keyword, value]) => isFitting(keyword, value) && isDistinct(keyword, value),
	);
	if (isPlain && !Array.isArray(schema["items"])) return schema;
	const entries = Object.entries({ ...withoutTuple(schema), ...exclusiveBounds(schema) })
		.filter(([keyword, value]) => isFitting(keyword, value))
		.map(([keyword, value]): [string, Json | undefined] => [
			keyword,
			isDistinct(keyword, value) || !Array.isArray(value) ? value : [...new Set<Json>(value)],
		]);
	return Object.fromEntries(entries);
}

function isFitting(keyword: string, value: Json | undefined): boolean {
	return value !== undefined && fits.get(keyword)?.(value) !== false;
}

/** Whether a list of names has none twice, where that is demanded. */
function isDistinct(keyword: string, value: Json | undefined): boolean {
	const isNames = keyword === "required" || keyword === "type";
	return !isNames || !Array.isArray(value) || new Set(value).size === value.length;
}

/** A list of items, each with its own schema. */
function withoutTuple(schema: JsonObject): JsonObject {
	if (!Array.isArray(schema["items"])) return schema;
	const { items, additionalItems, ...rest } = schema;
	return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** `minimum: 5, exclusiveMinimum: true` as `exclusiveMinimum: 5`. */
function exclusiveBounds(schema: JsonObject): JsonObject {
	const bounds = ["Minimum", "Maximum"].flatMap((side): readonly (readonly [string, Json | undefined])[] => {
		const inclusive = side.toLowerCase();
		if (schema[`exclusive${side}`] !== true || typeof schema[inclusive] !== "number") return [];
		return [
			[inclusive, undefined],
			[`exclusive${side}`, schema[inclusive]],
		];
	});
	return Object.fromEntries(bounds);
}
