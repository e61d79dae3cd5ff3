import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { exactName } from "../../base/exactJson.ts";
import { invalidParams } from "../../base/refusal.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import type { FieldOption, FormField } from "../../questions/form/formProtocol.ts";
import type { QuestionField } from "../../questions/form/formQuestion.ts";
import { plainField } from "./plainField.ts";
import { SchemaReader } from "../../questions/form/schemaMerge.ts";
import { shapeOf, type Shape } from "../../questions/form/schemaShape.ts";

/** One property of a server's schema after reading: how it is shown, the rules for its value, and its initial value. */
export interface FormProperty {
	readonly name: string;
	readonly field: QuestionField;
	/** The keywords that its value must obey. */
	readonly schema: JsonObject;
	/** Absent where it is not filled in at first. */
	readonly initial?: Json;
}

/** Caps on what a server may put before a user (ELC-06). */
const limits = { properties: 100, options: 500, description: 2000, text: 100_000, pattern: 500 };

/**
 * Reads the flat schema of a form-mode elicitation (specification 2025-11-25, "Elicitation"): strings, numbers,
 * booleans, and choices of one or several in all their spellings, with their defaults. If its message requests a
 * secret, and no field is marked as one, each text has a warning.
 * @throws RequestRefusal -32602 when the schema is outside that subset or beyond the host's limits.
 */
export function readForm(schema: unknown, message = ""): readonly FormProperty[] {
	const reader = new SchemaReader(isJsonObject(schema) ? schema : {});
	const read = isJsonObject(schema) ? shapeOf(schema, reader) : undefined;
	const whole = read?.shape;
	if (whole?.kind !== "object" || !isJsonObject(read?.schema["properties"]))
		throw invalidParams("requestedSchema must be an object schema with properties");
	const entries = [...whole.members];
	if (entries.length > limits.properties) {
		throw invalidParams(`requestedSchema has ${entries.length} properties; at most ${limits.properties} are shown`);
	}
	const properties = entries.map(([name, property]) => {
		if (!isJsonObject(property)) throw outside(name, "it is not a schema");
		const field = plainField(property, reader);
		if ("why" in field) throw outside(name, `it ${field.why}`);
		return readProperty(name, withPlainItems(field.schema, reader), {
			isRequired: whole.required.has(name),
			isNullable: field.isNullable,
		});
	});
	const isOfMessage =
		isSecret(message, undefined, "asked") && properties.every(({ field }) => field.warning === undefined);
	return tellApart(properties.map((property) => (isOfMessage ? warned(property) : property)));
}

function warned(property: FormProperty): FormProperty {
	const { field } = property;
	if (field.kind !== "text") return property;
	return { ...property, field: { ...field, warning: `The message may ask for a secret. ${noSecrets}` } };
}

const noSecrets = "Servers must not ask for secrets in a form: do not enter one.";

function withPlainItems(schema: JsonObject, reader: SchemaReader): JsonObject {
	const items = isJsonObject(schema["items"]) ? plainField(schema["items"], reader) : undefined;
	return items === undefined || "why" in items ? schema : { ...schema, items: items.schema };
}

/** Whether a field may be left empty. */
interface Presence {
	readonly isRequired: boolean;
	/** Null would be a value: for an optional field, it is left out instead. */
	readonly isNullable: boolean;
}

/** The initial values of a form. */
export function initialOf(properties: readonly FormProperty[]): JsonObject {
	// `fromEntries` defines own properties, so that a property named `__proto__` is one like any other.
	return Object.fromEntries(
		properties.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])),
	);
}

/** Fields that are called the same are shown with the names under which their values are sent. */
function tellApart(properties: readonly FormProperty[]): readonly FormProperty[] {
	const keyOf = ({ field }: FormProperty): string => field.label.normalize("NFKC").toLowerCase();
	const uses = new Map<string, number>();
	for (const property of properties) uses.set(keyOf(property), (uses.get(keyOf(property)) ?? 0) + 1);
	return properties.map((property) => {
		const { name, field } = property;
		const isAlone = uses.get(keyOf(property)) === 1 || field.label === exactName(name, 200);
		return isAlone ? property : { ...property, field: { ...field, label: `${field.label} (${exactName(name, 60)})` } };
	});
}

function readProperty(name: string, schema: JsonObject, presence: Presence): FormProperty {
	const { isRequired } = presence;
	const asked = typeof schema["title"] === "string" ? cap(schema["title"], limits.description) : "";
	const title = oneLine(asked);
	const description = schema["description"];
	const words = typeof description === "string" ? cap(description, limits.description) : "";
	const asksForSecret =
		schema["format"] === "password" || [name, asked, words].some((text) => isSecret(text, undefined, "asked"));
	const frame = {
		label: title === "" ? exactName(name, 200) : title,
		...(typeof description === "string" ? { description: cap(showHidden(description), limits.description) } : {}),
		isRequired,
		...(asksForSecret ? { warning: `This looks like a secret. ${noSecrets}` } : {}),
	};
	const { control, initial, schema: rules } = readKind(name, schema, presence);
	return { name, field: { name, ...frame, ...control }, schema: rules, ...(initial === undefined ? {} : { initial }) };
}

type Control<Field> = Field extends FormField ? Omit<Field, "label" | "description" | "isRequired" | "warning"> : never;

interface Kind extends Pick<FormProperty, "schema" | "initial"> {
	readonly control: Control<FormField>;
}

/** The keywords that the specification allows, by type. All others are ignored. */
const keywords: Readonly<Record<string, readonly string[]>> = {
	string: ["enum", "enumNames", "oneOf", "minLength", "maxLength", "pattern", "format"],
	number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
	integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
	boolean: [],
	array: ["items", "minItems", "maxItems"],
};

function readKind(name: string, schema: JsonObject, { isRequired, isNullable }: Presence): Kind {
	const { type, default: initial } = schema;
	const allowed = typeof type === "string" && Object.hasOwn(keywords, type) ? keywords[type] : undefined;
	if (allowed === undefined) throw outside(name, "its type is not string, number, integer, boolean or array");
	const rules = only(schema, ["type", ...allowed]);
	const { items } = rules;
	for (const options of [rules["enum"], rules["oneOf"], ...(isJsonObject(items) ? Object.values(items) : [])]) {
		if (!Array.isArray(options) || options.length <= limits.options) continue;
		throw outside(name, `it has more than ${limits.options} choices`);
	}
	// Titles are more informative than the values alone.
	const { enum: values, oneOf, ...rest } = rules;
	const { shape } = shapeOf(Array.isArray(oneOf) ? { ...rest, oneOf } : rules, new SchemaReader({}));
	switch (shape.kind) {
		case "text":
			// An empty list of values, or a list with other types.
			if (values !== undefined || oneOf !== undefined) throw outside(name, "its choices are not strings");
			return readText(name, rules, initial);
		case "number":
			return { control: { kind: "number" }, schema: rules, ...(typeof initial === "number" ? { initial } : {}) };
		case "boolean":
			// One that may be null has three values: it is sent when it was set.
			return isNullable && !isRequired && typeof initial !== "boolean"
				? { control: { kind: "boolean" }, schema: rules }
				: { control: { kind: "boolean" }, schema: rules, initial: initial === true };
		case "choice": {
			const options = optionsOf(name, shape);
			const chosen = options.find(({ value }) => value === initial)?.value;
			return {
				control: { kind: "choice", options },
				schema: rules,
				...(chosen === undefined ? {} : { initial: chosen }),
			};
		}
		case "list":
			return readChoices(name, schema, rules, isRequired);
		case "json":
			throw outside(name, `it ${shape.why}`);
		case "object":
		case "null":
		case "variants":
			throw outside(name, "its choices are not strings");
	}
}

const formats = ["email", "uri", "date", "date-time"] as const;

function readText(name: string, rules: JsonObject, initial: Json | undefined): Kind {
	const format = formats.find((known) => known === rules["format"]);
	const { pattern, maxLength } = rules;
	if (typeof pattern === "string" && pattern.length > limits.pattern) throw outside(name, "its pattern is too long");
	const text = typeof initial === "string" ? initial : "";
	if (text.length > limits.text) throw outside(name, "its default is too long");
	const isLong = format === undefined && (/[\r\n]/.test(text) || (typeof maxLength === "number" && maxLength > 200));
	return {
		control: { kind: "text", isLong, ...(format === undefined ? {} : { format }) },
		schema: rules,
		...(text === "" ? {} : { initial: text }),
	};
}

/** A choice of several: `items.enum`, or `items.anyOf` with titles. */
function readChoices(
	name: string,
	{ items, default: initial }: JsonObject,
	rules: JsonObject,
	isRequired: boolean,
): Kind {
	if (!isJsonObject(items)) throw outside(name, "it is an array without items");
	const { shape } = shapeOf(
		only(items, titledOf(items) === undefined ? ["enum"] : ["anyOf", "oneOf"]),
		new SchemaReader({}),
	);
	if (shape.kind === "json" && titledOf(items) !== undefined) throw outside(name, `it ${shape.why}`);
	if (shape.kind !== "choice") throw outside(name, "its choices are not strings");
	const options = optionsOf(name, shape);
	const chosen = Array.isArray(initial)
		? options.map(({ value }) => value).filter((value) => (initial as readonly Json[]).includes(value))
		: [];
	return {
		control: { kind: "choices", options },
		schema: rules,
		...(chosen.length === 0 && !isRequired ? {} : { initial: chosen }),
	};
}

function titledOf({ anyOf, oneOf }: JsonObject): Json | undefined {
	return anyOf ?? oneOf;
}

function only(schema: JsonObject, names: readonly string[]): JsonObject {
	return Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));
}

/** Shows the value beside its title, because the value is what is sent. */
function optionsOf(name: string, { options }: Extract<Shape, { kind: "choice" }>): readonly FieldOption[] {
	return options.map(({ value, title = "" }) => {
		if (typeof value !== "string") throw outside(name, "its choices are not strings");
		const shown = (limit: number): string => (value === "" ? "empty text" : oneLine(value, limit));
		const label = title === value || title.trim() === "" ? shown(120) : `${oneLine(title, 120)} (${shown(60)})`;
		return { value, label };
	});
}

function outside(name: string, why: string) {
	return invalidParams(`The property ${JSON.stringify(oneLine(name, 60))} cannot be shown in a form: ${why}`);
}
