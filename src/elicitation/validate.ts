import { HostError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { withinTime } from "../base/timeBudget.ts";
import type { FormProperty, PropertyRules } from "./form.ts";
import type { FieldInput, FormField, FormProblem } from "../form/formProtocol.ts";

/** What an accepted form sends to the server: a value of the schema's type for each property that was filled. */
export type FormContent = Record<string, string | number | boolean | string[]>;

/** How long a server's pattern may take on one text, and all patterns of a form together, in milliseconds. */
const patternTimeMs = 50;
const allPatternsTimeMs = 200;

/**
 * Checks the inputs of a form against its schema.
 * @param inputs the controls' values, in the order of the properties
 */
export function validateForm(
	properties: readonly FormProperty[],
	inputs: readonly FieldInput[],
): readonly FormProblem[] {
	const patterns = new PatternCheck();
	return properties.flatMap((property, index): FormProblem[] => {
		const message = problemOf(property, inputs[index] ?? "", patterns);
		return message === undefined ? [] : [{ field: index, message }];
	});
}

/**
 * The content to send for valid inputs. Texts go out exactly as entered; a text, number or choice that was left empty is
 * left out, and a box that is not ticked is sent as false, because that is what the form showed.
 */
export function formContent(properties: readonly FormProperty[], inputs: readonly FieldInput[]): FormContent {
	const entries = properties.flatMap(({ name, field, emptyChoice }, index): [string, FormContent[string]][] => {
		const input = inputs[index] ?? "";
		if (typeof input === "boolean") return [[name, input]];
		if (typeof input !== "string") return input.length === 0 && !field.isRequired ? [] : [[name, [...input]]];
		if (input === "") return [];
		if (input === emptyChoice) return [[name, ""]];
		return [[name, field.kind === "number" ? Number(input) : input]];
	});
	// `fromEntries` defines own properties, so that a property named `__proto__` is one like any other.
	return Object.fromEntries(entries);
}

function problemOf({ field, rules }: FormProperty, input: FieldInput, patterns: PatternCheck): string | undefined {
	if (typeof input === "boolean") return undefined;
	if (typeof input !== "string") return choicesProblem(field, rules, input);
	if (input === "") return field.isRequired ? "Fill in this field." : undefined;
	if (field.kind === "number") return numberProblem(rules, input);
	if (field.kind === "choice") {
		return field.options.some(({ value }) => value === input) ? undefined : "Choose one of the values.";
	}
	const format = field.kind === "text" ? field.format : undefined;
	if (format !== undefined && !formats[format].isValid(input)) return formats[format].message;
	return lengthProblem(rules, input) ?? patterns.problem(rules, input);
}

function choicesProblem(field: FormField, { minItems, maxItems }: PropertyRules, chosen: readonly string[]) {
	if (field.kind !== "choices") return undefined;
	if (chosen.some((item) => !field.options.some(({ value }) => value === item))) return "Choose from the values.";
	if (chosen.length === 0 && !field.isRequired) return undefined;
	if (minItems !== undefined && chosen.length < minItems) return `Choose at least ${minItems}.`;
	if (maxItems !== undefined && chosen.length > maxItems) return `Choose at most ${maxItems}.`;
	return undefined;
}

function numberProblem(rules: PropertyRules, input: string): string | undefined {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, isInteger } = rules;
	const value = Number(input);
	// `Number` also reads hexadecimal and surrounding space; what is not plainly a number may be a slip.
	if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(input) || !Number.isFinite(value)) return "Enter a number.";
	if (isInteger === true && !Number.isSafeInteger(value)) return "Enter a whole number.";
	if (minimum !== undefined && value < minimum) return `Enter ${minimum} or more.`;
	if (maximum !== undefined && value > maximum) return `Enter ${maximum} or less.`;
	if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `Enter more than ${exclusiveMinimum}.`;
	if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return `Enter less than ${exclusiveMaximum}.`;
	if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return `Enter a multiple of ${multipleOf}.`;
	return undefined;
}

function lengthProblem({ minLength, maxLength }: PropertyRules, input: string): string | undefined {
	// JSON Schema counts characters, not UTF-16 units.
	const length = Array.from(input).length;
	if (minLength !== undefined && length < minLength) return `Enter at least ${minLength} characters (now ${length}).`;
	if (maxLength !== undefined && length > maxLength) return `Enter at most ${maxLength} characters (now ${length}).`;
	return undefined;
}

const formats = {
	email: {
		isValid: (text: string) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/u.test(text),
		message: "Enter an e-mail address.",
	},
	uri: {
		isValid: (text: string) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) && URL.canParse(text),
		message: "Enter a full URL, such as https://example.com.",
	},
	date: { isValid: isDate, message: "Enter a date as YYYY-MM-DD." },
	"date-time": {
		isValid: isDateTime,
		message: "Enter date, time and zone, such as 2026-06-20T15:04:05Z or 2026-06-20T15:04:05+02:00.",
	},
};

function isDateTime(text: string): boolean {
	const [, date, hours, minutes, seconds] = dateTime.exec(text) ?? [];
	// RFC 3339 allows a leap second.
	return date !== undefined && isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
}

const dateTime = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

function isDate(text: string): boolean {
	if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
	const date = new Date(`${text}T00:00:00Z`);
	// An impossible day such as February 30 would roll over into the next month.
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Whether it is one up to the rounding of binary fractions: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
	const times = value / of;
	return of > 0 ? Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times)) : true;
}

/** Patterns that are not tried at each key that is pressed: they do not compile, or were interrupted once. */
const useless = new WeakSet<PropertyRules>();

/**
 * Runs servers' patterns where they can be interrupted: one that backtracks without end would freeze the extension host
 * (security.md ELC-06). A pattern that does not compile or takes too long decides nothing; the server checks for itself.
 */
class PatternCheck {
	private leftMs = allPatternsTimeMs;

	problem(rules: PropertyRules, input: string): string | undefined {
		const { pattern } = rules;
		if (pattern === undefined || useless.has(rules)) return undefined;
		const startedAt = performance.now();
		try {
			const time = Math.min(patternTimeMs, Math.floor(this.leftMs));
			if (time < 1) throw new HostError("limit", "The patterns of this form take too long.");
			const isMatch = withinTime(time, () => new RegExp(pattern, "u").test(input));
			return isMatch ? undefined : `Enter a text that matches ${oneLine(pattern)}`;
		} catch {
			useless.add(rules);
			return undefined;
		} finally {
			this.leftMs -= performance.now() - startedAt;
		}
	}
}
