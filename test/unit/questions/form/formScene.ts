import type { JsonObject } from "../../../../src/base/json.ts";
import type { FieldInput, FormField } from "../../../../src/questions/form/formProtocol.ts";
import type { FormQuestion, QuestionField } from "../../../../src/questions/form/formQuestion.ts";
import { FormSession } from "../../../../src/questions/form/formSession.ts";

/** A text field of that name with more members. */
export function textField(name: string, more: Partial<Extract<FormField, { kind: "text" }>> = {}): QuestionField {
	return { name, kind: "text", label: name, isRequired: false, isLong: false, ...more };
}

/** A form of the user's own with empty fields, valid for all values unless `more` restricts them. */
export function ownForm(fields: readonly QuestionField[], more: Partial<FormQuestion> = {}): FormSession {
	return new FormSession({
		subject: { kind: "form", server: "travel", title: "Run" },
		heading: "Run Plan a Vacation",
		content: { kind: "fields", fields },
		initial: {},
		submitLabel: "Run",
		canDecline: false,
		validate: async () => [],
		...more,
	});
}

/** The fields of a form, as its view gets them. */
export function fieldsOf({ document }: FormSession): readonly FormField[] {
	const { root } = document.state;
	return root?.kind === "group"
		? root.children.flatMap((node) => (node.kind === "field" ? (node.field ?? []) : []))
		: [];
}

/** The content of the controls of a form's fields. */
export function inputsOf({ document }: FormSession): readonly FieldInput[] {
	const { root } = document.state;
	return root?.kind === "group" ? root.children.flatMap((node) => (node.kind === "field" ? [node.input] : [])) : [];
}

/** The errors of the fields, by their labels, after those of the whole. */
export function problemsOf({ state: { root, problems } }: FormSession): readonly string[] {
	const said = root?.kind === "group" ? root.children : [];
	return [
		...problems,
		...said.flatMap(({ label, problem }) => (problem === undefined ? [] : [`${label}: ${problem}`])),
	];
}

/** Enters into the controls of a form's fields, in their order, as its view does. */
export function enter(session: FormSession, ...inputs: readonly FieldInput[]): void {
	const before = inputsOf(session);
	for (const [id, input] of inputs.entries()) {
		if (JSON.stringify(before[id]) !== JSON.stringify(input)) session.change({ kind: "input", id, input }, 1);
	}
}

/** Enters and submits. */
export async function submitWith(session: FormSession, ...inputs: readonly FieldInput[]): Promise<void> {
	enter(session, ...inputs);
	await session.submit();
}

/** The given answer with a value. */
export function accepted(value: JsonObject): object {
	return { by: "user", answer: { action: "accept", value } };
}
