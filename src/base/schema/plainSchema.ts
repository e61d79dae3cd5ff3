import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/**
 * Keywords whose check is immediate, or that are not checks. Neither expressions, references nor comparisons of items.
 */
const quick: ReadonlySet<string> = new Set(
	[
		"$schema $comment title description default examples deprecated readOnly writeOnly type required",
		"minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength",
		"minItems maxItems minProperties maxProperties",
	].flatMap((words) => words.split(" ")),
);
const ofOneSchema: ReadonlySet<string> = new Set(["items", "additionalProperties"]);
const ofSchemas: ReadonlySet<string> = new Set(["prefixItems", "allOf", "anyOf", "oneOf"]);

/** The size of a schema and a value that can always be applied quickly. */
const mostSchemas = 300;
const mostChoices = 200;
const mostValues = 200;
const mostCharacters = 10_000;

/** By schema: each is examined once. */
const known = new WeakMap<JsonObject, boolean>();

/**
 * Whether a schema can be applied to a value without a time limit: both are small, and the schema has nothing that
 * could take long on a small value. This is the case for most tools. Runs in bounded time.
 */
export function isQuicklyApplied(schema: JsonObject, value: Json): boolean {
	let isPlain = known.get(schema);
	if (isPlain === undefined) {
		isPlain = isPlainSchema(schema, { left: mostSchemas });
		known.set(schema, isPlain);
	}
	return isPlain && isSmall(value, { values: mostValues, characters: mostCharacters });
}

function isPlainSchema(schema: Json | undefined, budget: { left: number }): boolean {
	if (budget.left-- <= 0) return false;
	if (typeof schema === "boolean") return true;
	if (!isJsonObject(schema)) return false;
	return Object.entries(schema).every(([keyword, value]) => {
		if (quick.has(keyword)) return true;
		if (keyword === "const") return isScalar(value);
		if (keyword === "enum") return Array.isArray(value) && value.length <= mostChoices && value.every(isScalar);
		if (ofOneSchema.has(keyword)) return isPlainSchema(value, budget);
		if (ofSchemas.has(keyword)) return Array.isArray(value) && value.every((one: Json) => isPlainSchema(one, budget));
		if (keyword !== "properties" || !isJsonObject(value)) return false;
		return Object.values(value).every((one) => isPlainSchema(one, budget));
	});
}

function isScalar(value: Json | undefined): boolean {
	return typeof value !== "object" || value === null;
}

function isSmall(value: Json | undefined, left: { values: number; characters: number }): boolean {
	if (left.values-- <= 0) return false;
	if (typeof value === "string") left.characters -= value.length;
	if (typeof value !== "object" || value === null) return left.characters >= 0;
	return Array.isArray(value)
		? value.every((one: Json) => isSmall(one, left))
		: Object.entries(value).every(([name, one]) => {
				left.characters -= name.length;
				return isSmall(one, left);
			});
}
