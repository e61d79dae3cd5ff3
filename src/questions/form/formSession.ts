import { Emitter, type Event } from "../../base/event.ts";
import { exactJson } from "../../base/exactJson.ts";
import type { JsonObject } from "../../base/json.ts";
import { problemSentence, type SchemaProblem } from "../../base/schema/schema.ts";
import { cap, showHidden } from "../../base/text.ts";
import { Decision, describeLapse } from "../decisions/decision.ts";
import { parseChange, roomFor } from "./formChange.ts";
import { FormEditor } from "./formEditor.ts";
import { FormFill, type Filling } from "./formFill.ts";
import type { FieldSuggestions, FormDocument, FormState } from "./formProtocol.ts";
import type { FormAnswer, FormQuestion } from "./formQuestion.ts";
import { FormSuggestions } from "./formSuggestions.ts";

const endings: Readonly<Record<FormAnswer["action"], string>> = {
	accept: "You answered.",
	decline: "You declined.",
	cancel: "You cancelled.",
};

/** How much of a preview is shown, in characters. */
const previewLimit = 5000;

/** How much of a schema is shown beside the JSON, in characters. */
const schemaLimit = 200_000;

/**
 * One form before the user: keeps all state, so that a view may be closed and reopened (UI-07), checks the value as it
 * changes, and settles once, with a value that has passed the check unchanged (TOL-10).
 */
export class FormSession {
	readonly decision: Decision<FormAnswer>;
	readonly question: FormQuestion;
	private readonly editor: FormEditor;
	private problems: readonly SchemaProblem[] = [];
	private checked: JsonObject | undefined;
	private isChecking = false;
	private failures = 0;
	private seen = 0;
	private readonly filling: FormFill;
	private readonly suggestions: FormSuggestions;
	private readonly changed = new Emitter<void>();
	/** Fired when `state` changed. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** Fired with the suggestions for the field whose list is open. */
	readonly onDidSuggest: Event<FieldSuggestions>;
	/** Fired with a text that replaces that of a field. */
	readonly onDidFill: Event<Filling>;

	constructor(question: FormQuestion) {
		this.question = question;
		const { subject, canDecline, content } = question;
		// An edit is refused with the question that it belongs to.
		const no = { action: canDecline ? "decline" : "cancel" } as const;
		this.decision = content.kind === "schema" ? new Decision(subject) : new Decision<FormAnswer>(subject, no);
		this.editor = new FormEditor(content, question.initial);
		this.suggestions = new FormSuggestions(question);
		this.onDidSuggest = this.suggestions.onDidChange;
		this.filling = new FormFill(question);
		this.onDidFill = this.filling.onDidFill;
		this.filling.onDidChange(() => this.changed.fire());
		this.filling.onDidFill((filling) => this.take(filling));
		void this.decision.settled.then(() => this.finish());
		void this.check();
	}

	/** The content, as it would be sent; exactly `initial` while nothing is edited. */
	get value(): JsonObject {
		return this.editor.value;
	}

	get state(): FormState {
		const { editor, failures, seen, question } = this;
		const { tab, noForm, isEdited, canUndoReset, root } = editor;
		const end = this.end();
		const preview = question.preview?.(editor.value);
		const fill = this.filling.state;
		const actions = end === undefined ? question.actions?.() : undefined;
		const common = {
			tab,
			...(noForm === undefined ? {} : { noForm }),
			failures,
			isEdited,
			canUndoReset,
			seen,
			...(end === undefined ? {} : { end }),
			...(preview === undefined ? {} : { preview: cap(showHidden(preview), previewLimit) }),
			...(fill === undefined ? {} : { fill }),
			...(actions === undefined ? {} : { actions }),
		};
		if (root === undefined) return { ...common, text: editor.text, problems: this.jsonProblems };
		// Problems of the whole are shown for the form.
		const { problem: _problem, ...rest } = root;
		return { ...common, root: rest, problems: editor.formProblems };
	}

	get document(): FormDocument {
		const { subject, heading, quote, submitLabel, canDecline, content, previewLabel = "Preview" } = this.question;
		const { notes = [], isRisky = true, declineLabel = "Decline" } = this.question;
		return {
			asker: subject.kind === "elicitation" || subject.kind === "url" ? "server" : "user",
			heading,
			server: subject.server,
			...(subject.during === undefined ? {} : { during: subject.during }),
			...(quote === undefined ? {} : { quote }),
			notes,
			isRisky,
			submitLabel,
			canDecline,
			declineLabel,
			previewLabel,
			...(content.kind === "page" ? { page: content.url } : {}),
			...(content.kind === "schema" ? { schemaText: cap(exactJson(content.schema), schemaLimit) } : {}),
			state: this.state,
		};
	}

	/**
	 * Makes a change that the view requests. An invalid one, or one that does not fit the form, changes nothing (UI-06).
	 */
	change(raw: unknown, number: unknown): void {
		if (this.decision.outcome !== undefined) return;
		const change = parseChange(raw);
		if (typeof number === "number") this.seen = number;
		const filled = this.filling.state?.field;
		const before = this.editor.field(filled)?.input;
		if (change !== undefined && !this.editor.apply(change) && change.kind === "tab") this.fail();
		if (filled !== undefined && this.editor.field(filled)?.input !== before) this.filling.forget(filled);
		this.changed.fire();
		void this.check();
	}

	/**
	 * Accepts exactly the displayed value if it is valid; otherwise the problems are shown.
	 * @param value an answer that the user gave elsewhere, instead of the displayed one
	 */
	async submit(value?: JsonObject): Promise<void> {
		const { editor } = this;
		if (this.decision.outcome !== undefined) return;
		if (value !== undefined) editor.replace(value);
		const { value: submitted } = editor;
		const problems = editor.slip === undefined ? await this.question.validate(submitted) : undefined;
		// Text that is typed during the check is not submitted.
		if (submitted !== editor.value) return;
		if (problems?.length === 0 && editor.slip === undefined) {
			this.decision.answer({ action: "accept", value: submitted });
			return;
		}
		this.problems = problems ?? this.problems;
		this.fail();
		this.changed.fire();
	}

	decline(): void {
		if (this.question.canDecline) this.decision.answer({ action: "decline" });
	}

	cancel(): void {
		this.decision.answer({ action: "cancel" });
	}

	/** Asks for suggestions for a field with its current text. An unknown field is ignored. */
	complete(id: unknown, line: unknown): void {
		const field = this.editor.field(id);
		if (field === undefined || typeof id !== "number" || this.decision.outcome !== undefined) return;
		this.suggestions.request({ id, ...field }, this.editor.value, line);
	}

	/** Fills a field from one of its sources. An unknown source is ignored. */
	async fill(id: unknown, source: unknown): Promise<void> {
		const field = this.editor.field(id);
		if (field === undefined || typeof id !== "number" || this.decision.outcome !== undefined) return;
		await this.filling.request({ id, ...field }, source, () => roomFor(this.editor.value, field.name));
	}

	/** Runs the action of a further button. One that is not shown is ignored. */
	async act(id: unknown): Promise<void> {
		const action = this.state.actions?.find((offered) => offered.id === id);
		if (action === undefined) return;
		await this.question.act?.(action.id);
		this.changed.fire();
	}

	private take({ field, text }: Filling): void {
		this.editor.apply({ kind: "input", id: field, input: text });
		void this.check();
	}

	private finish(): void {
		this.suggestions.dispose();
		this.filling.dispose();
		this.changed.fire();
	}

	private get jsonProblems(): readonly string[] {
		const { jsonProblems } = this.editor;
		return jsonProblems.length > 0 ? jsonProblems : this.problems.map(problemSentence);
	}

	/** Shows every problem, at every place. */
	private fail(): void {
		this.failures++;
		this.editor.setProblems(this.problems, true);
		this.editor.openProblems();
	}

	/** Checks one value at a time, and of later ones only the last: a schema may take long to apply. */
	private async check(): Promise<void> {
		if (this.isChecking) return;
		this.isChecking = true;
		while (this.checked !== this.editor.value && this.decision.outcome === undefined) {
			const { value } = this.editor;
			const problems = await this.question.validate(value);
			this.checked = value;
			if (value === this.editor.value) {
				this.problems = problems;
				this.editor.setProblems(problems, this.failures > 0);
				this.changed.fire();
			}
			// The user's actions come before the next check.
			await new Promise((resolve) => setImmediate(resolve));
		}
		this.isChecking = false;
	}

	private end(): string | undefined {
		const { outcome } = this.decision;
		if (outcome === undefined) return undefined;
		if (outcome.by === "lapse") return describeLapse(outcome.reason, this.question.subject.server);
		const isEdit = this.question.content.kind === "schema" && outcome.answer.action === "accept";
		return isEdit ? "You submitted this." : endings[outcome.answer.action];
	}
}

/** The value that a form was submitted with, or undefined when it ended without one. */
export async function acceptedValue({ decision }: FormSession): Promise<JsonObject | undefined> {
	const settled = await decision.settled;
	return settled.by === "user" && settled.answer.action === "accept" ? settled.answer.value : undefined;
}
