import type { Json, JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { exactNumber } from "./exactNumber.ts";
import type { FormField } from "./formProtocol.ts";
import type { Shape, ShapeReading } from "./schemaShape.ts";
import { optionIndex } from "./schemaValues.ts";

/** A shape with one control. */
export type LeafShape = Extract<Shape, { kind: "text" | "number" | "boolean" | "choice" }>;

/** Whether a shape has one control, which also shows that there is no value. */
export function isLeaf(shape: Shape): shape is LeafShape {
	return ["text", "number", "boolean", "choice"].includes(shape.kind);
}

const formats = ["email", "uri", "date", "date-time"] as const;

/** From how many characters on a text gets several lines. */
const longText = 100;

/** The control for values of a leaf. `initial` is the one that it holds at first, if any. */
export function leafField(
	{ shape, schema }: ShapeReading & { readonly shape: LeafShape },
	frame: Pick<FormField, "label" | "description" | "isRequired">,
	initial: Json | undefined,
): FormField {
	if (shape.kind === "number") return { ...frame, kind: "number" };
	if (shape.kind === "boolean") return { ...frame, kind: "choice", options: truths, nothing };
	if (shape.kind === "choice") {
		const options = shape.options.map(({ value, title }, index) => ({
			value: String(index),
			label: optionLabel(value, title),
		}));
		return { ...frame, kind: "choice", options, nothing };
	}
	const format = formats.find((known) => known === schema["format"]);
	const length = typeof initial === "string" ? initial.length : 0;
	const isLong =
		length > longText || Number(schema["maxLength"]) > 200 || typeof schema["contentMediaType"] === "string";
	return { ...frame, kind: "text", isLong, ...(format === undefined ? {} : { format }) };
}

/** What a choice shows while there is no value: absent is not one of the values. */
const nothing = "(not set)";

const truths = [
	{ value: "0", label: "true" },
	{ value: "1", label: "false" },
] as const;

/** The value beside its title, because the value is what is sent. */
function optionLabel(value: Json, title: string | undefined): string {
	const shown = value === "" ? "empty text" : oneLine(typeof value === "string" ? value : JSON.stringify(value), 120);
	return title === undefined || title === value || title.trim() === "" ? shown : `${oneLine(title, 120)} (${shown})`;
}

/** What the control holds for a value; empty when there is none. */
export function inputOf(shape: LeafShape, value: Json | undefined): string {
	if (value === undefined) return "";
	if (shape.kind === "choice") return String(optionIndex(shape, value));
	if (shape.kind === "boolean") return value === true ? "0" : "1";
	return typeof value === "string" ? value : JSON.stringify(value);
}

/** What an input means: a value, none at all, or nothing yet, with the reason. */
export type LeafValue = { readonly value: Json | undefined } | { readonly slip: string };

/** Reads what a control holds. A text is a value even when it is empty; every other empty control means none. */
export function leafValue(shape: LeafShape, text: string): LeafValue {
	if (shape.kind === "text") return { value: text };
	if (text === "") return { value: undefined };
	if (shape.kind === "boolean") return { value: text === "0" };
	if (shape.kind === "choice") return { value: shape.options[Number(text)]?.value };
	// `Number` also reads hexadecimal and surrounding space; what is not plainly a number may be a slip.
	if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return { slip: "Enter a number." };
	const value = exactNumber(text);
	return value === undefined
		? { slip: `This number cannot be sent exactly; it would become ${String(Number(text))}.` }
		: { value };
}

/**
 * What is wrong with a value in the words of all forms, where the schema's rules are the usual ones. The validator
 * decides whether something is wrong at all; this only says it better.
 */
export function leafProblem({ shape, schema }: ShapeReading, value: Json): string | undefined {
	if (typeof value === "number" && shape.kind === "number") return numberProblem(schema, value);
	if (typeof value === "string" && shape.kind === "text") return textProblem(schema, value);
	return undefined;
}

function numberProblem(schema: JsonObject, value: number): string | undefined {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
	if (schema["type"] === "integer" && !Number.isInteger(value)) return "Enter a whole number.";
	if (typeof minimum === "number" && value < minimum) return `Enter ${minimum} or more.`;
	if (typeof maximum === "number" && value > maximum) return `Enter ${maximum} or less.`;
	if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return `Enter more than ${exclusiveMinimum}.`;
	if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return `Enter less than ${exclusiveMaximum}.`;
	return typeof multipleOf === "number" ? `Enter a multiple of ${multipleOf}.` : undefined;
}

const formatProblems: Readonly<Record<string, string>> = {
	email: "Enter an e-mail address.",
	uri: "Enter a full URL, such as https://example.com.",
	date: "Enter a date as YYYY-MM-DD.",
	"date-time": "Enter date, time and zone, such as 2026-06-20T15:04:05Z or 2026-06-20T15:04:05+02:00.",
	time: "Enter a time with its zone, such as 15:04:05Z.",
	uuid: "Enter a UUID, such as 123e4567-e89b-12d3-a456-426614174000.",
};

function textProblem(schema: JsonObject, value: string): string | undefined {
	const { minLength, maxLength, pattern, format } = schema;
	// JSON Schema counts characters, not UTF-16 units.
	const length = Array.from(value).length;
	if (typeof minLength === "number" && length < minLength) {
		return value === "" ? "Fill in this field." : `Enter at least ${minLength} characters (now ${length}).`;
	}
	if (typeof maxLength === "number" && length > maxLength)
		return `Enter at most ${maxLength} characters (now ${length}).`;
	const ofFormat =
		typeof format === "string" && Object.hasOwn(formatProblems, format) ? formatProblems[format] : undefined;
	if (typeof pattern === "string" && ofFormat === undefined) return `Enter a text that matches ${oneLine(pattern)}`;
	return pattern === undefined ? ofFormat : undefined;
}
