import type { Json, JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { withinTime } from "../base/timeBudget.ts";
import type { ShapeReading } from "./schemaShape.ts";

/** How long a server's pattern may take, in milliseconds: it only helps to say what the validator has found. */
const patternTimeMs = 50;

/**
 * What is wrong with a value in the words of all forms, where the schema's rules are the usual ones. The validator
 * decides whether something is wrong at all; this only says it better.
 * @param isGuess the validator may have found something else wrong than by this schema: then only what is sure is said
 */
export function leafProblem({ shape, schema }: ShapeReading, value: Json, isGuess: boolean): string | undefined {
	if (typeof value === "number" && shape.kind === "number") return numberProblem(schema, value, isGuess);
	if (typeof value === "string" && shape.kind === "text") return textProblem(schema, value, isGuess);
	return undefined;
}

function numberProblem(schema: JsonObject, value: number, isGuess: boolean): string | undefined {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
	if (schema["type"] === "integer" && !Number.isInteger(value)) return "Enter a whole number.";
	if (typeof minimum === "number" && value < minimum) return `Enter ${minimum} or more.`;
	if (typeof maximum === "number" && value > maximum) return `Enter ${maximum} or less.`;
	if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return `Enter more than ${exclusiveMinimum}.`;
	if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return `Enter less than ${exclusiveMaximum}.`;
	return typeof multipleOf === "number" && !isGuess ? `Enter a multiple of ${multipleOf}.` : undefined;
}

const formatProblems: Readonly<Record<string, string>> = {
	email: "Enter an e-mail address.",
	uri: "Enter a full URL, such as https://example.com.",
	date: "Enter a date as YYYY-MM-DD.",
	"date-time": "Enter date, time and zone, such as 2026-06-20T15:04:05Z or 2026-06-20T15:04:05+02:00.",
	time: "Enter a time with its zone, such as 15:04:05Z.",
	uuid: "Enter a UUID, such as 123e4567-e89b-12d3-a456-426614174000.",
};

function textProblem(schema: JsonObject, value: string, isGuess: boolean): string | undefined {
	const { minLength, maxLength, pattern, format } = schema;
	// JSON Schema counts characters, not UTF-16 units.
	const length = Array.from(value).length;
	if (typeof minLength === "number" && length < minLength) {
		return value === "" ? "Fill in this field." : `Enter at least ${minLength} characters (now ${length}).`;
	}
	if (typeof maxLength === "number" && length > maxLength)
		return `Enter at most ${maxLength} characters (now ${length}).`;
	if (typeof pattern === "string" && isMismatch(pattern, value)) return `Enter a text that matches ${oneLine(pattern)}`;
	const isKnown = typeof format === "string" && Object.hasOwn(formatProblems, format);
	return isKnown && !isGuess ? formatProblems[format] : undefined;
}

/** Whether a text surely does not match; a pattern that does not compile, or takes too long, tells nothing. */
function isMismatch(pattern: string, value: string): boolean {
	try {
		return withinTime(patternTimeMs, () => !new RegExp(pattern, "u").test(value));
	} catch {
		return false;
	}
}
