import { cap, oneLine } from "../../base/text.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { FieldOption, FormField } from "../../questions/form/formProtocol.ts";
import type { FormProperty } from "./form.ts";

/** An answer that can be given without the form. */
export interface QuickAnswer {
	/** In our words, as a link needs them, such as `Yes` or `Answer 2`. */
	readonly label: string;
	/** The server's name for it; absent if our word is sufficient. Untrusted text. */
	readonly title?: string;
	/** The values for the form. */
	readonly value: JsonObject;
}

/** So many choices fit into a row of links. */
const mostChoices = 8;

/**
 * The answers to a form that asks one thing with few answers: nothing but consent, yes or no, or one choice. None for
 * every other form.
 */
export function quickAnswers(properties: readonly FormProperty[]): readonly QuickAnswer[] {
	const [property, ...others] = properties;
	if (property === undefined) return [{ label: "Accept", value: {} }];
	if (others.length > 0) return [];
	const { name, field } = property;
	// `fromEntries` defines own properties, so that a property named `__proto__` is one like any other.
	const holding = (value: Json): JsonObject => Object.fromEntries([[name, value]]);
	if (field.kind === "boolean") {
		return [
			{ label: "Yes", value: holding(true) },
			{ label: "No", value: holding(false) },
		];
	}
	if (field.kind !== "choice" || field.options.length > mostChoices) return [];
	return field.options.map(({ label, value }, index) => ({
		label: `Answer ${index + 1}`,
		title: label,
		value: holding(value),
	}));
}

/** The limits of a form's summary in a chat: the rest is in the form. */
const mostFields = 12;
const mostOptions = 6;

/** A summary of a form's fields, one line each: the filled-in value, or the requested one. Untrusted text. */
export function fieldsInShort(properties: readonly FormProperty[]): readonly string[] {
	const lines = properties.slice(0, mostFields).map(({ field, initial }) => {
		const says = inWords(field, initial);
		return `${cap(field.label, 120)}: ${field.isRequired ? `${says}, required` : says}`;
	});
	const left = properties.length - lines.length;
	return left > 0 ? [...lines, `… and ${left} more fields`] : lines;
}

function inWords(field: FormField, initial: Json | undefined): string {
	switch (field.kind) {
		case "text":
			if (typeof initial === "string") return oneLine(initial, 60);
			return field.format === undefined
				? "a text"
				: { email: "an email address", uri: "a URL", date: "a date", "date-time": "a date and time" }[field.format];
		case "number":
			return typeof initial === "number" ? String(initial) : "a number";
		case "boolean":
			return initial === true ? "yes" : "no";
		case "choice": {
			const chosen = field.options.find(({ value }) => value === initial);
			if (chosen === undefined) return labelsOf(field.options, "or");
			const others = field.options.filter((option) => option !== chosen);
			return others.length === 0 ? cap(chosen.label, 60) : `${cap(chosen.label, 60)} (or ${labelsOf(others, "or")})`;
		}
		case "choices": {
			const chosen = field.options.filter(({ value }) => Array.isArray(initial) && initial.includes(value));
			const any = `any of ${labelsOf(field.options, "and")}`;
			return chosen.length === 0 ? any : `${labelsOf(chosen, "and")} (${any})`;
		}
	}
}

function labelsOf(options: readonly FieldOption[], last: "and" | "or"): string {
	const shown = options.slice(0, mostOptions).map(({ label }) => cap(label, 60));
	const left = options.length - shown.length;
	if (left > 0) return `${shown.join(", ")} ${last} ${left} more`;
	return [...(shown.length > 1 ? [shown.slice(0, -1).join(", ")] : []), ...shown.slice(-1)].join(` ${last} `);
}
