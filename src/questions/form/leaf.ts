import { escapeBlanks, exactNumber } from "../../base/exactJson.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { oneLine, cap } from "../../base/text.ts";
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

/**
 * The control for values of a leaf.
 * @param name its name or number
 * @param initial its initial value, if any
 */
export function leafField(
	{ shape, schema }: ShapeReading & { readonly shape: LeafShape },
	frame: Pick<FormField, "label" | "description" | "isRequired">,
	name: string | number | undefined,
	initial: Json | undefined,
): FormField {
	if (shape.kind === "number") return { ...frame, kind: "number" };
	if (shape.kind === "boolean") return { ...frame, kind: "choice", options: truths, nothing: noValue };
	if (shape.kind === "choice") {
		const options = distinct(shape.options.map(({ value, title }) => optionLabel(value, title))).map(
			(label, index) => ({ value: String(index), label }),
		);
		return { ...frame, kind: "choice", options, nothing: noValue };
	}
	const format = formats.find((known) => known === schema["format"]);
	const length = typeof initial === "string" ? initial.length : 0;
	const isLong = length > longText || (format === undefined && takesLines(schema, name));
	return { ...frame, kind: "text", isLong, ...(format === undefined ? {} : { format }) };
}

/** Common names of texts with several lines; in a control with one line nobody could begin another. */
const longNames = /(?:^| )(?:body|code|contents?|html|markdown|message|prompt|query|script|sql|text)$/;

function takesLines({ maxLength, pattern, contentMediaType }: JsonObject, name: string | number | undefined): boolean {
	if (typeof maxLength === "number") return maxLength > 200;
	if (typeof contentMediaType === "string") return true;
	return pattern === undefined && typeof name === "string" && longNames.test(wordsOf(name));
}

/** `fileContent` and `file_content` as `file content`. */
function wordsOf(name: string): string {
	return name.replace(/(?<=[a-z])(?=[A-Z])|[_-]/g, " ").toLowerCase();
}

/** How much of a value its option shows, in characters. */
const optionLength = 120;

const truths = [
	{ value: "0", label: "true" },
	{ value: "1", label: "false" },
] as const;

/** The value beside its title, because the value is sent. */
function optionLabel(value: Json, title: string | undefined): string {
	const shown = valueLabel(value, optionLength);
	return title === undefined || title === value || title.trim() === "" ? shown : `${oneLine(title, 120)} (${shown})`;
}

/** Labels with a number if two are the same: the cut ends may be their only difference. */
export function distinct(labels: readonly string[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
	return labels.map((label, index) => ((counts.get(label) ?? 0) > 1 ? `${label} (${index + 1})` : label));
}

/** The content of the control for a value; empty when there is none. */
export function inputOf(shape: LeafShape, value: Json | undefined): string {
	if (value === undefined) return "";
	if (shape.kind === "choice") return String(optionIndex(shape, value));
	if (shape.kind === "boolean") return value === true ? "0" : "1";
	return typeof value === "string" ? value : JSON.stringify(value);
}

/** The value of an input: a value, none at all, or nothing yet, with the reason. */
export type LeafValue = { readonly value: Json | undefined } | { readonly slip: string };

/** Reads the content of a control. A text is a value even when it is empty; every other empty control means none. */
export function leafValue(shape: LeafShape, text: string): LeafValue {
	if (shape.kind === "text") return { value: text };
	if (text === "") return { value: undefined };
	if (shape.kind === "boolean") return { value: text === "0" };
	if (shape.kind === "choice") return { value: shape.options[Number(text)]?.value };
	return readNumber(text);
}

/** Reads a number as it was typed. */
export function readNumber(text: string): LeafValue {
	// `Number` also reads hexadecimal and surrounding space; a text that is not plainly a number may be a mistake.
	if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return { slip: "Enter a number." };
	const value = exactNumber(text);
	return value === undefined
		? { slip: `This number cannot be sent exactly; it would become ${String(Number(text))}.` }
		: { value };
}

/** The label of a choice while there is no value: absent is not one of the values. */
const noValue = "(not set)";
/** The replacement for an invisible text. */
const emptyText = "empty text";

/**
 * A value in one line that distinguishes it from every other, up to the length: an unambiguous text unchanged, and
 * everything else as JSON, which shows `"1"` beside `1`, blanks at the ends and hidden characters.
 */
function valueLabel(value: Json, length: number): string {
	if (value === "") return emptyText;
	const isPlain = typeof value === "string" && isSeen(value, length) && !isJson(value);
	return isPlain && value !== noValue && value !== emptyText ? value : inJson(value, length);
}

/** Whether nothing of a text is hidden, folded or cut off. */
function isSeen(text: string, length: number): boolean {
	return text === oneLine(text, length);
}

function inJson(value: Json, length: number): string {
	return cap(escapeBlanks(JSON.stringify(value)), length);
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
