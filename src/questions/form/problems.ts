import type { Json, JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { withinTime } from "../../base/timeBudget.ts";
import type { SchemaProblem } from "../../base/schema/schema.ts";
import type { JsonPath } from "./jsonPath.ts";
import type { ShapeReading } from "./schemaShape.ts";

/** The validator's problems of a value, by place. */
export class PlacedProblems {
	private readonly problems: readonly SchemaProblem[];

	constructor(problems: readonly SchemaProblem[]) {
		this.problems = problems;
	}

	/** The problems of exactly the value at a place. */
	at(path: JsonPath): readonly string[] {
		return this.problems
			.filter((problem) => problem.path.length === path.length && isWithin(problem.path, path))
			.map(({ message }) => message);
	}

	/** The problems of a value and its parts, each with its place. */
	within(path: JsonPath): readonly string[] {
		return this.problems
			.filter((problem) => isWithin(problem.path, path))
			.map(({ path: place, message }) => {
				const rest = place.slice(path.length);
				return rest.length === 0 ? message : `${oneLine(rest.join("/"))}: ${message}`;
			});
	}
}

function isWithin(place: JsonPath, outer: JsonPath): boolean {
	return outer.every((key, index) => place[index] === key);
}

/** How long a server's pattern may take, in milliseconds: it only improves the words for the validator's problem. */
const patternTimeMs = 50;

/**
 * The problem of a value in the words of all forms, for common rules of a schema. The validator decides whether there
 * is a problem at all; this only words it better.
 * @param isGuess the problem may not be of this schema: then only certain ones are reported
 */
export function leafProblem({ shape, schema }: ShapeReading, value: Json, isGuess: boolean): string | undefined {
	if (typeof value === "number" && shape.kind === "number") {
		const { multipleOf } = schema;
		const isMultipleOf = typeof multipleOf === "number" && !isGuess;
		return numberProblem(schema, value) ?? (isMultipleOf ? `Enter a multiple of ${multipleOf}.` : undefined);
	}
	if (typeof value !== "string" || shape.kind !== "text") return undefined;
	const { pattern, format } = schema;
	const length = lengthProblem(schema, value);
	if (length !== undefined) return length;
	if (typeof pattern === "string" && isMismatch(pattern, value)) return patternProblem(pattern);
	const isKnown = typeof format === "string" && Object.hasOwn(formatProblems, format);
	return isKnown && !isGuess ? formatProblems[format] : undefined;
}

/** The certain problem of a number by its bounds and whether it must be whole. */
export function numberProblem(schema: JsonObject, value: number): string | undefined {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
	if (schema["type"] === "integer" && !Number.isInteger(value)) return "Enter a whole number.";
	if (typeof minimum === "number" && value < minimum) return `Enter ${minimum} or more.`;
	if (typeof maximum === "number" && value > maximum) return `Enter ${maximum} or less.`;
	if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return `Enter more than ${exclusiveMinimum}.`;
	if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return `Enter less than ${exclusiveMaximum}.`;
	return undefined;
}

/** The problem of a text that is not of its format, by the format. */
export const formatProblems: Readonly<Record<string, string>> = {
	email: "Enter an email address.",
	uri: "Enter a full URL, such as https://example.com.",
	date: "Enter a date as YYYY-MM-DD.",
	"date-time": "Enter date, time and zone, such as 2026-06-20T15:04:05Z or 2026-06-20T15:04:05+02:00.",
	time: "Enter a time with its zone, such as 15:04:05Z.",
	uuid: "Enter a UUID, such as 123e4567-e89b-12d3-a456-426614174000.",
};

/** The problem of a text's length. */
export function lengthProblem({ minLength, maxLength }: JsonObject, value: string): string | undefined {
	// JSON Schema counts characters, not UTF-16 units.
	const length = Array.from(value).length;
	if (typeof minLength === "number" && length < minLength) {
		return value === "" ? "Fill in this field." : `Enter at least ${minLength} characters (now ${length}).`;
	}
	if (typeof maxLength === "number" && length > maxLength) {
		return `Enter at most ${maxLength} characters (now ${length}).`;
	}
	return undefined;
}

/** The problem of a text that does not match a server's pattern. */
export function patternProblem(pattern: string): string {
	return `Enter text that matches ${oneLine(pattern)}`;
}

/** Whether a text surely does not match; a pattern that does not compile, or takes too long, decides nothing. */
function isMismatch(pattern: string, value: string): boolean {
	try {
		return withinTime(patternTimeMs, () => !new RegExp(pattern, "u").test(value));
	} catch {
		return false;
	}
}
