import { isJsonObject, type JsonObject } from "../base/json.ts";
import { looksSecret } from "../base/secretWords.ts";
import { cap, oneLine, showHidden } from "../base/text.ts";
import { invalidParams } from "../decisions/refusal.ts";
import type { FieldInput, FieldOption, FormField } from "../form/formProtocol.ts";

/** One property of a server's schema, read: how it is shown and what its value must obey. */
export interface FormProperty {
	readonly name: string;
	readonly field: FormField;
	readonly rules: PropertyRules;
	readonly initial: FieldInput;
	/** What stands for the empty text among the values to choose one from: an empty input is no choice. */
	readonly emptyChoice?: string;
}

/** The constraints of a property; the schema's own words. */
export interface PropertyRules {
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly pattern?: string;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMinimum?: number;
	readonly exclusiveMaximum?: number;
	readonly multipleOf?: number;
	readonly isInteger?: boolean;
	readonly minItems?: number;
	readonly maxItems?: number;
}

/** Caps on what a server may put before a person (security.md ELC-06). */
const limits = { properties: 100, options: 500, description: 2000, text: 100_000, pattern: 500 };

/**
 * Reads the flat schema of a form-mode elicitation (specification 2025-11-25, "Elicitation"; spec.md E4): strings,
 * numbers, booleans, and choices of one or several in all their spellings, with their defaults.
 * @throws RequestRefusal -32602 when the schema is outside that subset or beyond the host's limits.
 */
export function readForm(schema: unknown): readonly FormProperty[] {
	if (!isJsonObject(schema) || schema["type"] !== "object" || !isJsonObject(schema["properties"])) {
		throw invalidParams("requestedSchema must be an object schema with properties");
	}
	const entries = Object.entries(schema["properties"]);
	if (entries.length > limits.properties) {
		throw invalidParams(`requestedSchema has ${entries.length} properties; at most ${limits.properties} are shown`);
	}
	const required = stringsOf(schema["required"]) ?? [];
	const properties = entries.map(([name, property]) => {
		if (!isJsonObject(property)) throw outside(name, "it is not a schema");
		return readProperty(name, property, required.includes(name));
	});
	return tellApart(properties);
}

/** Fields that are called the same are shown with the names under which their values are sent. */
function tellApart(properties: readonly FormProperty[]): readonly FormProperty[] {
	const keyOf = ({ field }: FormProperty): string => field.label.normalize("NFKC").toLowerCase();
	const uses = new Map<string, number>();
	for (const property of properties) uses.set(keyOf(property), (uses.get(keyOf(property)) ?? 0) + 1);
	return properties.map((property) => {
		const { name, field } = property;
		const isAlone = uses.get(keyOf(property)) === 1 || field.label === oneLine(name);
		return isAlone ? property : { ...property, field: { ...field, label: `${field.label} (${oneLine(name, 60)})` } };
	});
}

function readProperty(name: string, schema: JsonObject, isRequired: boolean): FormProperty {
	const title = typeof schema["title"] === "string" ? oneLine(schema["title"]) : "";
	const description = schema["description"];
	const isSecret = looksSecret(
		name,
		title,
		typeof description === "string" ? cap(description, limits.description) : "",
	);
	const frame = {
		label: title === "" ? oneLine(name) : title,
		...(typeof description === "string" ? { description: cap(showHidden(description), limits.description) } : {}),
		isRequired,
		...(isSecret
			? { warning: "This looks like a secret. Servers must not ask for secrets in a form: do not enter one." }
			: {}),
	};
	const kind = readKind(name, schema);
	const { control, rules = {}, initial, emptyChoice } = kind;
	return {
		name,
		field: { ...frame, ...control },
		rules,
		initial,
		...(emptyChoice === undefined ? {} : { emptyChoice }),
	};
}

type Control<Field> = Field extends FormField ? Omit<Field, "label" | "description" | "isRequired" | "warning"> : never;

interface Kind extends Pick<FormProperty, "initial" | "emptyChoice"> {
	readonly control: Control<FormField>;
	readonly rules?: PropertyRules;
}

function readKind(name: string, schema: JsonObject): Kind {
	const { type, default: initial } = schema;
	if (type === "string") return readChoice(name, schema) ?? readText(name, schema);
	if (type === "array") return readChoices(name, schema);
	if (type === "boolean") return { control: { kind: "boolean" }, initial: initial === true };
	if (type !== "number" && type !== "integer") {
		throw outside(name, "its type is not string, number, integer, boolean or array");
	}
	return {
		control: { kind: "number" },
		rules: {
			...numbersOf(schema, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
			isInteger: type === "integer",
		},
		initial: typeof initial === "number" ? String(initial) : "",
	};
}

const formats = ["email", "uri", "date", "date-time"] as const;

function readText(name: string, schema: JsonObject): Kind {
	const format = formats.find((known) => known === schema["format"]);
	if (schema["format"] !== undefined && format === undefined) throw outside(name, "its format is unknown");
	const pattern = schema["pattern"];
	if (typeof pattern === "string" && pattern.length > limits.pattern) throw outside(name, "its pattern is too long");
	const initial = typeof schema["default"] === "string" ? schema["default"] : "";
	if (initial.length > limits.text) throw outside(name, "its default is too long");
	const rules = {
		...numbersOf(schema, "minLength", "maxLength"),
		...(typeof pattern === "string" ? { pattern } : {}),
	};
	const isLong = format === undefined && (/[\r\n]/.test(initial) || (rules.maxLength ?? 0) > 200);
	return { control: { kind: "text", isLong, ...(format === undefined ? {} : { format }) }, rules, initial };
}

/** A choice of one: `oneOf` with titles, `enum`, or `enum` with the older `enumNames`. */
function readChoice(name: string, schema: JsonObject): Kind | undefined {
	if (schema["enum"] === undefined && schema["oneOf"] === undefined) return undefined;
	const options = readOptions(name, schema["enum"], schema["oneOf"], schema["enumNames"]);
	const initial = options.find(({ value }) => value === schema["default"])?.value;
	if (options.every(({ value }) => value !== "")) {
		return { control: { kind: "choice", options }, initial: initial ?? "" };
	}
	const emptyChoice = otherThan(options.map(({ value }) => value));
	const inputs = options.map(({ value, label }) => ({ value: value === "" ? emptyChoice : value, label }));
	return {
		control: { kind: "choice", options: inputs },
		initial: initial === "" ? emptyChoice : (initial ?? ""),
		emptyChoice,
	};
}

/** A text that is none of these. */
function otherThan(values: readonly string[]): string {
	let text = "empty";
	while (values.includes(text)) text += "'";
	return text;
}

/** A choice of several: `items.enum`, or `items.anyOf` with titles. */
function readChoices(name: string, schema: JsonObject): Kind {
	const items = schema["items"];
	if (!isJsonObject(items)) throw outside(name, "it is an array without items");
	const options = readOptions(name, items["enum"], items["anyOf"] ?? items["oneOf"], undefined);
	const initial = stringsOf(schema["default"]) ?? [];
	return {
		control: { kind: "choices", options },
		rules: numbersOf(schema, "minItems", "maxItems"),
		initial: options.map(({ value }) => value).filter((value) => initial.includes(value)),
	};
}

function readOptions(name: string, plain: unknown, titled: unknown, names: unknown): readonly FieldOption[] {
	const options = Array.isArray(titled) ? titled.map(readTitled) : plainOptions(stringsOf(plain), stringsOf(names));
	if (options === undefined || options.length === 0 || options.includes(undefined)) {
		throw outside(name, "its choices are not texts");
	}
	if (options.length > limits.options) throw outside(name, `it has more than ${limits.options} choices`);
	// A value that is there twice is one choice.
	const found = options.filter((option) => option !== undefined);
	return found.filter(({ value }, index) => found.findIndex((other) => other.value === value) === index);
}

function plainOptions(values: readonly string[] | undefined, names: readonly string[] | undefined) {
	return values?.map((value, index) => makeOption(value, names?.[index] ?? value));
}

function readTitled(option: unknown): FieldOption | undefined {
	if (!isJsonObject(option) || typeof option["const"] !== "string") return undefined;
	return makeOption(option["const"], typeof option["title"] === "string" ? option["title"] : option["const"]);
}

/** Shows the value beside its title, because the value is what is sent. */
function makeOption(value: string, title: string): FieldOption {
	const shown = (limit: number): string => (value === "" ? "empty text" : oneLine(value, limit));
	return {
		value,
		label: title === value || title.trim() === "" ? shown(120) : `${oneLine(title, 120)} (${shown(60)})`,
	};
}

function numbersOf<Key extends keyof PropertyRules>(
	schema: JsonObject,
	...keys: readonly Key[]
): Partial<Record<Key, number>> {
	const found = keys.flatMap((key): [Key, number][] => {
		const value = schema[key];
		return typeof value === "number" && Number.isFinite(value) ? [[key, value]] : [];
	});
	return Object.fromEntries(found) as Partial<Record<Key, number>>;
}

function stringsOf(value: unknown): readonly string[] | undefined {
	return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

function outside(name: string, why: string) {
	return invalidParams(`The property ${JSON.stringify(oneLine(name, 60))} cannot be shown in a form: ${why}`);
}
