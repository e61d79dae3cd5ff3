import { cap, oneLine } from "../base/text.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { FormField } from "../questions/form/formProtocol.ts";
import type { FormProperty } from "./form.ts";

/** An answer that can be given without the form. */
export interface QuickAnswer {
	/** In our words, as a link needs them, such as `Yes` or `Answer 2`. */
	readonly label: string;
	/** What the server calls it; absent where our word says all. Untrusted text. */
	readonly title?: string;
	/** What the form would hold. */
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

/** The caps of what a chat says of a form: the rest is in the form. */
const mostFields = 12;
const mostOptions = 6;

/** A form's fields in short, one line each, with their defaults. Untrusted text. */
export function fieldsInShort(properties: readonly FormProperty[]): readonly string[] {
	const lines = properties.slice(0, mostFields).map(({ field, initial }) => {
		const notes = [kindOf(field), ...(field.isRequired ? ["required"] : []), ...atFirst(field, initial)];
		return `${cap(field.label, 120)}: ${notes.join(", ")}`;
	});
	const left = properties.length - lines.length;
	return left > 0 ? [...lines, `… and ${left} more fields`] : lines;
}

function kindOf(field: FormField): string {
	switch (field.kind) {
		case "text":
			return field.format === undefined
				? "text"
				: { email: "email address", uri: "URL", date: "date", "date-time": "date and time" }[field.format];
		case "number":
			return "number";
		case "boolean":
			return "yes or no";
		case "choice":
			return `one of ${optionsOf(field.options)}`;
		case "choices":
			return `any of ${optionsOf(field.options)}`;
	}
}

function optionsOf(options: readonly { readonly label: string }[]): string {
	const shown = options.slice(0, mostOptions).map(({ label }) => `“${cap(label, 60)}”`);
	const left = options.length - shown.length;
	return shown.join(", ") + (left > 0 ? ` and ${left} more` : "");
}

function atFirst(field: FormField, initial: Json | undefined): readonly string[] {
	if (initial === undefined || typeof initial === "boolean") return [];
	const values = Array.isArray(initial) ? (initial as readonly Json[]) : [initial];
	if (values.length === 0) return [];
	const labels = field.kind === "choice" || field.kind === "choices" ? field.options : [];
	const shown = values.map(
		(value) =>
			labels.find((option) => option.value === value)?.label ??
			oneLine(typeof value === "string" ? value : JSON.stringify(value), 60),
	);
	return [`default ${shown.map((text) => `“${text}”`).join(", ")}`];
}
