import type { Json, JsonObject } from "../base/json.ts";

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

/** What values the keywords of 2020-12 take, as far as a schema that {@link whyUnusable} let pass may have others. */
const fits: ReadonlyMap<string, (value: Json) => boolean> = new Map(
	checks.flatMap(([names, isFit]) => names.split(" ").map((name) => [name, isFit] as const)),
);

/**
 * The keywords of one schema in the dialect of 2020-12, which OpenAI and Anthropic check: one fault makes them refuse the whole
 * request with all tools. Older ways of writing stand in the new one: tuples, and bounds that are exclusive by a flag.
 * Keywords whose value can mean nothing are left out. The same object where nothing is to be changed.
 */
export function inLatestDialect(schema: JsonObject): JsonObject {
	const isPlain = Object.entries(schema).every(
		([keyword, value]) => isFitting(keyword, value) && isDistinct(keyword, value),
	);
	if (isPlain && !Array.isArray(schema["items"])) return schema;
	const entries = Object.entries({ ...withoutTuple(schema), ...exclusiveBounds(schema) })
		.filter(([keyword, value]) => isFitting(keyword, value))
		.map(([keyword, value]) => [keyword, isDistinct(keyword, value) ? value : [...new Set(value as readonly Json[])]]);
	return Object.fromEntries(entries) as JsonObject;
}

function isFitting(keyword: string, value: Json | undefined): boolean {
	return value !== undefined && fits.get(keyword)?.(value) !== false;
}

/** Whether a list of names has none twice, where that is demanded. */
function isDistinct(keyword: string, value: Json | undefined): boolean {
	const isNames = keyword === "required" || keyword === "type";
	return !isNames || !Array.isArray(value) || new Set(value).size === value.length;
}

/** A list of items each of which has its own schema. */
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
