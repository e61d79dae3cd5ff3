import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { SchemaReader } from "../../questions/form/schemaMerge.ts";

/** A field's schema in the spelling of the specification, or why no one field fits it, as the end of "It …". */
export type PlainField = { readonly schema: JsonObject; readonly isNullable: boolean } | { readonly why: string };

/** How deep single alternatives may be nested. */
const longestChain = 20;

const scalars: ReadonlySet<Json | undefined> = new Set(["string", "number", "integer", "boolean"]);
/** Keywords that only one type uses, for schemas that do not name the type. */
const implied: readonly (readonly [type: string, keywords: readonly string[]])[] = [
	["string", ["minLength", "maxLength", "pattern", "format"]],
	["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
	["array", ["items", "minItems", "maxItems"]],
];

/**
 * Converts the schema of a field into the spelling of the specification if one field fits it. References and `allOf`
 * are followed. Null among alternatives, types and values makes it optional (and is never sent). A text replaces
 * alternatives to itself. Nothing else is changed; the answer is checked against the schema as sent.
 */
export function plainField(own: Json, reader: SchemaReader, depth = 0): PlainField {
	const read = reader.read(own);
	if ("why" in read) return read;
	if (depth > longestChain) return { why: "refers to itself without end" };
	const { anyOf, oneOf, ...base } = read.schema;
	const alternatives = anyOf ?? oneOf;
	if (!Array.isArray(alternatives) || (anyOf !== undefined && oneOf !== undefined)) return ofOneType(read.schema);
	const variants: JsonObject[] = [];
	let isNullable = false;
	for (const alternative of alternatives as readonly Json[]) {
		if (isNull(alternative)) {
			isNullable = true;
			continue;
		}
		const variant = plainField(alternative, reader, depth + 1);
		if ("why" in variant) return variant;
		isNullable ||= variant.isNullable;
		variants.push(variant.schema);
	}
	const [only, ...others] = variants;
	if (only !== undefined && others.length === 0) {
		const joined = reader.join(withoutNull(base), only);
		if ("why" in joined) return joined;
		const field = ofOneType(joined.schema);
		return "why" in field ? field : { ...field, isNullable: isNullable || field.isNullable };
	}
	const options = variants.map(optionsOf);
	if (options.every((list) => list !== undefined))
		return { schema: { ...withoutNull(base), type: "string", oneOf: options.flat() }, isNullable };
	// Typed input is a text, even if it could have another type.
	const isText = variants.some(({ type, ...rest }) => type === "string" && Object.keys(rest).every(isAnnotation));
	if (isText && variants.every(({ type }) => scalars.has(type)))
		return { schema: { ...withoutNull(base), type: "string" }, isNullable };
	return { schema: read.schema, isNullable };
}

function ofOneType(schema: JsonObject): PlainField {
	const { const: fixed, ...rest } = schema;
	const values = fixed === undefined ? rest["enum"] : [fixed];
	const listed: readonly Json[] | undefined = Array.isArray(values) ? values : undefined;
	const kept = listed?.filter((value) => value !== null);
	const isNullable = typesOf(schema).includes("null") || kept?.length !== listed?.length;
	const types = typesOf(schema).filter((type) => type !== "null");
	const type = types.length <= 1 ? (types[0] ?? impliedType(rest, kept)) : widestOf(types);
	if (type === undefined && types.length > 1) return { schema, isNullable };
	const field: JsonObject = {
		...rest,
		...(type === undefined ? {} : { type }),
		...(kept === undefined ? {} : { enum: kept }),
	};
	// A number is typed; whether it is one of the values the check of the answer says.
	if (type !== "string" && kept !== undefined && kept.length > 0 && kept.every((value) => typeof value === "number")) {
		const { enum: _enum, ...number } = field;
		return { schema: { ...number, type: kept.every(Number.isInteger) ? "integer" : "number" }, isNullable };
	}
	return { schema: field, isNullable };
}

function typesOf({ type }: JsonObject): readonly Json[] {
	return type === undefined ? [] : Array.isArray(type) ? (type as readonly Json[]) : [type];
}

function withoutNull(schema: JsonObject): JsonObject {
	const types = typesOf(schema).filter((type) => type !== "null");
	if (!Array.isArray(schema["type"])) return schema;
	return { ...schema, type: types.length === 1 ? (types[0] ?? null) : types };
}

/** The type whose field takes all of them: a text for scalars, a number for numbers. */
function widestOf(types: readonly Json[]): Json | undefined {
	if (types.every((type) => type === "number" || type === "integer")) return "number";
	return types.includes("string") && types.every((type) => scalars.has(type)) ? "string" : undefined;
}

function impliedType(schema: JsonObject, values: readonly Json[] | undefined): string | undefined {
	const isOfTexts = values?.every((value) => typeof value === "string") === true && values.length > 0;
	if (isOfTexts || Array.isArray(schema["oneOf"])) return "string";
	return implied.find(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)))?.[0];
}

function isNull(schema: Json): boolean {
	if (!isJsonObject(schema)) return false;
	const { type, const: fixed, enum: values } = schema;
	return type === "null" || fixed === null || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

/** The choices that an alternative names; undefined for one that names none, or others than texts. */
function optionsOf({ enum: values, oneOf, title }: JsonObject): readonly JsonObject[] | undefined {
	if (Array.isArray(oneOf)) return (oneOf as readonly Json[]).filter(isJsonObject);
	if (!Array.isArray(values) || values.length === 0 || !values.every((value: Json) => typeof value === "string"))
		return undefined;
	const isTitled = values.length === 1 && title !== undefined;
	return (values as readonly Json[]).map((value) => (isTitled ? { const: value, title } : { const: value }));
}

function isAnnotation(keyword: string): boolean {
	return ["title", "description", "default", "examples", "deprecated"].includes(keyword);
}
