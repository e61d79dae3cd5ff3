import type { FieldInput, FormField, FormInput } from "../../../src/form/formProtocol.ts";
import { FormSession, type FormQuestion } from "../../../src/form/formSession.ts";

/** The input of a form with these values. */
export function fieldsInput(...values: readonly FieldInput[]): FormInput {
	return { kind: "fields", values };
}

/** A text field of that name with more to it. */
export function textField(label: string, more: Partial<Extract<FormField, { kind: "text" }>> = {}): FormField {
	return { kind: "text", label, isRequired: false, isLong: false, ...more };
}

/** A form of the person's own with empty text fields, valid whatever is entered unless `more` says otherwise. */
export function ownForm(fields: readonly FormField[], more: Partial<FormQuestion> = {}): FormSession {
	return new FormSession({
		subject: { kind: "form", server: "travel", title: "Run" },
		heading: "Run Plan a Vacation",
		body: { kind: "fields", fields },
		initial: fieldsInput(...fields.map(() => "")),
		submitLabel: "Run",
		canDecline: false,
		validate: async () => [],
		...more,
	});
}
