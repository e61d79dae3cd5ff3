import type {
	FieldInput,
	FieldSuggestions,
	FillState,
	FormDocument,
	FormField,
	FormInput,
	FormState,
} from "../../src/form/formProtocol.ts";
import { mergeEdit, shownText } from "../shared/exactText.ts";
import type { FieldModel } from "./fieldModel.ts";
import { SuggestionList } from "./suggestionList.ts";

/** What the view asks of the host while a form is filled in. */
export interface FormHost {
	change(input: FormInput): void;
	complete(field: number, input: FormInput, line: number): void;
	fill(field: number, source: string): void;
}

/** What a form shows: the host's document and state, what is entered, and what only the view knows. */
export class FormModel implements FieldModel {
	readonly document: FormDocument;
	/** The list of suggestions; at most one field has it open. */
	readonly suggestions: SuggestionList;
	private readonly host: FormHost;
	private readonly changed: () => void;
	private current: FormInput;
	private shown: FormState;
	/** The fields that the person has changed: only they show a problem before the first attempt to submit. */
	private readonly touched = new Set<number>();
	/** The one-line fields that hold several lines now or did so. */
	private readonly tall = new Set<number>();
	private readonly filters = new Map<number, string>();
	/** What stood in a field before it was filled from a source. */
	private readonly beforeFill = new Map<number, string>();
	/** The last text that was put into a field other than by typing. */
	private readonly exactTexts = new Map<number, string>();
	private beforeReset: FormInput | undefined;

	/** `changed` is called whenever something else is to be shown. */
	constructor(document: FormDocument, host: FormHost, changed: () => void) {
		this.document = document;
		this.host = host;
		this.changed = changed;
		this.current = document.input;
		this.shown = document.state;
		this.suggestions = new SuggestionList((field, line) => host.complete(field, this.current, line), changed);
		for (const [index] of this.fields.entries()) {
			if (!isSame(this.value(index), this.valueAt(document.initial, index))) this.touched.add(index);
			this.keepLines(index);
		}
	}

	get input(): FormInput {
		return this.current;
	}

	get state(): FormState {
		return this.shown;
	}

	get isOver(): boolean {
		return this.shown.end !== undefined;
	}

	get fields(): readonly FormField[] {
		return this.document.body.kind === "fields" ? this.document.body.fields : [];
	}

	field(index: number): FormField | undefined {
		return this.fields[index];
	}

	/** Whether the controls hold what they held at first. */
	get isPristine(): boolean {
		const { initial } = this.document;
		return this.fields.every((_field, index) => isSame(this.value(index), this.valueAt(initial, index)));
	}

	/** Whether the values before the last Reset can be had back. */
	get canUndoReset(): boolean {
		return this.beforeReset !== undefined;
	}

	value(index: number): FieldInput {
		return this.valueAt(this.current, index);
	}

	/** What a control with text holds. */
	text(index: number): string {
		const value = this.value(index);
		return typeof value === "string" ? value : "";
	}

	/** What is wrong with a field, if that is to be shown. */
	problem(index: number): string | undefined {
		if (this.shown.attempts === 0 && !this.touched.has(index)) return undefined;
		return this.shown.problems.find(({ field }) => field === index)?.message;
	}

	/** What is wrong with the form as a whole. */
	get formProblems(): readonly string[] {
		return this.shown.problems.filter(({ field }) => field === undefined).map(({ message }) => message);
	}

	/** All that a field shows: while each part is the same, the field looks the same. */
	parts(index: number): readonly unknown[] {
		const { suggestions } = this;
		const list = suggestions.of(index);
		return [
			this.value(index),
			this.problem(index),
			this.isOver,
			this.isTall(index),
			this.filter(index),
			this.fillState(index)?.message,
			this.canUndoFill(index),
			list,
			list && suggestions.active,
			suggestions.isEmpty(index),
		];
	}

	/** What is to be said about filling a field. */
	fillState(index: number): FillState | undefined {
		return this.shown.fill?.field === index ? this.shown.fill : undefined;
	}

	canUndoFill(index: number): boolean {
		return this.beforeFill.has(index) && this.fillState(index)?.step === "done";
	}

	/** Whether a text field has several lines. Once it has, it keeps them, lest its control changes while one types. */
	isTall(index: number): boolean {
		const field = this.fields[index];
		return field?.kind === "text" && (field.isLong || this.tall.has(index));
	}

	makeTall(index: number): void {
		this.tall.add(index);
		this.changed();
	}

	filter(index: number): string {
		return this.filters.get(index) ?? "";
	}

	setFilter(index: number, filter: string): void {
		this.filters.set(index, filter);
		this.changed();
	}

	setValue(index: number, value: FieldInput): void {
		if (this.current.kind !== "fields") return;
		this.touched.add(index);
		this.beforeReset = undefined;
		this.current = { kind: "fields", values: this.current.values.with(index, value) };
		this.keepLines(index);
		this.setInput(this.current);
	}

	/** Takes what a control of text shows, in which every line break is a line feed. */
	setShown(index: number, shown: string): void {
		const exact = this.exactTexts.get(index);
		const isExact = exact !== undefined && shownText(exact) === shown;
		this.setValue(index, isExact ? exact : mergeEdit(this.text(index), shown));
	}

	/** Remembers a text that is about to be put into a control: showing that means this text, to the last line break. */
	expectText(index: number, exact: string): void {
		this.exactTexts.set(index, exact);
	}

	setInput(input: FormInput): void {
		this.current = input;
		this.host.change(input);
		this.changed();
	}

	/** Asks the host to fill a field; it answers in its own time. */
	fill(index: number, source: string): void {
		this.host.fill(index, source);
	}

	/** Remembers what stood in a field that is about to be filled. */
	rememberBeforeFill(index: number): void {
		this.beforeFill.set(index, this.text(index));
	}

	/** What stood in a field before it was filled; it is forgotten with that. */
	takeBeforeFill(index: number): string {
		const text = this.beforeFill.get(index) ?? "";
		this.beforeFill.delete(index);
		return text;
	}

	/** Puts the initial values back, or takes that back. */
	toggleReset(): void {
		const { beforeReset } = this;
		this.beforeReset = beforeReset === undefined ? this.current : undefined;
		this.setInput(beforeReset ?? this.document.initial);
	}

	/** Takes the host's state. True when it is the end of an attempt to submit that did not succeed. */
	receive(state: FormState): boolean {
		const isFailedAttempt = state.attempts > this.shown.attempts && state.problems.length > 0;
		this.shown = state;
		if (this.isOver) this.suggestions.close();
		this.changed();
		return isFailedAttempt;
	}

	receiveSuggestions(suggestions: FieldSuggestions): void {
		this.suggestions.receive(suggestions);
	}

	private keepLines(index: number): void {
		if (/[\r\n]/.test(this.text(index))) this.tall.add(index);
	}

	private valueAt(input: FormInput, index: number): FieldInput {
		return input.kind === "fields" ? (input.values[index] ?? "") : "";
	}
}

function isSame(one: FieldInput, other: FieldInput): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
