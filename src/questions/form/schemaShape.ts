import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { SchemaReader } from "./schemaMerge.ts";

/** A value that the schema names, with the title that it gives it. */
export interface ShapeOption {
	readonly value: Json;
	readonly title?: string;
}

/** The shape of a value by its schema, as far as a form can show it. */
export type Shape =
	| {
			readonly kind: "object";
			readonly members: ReadonlyMap<string, Json>;
			readonly required: ReadonlySet<string>;
			/** The schema of all other members; false when there must be none. */
			readonly rest: Json;
	  }
	| { readonly kind: "list"; readonly first: readonly Json[]; readonly rest: Json }
	| { readonly kind: "text" }
	| { readonly kind: "number" }
	| { readonly kind: "boolean" }
	| { readonly kind: "null" }
	| { readonly kind: "choice"; readonly options: readonly ShapeOption[] }
	/** One of several; each variant is a schema of its own. */
	| { readonly kind: "variants"; readonly variants: readonly Json[] }
	/** Edited as JSON; `why` continues "The schema". */
	| { readonly kind: "json"; readonly why: string };

/** A schema as a form reads it. */
export interface ShapeReading {
	readonly shape: Shape;
	/** Null is allowed beside the shape's values. */
	readonly isNullable: boolean;
	/** The keywords, without references. */
	readonly schema: JsonObject;
}

/** Limits on what a choice or a picker offers (TOL-20). */
const limits = { options: 500, variants: 50 };

/** How often the only variant beside null may be such a choice again. */
const longestChain = 20;

/** Reads a schema into the shape of its values. `depth` counts the choices around it that leave nothing but it. */
export function shapeOf(schema: Json | undefined, reader: SchemaReader, depth = 0): ShapeReading {
	const read = reader.read(schema);
	if ("why" in read)
		return { shape: { kind: "json", why: read.why }, isNullable: false, schema: descriptionOf(schema) };
	return shapeOfPlain(read.schema, reader, depth);
}

/** The description of a schema that has no form. */
function descriptionOf(schema: Json | undefined): JsonObject {
	return isJsonObject(schema) ? schema : {};
}

function shapeOfPlain(schema: JsonObject, reader: SchemaReader, depth: number): ShapeReading {
	const options = namedOptions(schema);
	if (options !== undefined) {
		const shape: Shape =
			options.length <= limits.options
				? { kind: "choice", options }
				: { kind: "json", why: `lists ${options.length.toLocaleString("en-US")} values` };
		return { shape, isNullable: false, schema };
	}
	const { anyOf, oneOf, ...base } = schema;
	const alternatives = anyOf ?? oneOf;
	if (anyOf !== undefined && oneOf !== undefined) return unshowable(schema, "has both anyOf and oneOf in one place");
	if (Array.isArray(alternatives) && !(alternatives as readonly Json[]).every(isCondition)) {
		return shapeOfVariants(schema, base, alternatives as readonly Json[], reader, depth);
	}
	const { type } = base;
	if (Array.isArray(type)) {
		const variants = (type as readonly Json[]).map((single): Json =>
			single === "null" ? { type: "null" } : ofType(base, single),
		);
		return among(schema, variants, reader, depth);
	}
	return { shape: shapeOfType(base), isNullable: false, schema };
}

function ofType(schema: JsonObject, type: Json): JsonObject {
	return { ...schema, type };
}

/**
 * An alternative that only says which members go together: the validator checks it; the form looks the same for each.
 */
function isCondition(alternative: Json): boolean {
	return isJsonObject(alternative) && Object.keys(alternative).every((keyword) => keyword === "required");
}

function shapeOfVariants(
	schema: JsonObject,
	base: JsonObject,
	alternatives: readonly Json[],
	reader: SchemaReader,
	depth: number,
): ShapeReading {
	if (alternatives.length > limits.variants) return unshowable(schema, "has too many variants to choose from");
	// The description of the choice does not describe each of its variants.
	const { title: _title, description: _description, default: _default, ...rules } = base;
	const variants: Json[] = [];
	for (const alternative of alternatives) {
		if (alternative === false) continue;
		const joined = Object.keys(rules).length === 0 ? { schema: alternative } : reader.join(rules, alternative);
		if ("why" in joined) return unshowable(schema, joined.why);
		variants.push(joined.schema);
	}
	return among(schema, variants, reader, depth);
}

/** One of several, or the only one left beside null. */
function among(schema: JsonObject, variants: readonly Json[], reader: SchemaReader, depth: number): ShapeReading {
	const others = variants.filter((variant) => !(isJsonObject(variant) && variant["type"] === "null"));
	const [only] = others;
	if (others.length !== 1 || only === undefined)
		return { shape: { kind: "variants", variants }, isNullable: false, schema };
	if (depth > longestChain) return unshowable(schema, "refers to itself without end");
	const inner = shapeOf(only, reader, depth + 1);
	const isNullable = inner.isNullable || others.length < variants.length;
	return { ...inner, isNullable, schema: { ...inner.schema, ...describing(schema) } };
}

function describing(schema: JsonObject): JsonObject {
	return Object.fromEntries(
		["title", "description", "default"].flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])),
	);
}

function unshowable(schema: JsonObject, why: string): ShapeReading {
	return { shape: { kind: "json", why }, isNullable: false, schema };
}

/** The values that a schema names: `const`, `enum`, or alternatives that are nothing but a `const` with a title. */
function namedOptions(schema: JsonObject): readonly ShapeOption[] | undefined {
	const { const: only, enum: values } = schema;
	if (only !== undefined) return [{ value: only }];
	if (Array.isArray(values) && values.length > 0) {
		const names = schema["enumNames"];
		const titles = Array.isArray(names) ? (names as readonly Json[]) : [];
		return withoutRepeats((values as readonly Json[]).map((value, index) => optionOf(value, titles[index])));
	}
	const alternatives = schema["oneOf"] ?? schema["anyOf"];
	if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
	const options = (alternatives as readonly Json[]).map((alternative) =>
		isJsonObject(alternative) && alternative["const"] !== undefined && !Object.hasOwn(alternative, "properties")
			? optionOf(alternative["const"], alternative["title"])
			: undefined,
	);
	return options.every((option) => option !== undefined) ? withoutRepeats(options) : undefined;
}

function optionOf(value: Json, title: Json | undefined): ShapeOption {
	return typeof title === "string" ? { value, title } : { value };
}

function withoutRepeats(options: readonly ShapeOption[]): readonly ShapeOption[] {
	return [...new Map(options.map((option) => [canonicalJson(option.value), option] as const)).values()];
}

function shapeOfType(schema: JsonObject): Shape {
	const type = schema["type"] ?? impliedType(schema);
	if (type === "object") return objectShape(schema);
	if (type === "array") return listShape(schema);
	if (type === "string") return { kind: "text" };
	if (type === "number" || type === "integer") return { kind: "number" };
	if (type === "boolean" || type === "null") return { kind: type };
	return {
		kind: "json",
		why: type === undefined ? "allows any kind of value" : "contains an unknown type",
	};
}

/** Many schemas leave out the type where the other keywords make sense for one only. */
function impliedType(schema: JsonObject): string | undefined {
	const has = (...keywords: readonly string[]): boolean => keywords.some((keyword) => Object.hasOwn(schema, keyword));
	if (has("properties", "required", "additionalProperties")) return "object";
	return has("items", "prefixItems") ? "array" : undefined;
}

function objectShape({ properties, required, additionalProperties = true }: JsonObject): Shape {
	const members = isJsonObject(properties) ? Object.entries(properties) : [];
	const names = Array.isArray(required) ? (required as readonly Json[]) : [];
	return {
		kind: "object",
		members: new Map(members.map(([name, schema]) => [name, schema ?? true])),
		required: new Set(names.filter((name) => typeof name === "string")),
		rest: additionalProperties,
	};
}

/** Drafts before 2020-12 write the first items as an array of `items`. */
function listShape({ items = true, prefixItems, additionalItems = true }: JsonObject): Shape {
	if (Array.isArray(items)) return { kind: "list", first: items as readonly Json[], rest: additionalItems };
	return { kind: "list", first: Array.isArray(prefixItems) ? (prefixItems as readonly Json[]) : [], rest: items };
}
