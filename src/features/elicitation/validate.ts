import { HostError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { applySchema, type SchemaProblem } from "../../base/schema/schema.ts";
import { withinTime } from "../../base/timeBudget.ts";
import { valueAt } from "../../questions/form/jsonPath.ts";
import { formatProblems, lengthProblem, numberProblem, patternProblem } from "../../questions/form/problems.ts";
import type { FormProperty } from "./form.ts";

/** The content that an accepted form sends to the server: a value of the schema's type for each filled property. */
export type FormContent = Record<string, string | number | boolean | string[]>;

/** How long a server's pattern may take on one text, and all patterns of a form together, in milliseconds. */
const patternTimeMs = 50;
const allPatternsTimeMs = 200;

/**
 * Checks the value of a form against its schema: the rules that every form knows, and the formats of the specification.
 * @param value the values by the names of the properties; those that are not filled are not there
 */
export function validateForm(properties: readonly FormProperty[], value: JsonObject): readonly SchemaProblem[] {
	const patterns = new PatternCheck();
	return properties.flatMap((property): SchemaProblem[] => {
		const message = problemOf(property, valueAt(value, [property.name]), patterns);
		return message === undefined ? [] : [{ path: [property.name], message }];
	});
}

/**
 * Checks the value of a form by its fields, then the content that would be sent against the schema as the server sent
 * it, in any spelling. A schema that cannot be applied decides nothing: the server checks the content itself.
 */
export async function validateAnswer(
	properties: readonly FormProperty[],
	schema: object,
	value: JsonObject,
): Promise<readonly SchemaProblem[]> {
	const problems = validateForm(properties, value);
	if (problems.length > 0 || !isJsonObject(schema)) return problems;
	const verdict = await applySchema(schema, formContent(properties, value));
	if (verdict.kind === "unusable") return [];
	const names = new Set<string | number>(properties.map(({ name }) => name));
	// The fields have checked the formats that the specification names.
	return verdict.problems
		.filter(
			({ path: [name], message }) =>
				name !== undefined && names.has(name) && !message.startsWith("Does not have the format"),
		)
		.map(({ path, message }) => ({ path: path.slice(0, 1), message }));
}

/**
 * The content to send for a valid value. Texts are sent exactly as entered; an empty text, number or choice is left
 * out, and an unchecked box is sent as false, because the form showed that.
 */
export function formContent(properties: readonly FormProperty[], value: JsonObject): FormContent {
	const entries = properties.flatMap(({ name }): [string, FormContent[string]][] => {
		const member = valueAt(value, [name]);
		if (member === undefined) return [];
		if (typeof member !== "object") return [[name, member]];
		return Array.isArray(member) ? [[name, member.map(String)]] : [];
	});
	// `fromEntries` defines own properties, so that a property named `__proto__` is one like any other.
	return Object.fromEntries(entries);
}

function problemOf(
	{ field, schema }: FormProperty,
	value: Json | undefined,
	patterns: PatternCheck,
): string | undefined {
	if (field.kind === "choices") return choicesProblem(field.isRequired, schema, value);
	if (value === undefined) return field.isRequired ? "Fill in this field." : undefined;
	if (typeof value === "number") {
		const { multipleOf } = schema;
		const isMissed = typeof multipleOf === "number" && !isMultiple(value, multipleOf);
		return numberProblem(schema, value) ?? (isMissed ? `Enter a multiple of ${multipleOf}.` : undefined);
	}
	if (typeof value !== "string" || field.kind !== "text") return undefined;
	const { format } = field;
	if (format !== undefined && !formats[format](value)) return formatProblems[format];
	return lengthProblem(schema, value) ?? patterns.problem(schema, value);
}

function choicesProblem(
	isRequired: boolean,
	{ minItems, maxItems }: JsonObject,
	chosen: Json | undefined,
): string | undefined {
	const count = Array.isArray(chosen) ? chosen.length : 0;
	if (count === 0 && !isRequired) return undefined;
	if (typeof minItems === "number" && count < minItems) return `Choose at least ${minItems}.`;
	if (typeof maxItems === "number" && count > maxItems) return `Choose at most ${maxItems}.`;
	return undefined;
}

const formats = {
	email: (text: string): boolean => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/u.test(text),
	uri: (text: string): boolean => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) && URL.canParse(text),
	date: isDate,
	"date-time": isDateTime,
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
const useless = new WeakSet<JsonObject>();

/**
 * Runs servers' patterns where they can be interrupted: one that backtracks without end would freeze the extension host
 * (ELC-06). A pattern that does not compile or takes too long decides nothing; the server checks for itself.
 */
class PatternCheck {
	private leftMs = allPatternsTimeMs;

	problem(rules: JsonObject, input: string): string | undefined {
		const { pattern } = rules;
		if (typeof pattern !== "string" || useless.has(rules)) return undefined;
		const startedAt = performance.now();
		try {
			const time = Math.min(patternTimeMs, Math.floor(this.leftMs));
			if (time < 1) throw new HostError("limit", "The patterns of this form take too long.");
			const isMatch = withinTime(time, () => new RegExp(pattern, "u").test(input));
			return isMatch ? undefined : patternProblem(pattern);
		} catch {
			useless.add(rules);
			return undefined;
		} finally {
			this.leftMs -= performance.now() - startedAt;
		}
	}
}
