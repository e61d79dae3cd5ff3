import type {
	FieldInput,
	FieldSuggestions,
	FillState,
	FormChange,
	FormDocument,
	FormField,
	FormNode,
	FormState,
} from "../../src/questions/form/formProtocol.ts";
import { mergeEdit, shownText } from "../shared/exactText.ts";
import { SuggestionList } from "./suggestionList.ts";

/** The number under which the text of the JSON tab is kept; those of nodes are their ids. */
const jsonText = -1;

/** The view's requests to the host while a form is filled in. */
export interface FormHost {
	change(change: FormChange, number: number): void;
	complete(field: number, line: number): void;
	fill(field: number, source: string): void;
}

/** The state of a form: the host's, the entered values that the host does not have yet, and the view's own. */
export class FormModel {
	readonly document: FormDocument;
	/** The list of suggestions; at most one field has it open. */
	readonly suggestions: SuggestionList;
	private readonly host: FormHost;
	private readonly changed: () => void;
	private shown: FormState;
	private nodes = new Map<number, FormNode>();
	/** The fields of nodes; the host sends each once while it stays the same. */
	private readonly fields = new Map<number, FormField>();
	private sent: number;
	/** Inputs that a later state of the host confirms, with the number of their change. */
	private readonly drafts = new Map<number, { readonly input: FieldInput; readonly number: number }>();
	/** The one-line fields that hold several lines now or did so. */
	private readonly tall = new Set<number>();
	private readonly filters = new Map<number, string>();
	/** The content of a field before it was filled from a source. */
	private readonly beforeFill = new Map<number, string>();
	/** The last text that was put into a field other than by typing. */
	private readonly exactTexts = new Map<number, string>();
	/** The action once a state includes the change with that number. */
	private afterwards: { readonly number: number; readonly action: () => void } | undefined;

	/** `changed` is called whenever the content changes. */
	constructor(document: FormDocument, host: FormHost, changed: () => void) {
		this.document = document;
		this.host = host;
		this.changed = changed;
		this.shown = document.state;
		// A reloaded view continues the count of the former one.
		this.sent = document.state.seen;
		this.suggestions = new SuggestionList((field, line) => host.complete(field, line), changed);
		this.readNodes();
	}

	get state(): FormState {
		return this.shown;
	}

	/** Whether the form has ended, and its controls are dead. */
	get isOver(): boolean {
		return this.shown.end !== undefined;
	}

	/** Whether something is entered that was not there at first. */
	get isEdited(): boolean {
		return this.shown.isEdited || this.drafts.size > 0;
	}

	/** The ids of the nodes that have a value. */
	get present(): ReadonlySet<number> {
		return new Set([...this.nodes.values()].filter(({ isPresent }) => isPresent).map(({ id }) => id));
	}

	/** Whether an object has no value at the place of a control: neither one that the host knows nor one that was entered. */
	isUnset(id: number): boolean {
		const isPart = this.document.schemaText !== undefined;
		return isPart && this.nodes.get(id)?.isPresent === false && !this.drafts.has(id);
	}

	field(id: number): FormField | undefined {
		return this.fields.get(id);
	}

	/** The content of a control: the entered one, otherwise the host's. */
	value(id: number): FieldInput {
		const draft = this.drafts.get(id);
		if (draft !== undefined) return draft.input;
		const node = this.nodes.get(id);
		if (node?.kind === "field") return node.input;
		return node?.kind === "json" ? node.text : "";
	}

	/** The content of a control with text. */
	text(id: number): string {
		const value = this.value(id);
		return typeof value === "string" ? value : "";
	}

	/** The text of the JSON tab. */
	get json(): string {
		const draft = this.drafts.get(jsonText)?.input;
		return typeof draft === "string" ? draft : (this.shown.text ?? "");
	}

	setJson(text: string): void {
		this.draft(jsonText, text, { kind: "json", text });
	}

	/** The problem of a node, if it is to be shown. */
	problem(id: number): string | undefined {
		return this.nodes.get(id)?.problem;
	}

	setValue(id: number, input: FieldInput): void {
		this.keepLines(id, input);
		this.draft(id, input, { kind: "input", id, input });
	}

	/** Takes what a control of text shows, in which every line break is a line feed. */
	setShown(id: number, shown: string): void {
		const exact = this.exactTexts.get(id);
		const isExact = exact !== undefined && shownText(exact) === shown;
		this.setValue(id, isExact ? exact : mergeEdit(this.text(id), shown));
	}

	/** Remembers a text that is about to be put into a control: showing that means this text, to the last line break. */
	expectText(id: number, exact: string): void {
		this.exactTexts.set(id, exact);
	}

	/** Whether a text field has several lines. Once it has, it keeps them, lest its control changes while one types. */
	isTall(id: number): boolean {
		const field = this.field(id);
		return field?.kind === "text" && (field.isLong || this.tall.has(id));
	}

	makeTall(id: number): void {
		this.tall.add(id);
		this.changed();
	}

	filter(id: number): string {
		return this.filters.get(id) ?? "";
	}

	setFilter(id: number, filter: string): void {
		this.filters.set(id, filter);
		this.changed();
	}

	/** Asks the host to fill a field; it answers in its own time. */
	fill(id: number, source: string): void {
		this.host.fill(id, source);
	}

	/** The message about filling a field. */
	fillState(id: number): FillState | undefined {
		return this.shown.fill?.field === id ? this.shown.fill : undefined;
	}

	canUndoFill(id: number): boolean {
		return this.beforeFill.has(id) && this.fillState(id)?.step === "done";
	}

	/** Remembers the content of a field that is about to be filled. */
	rememberBeforeFill(id: number): void {
		this.beforeFill.set(id, this.text(id));
	}

	/** The content of a field before it was filled; it is then forgotten. */
	takeBeforeFill(id: number): string {
		const text = this.beforeFill.get(id) ?? "";
		this.beforeFill.delete(id);
		return text;
	}

	/** Asks the host for a change other than typing; `afterwards` follows once it is shown. */
	change(change: FormChange, afterwards?: () => void): void {
		if (this.isOver) return;
		this.host.change(change, ++this.sent);
		if (afterwards !== undefined) this.afterwards = { number: this.sent, action: afterwards };
	}

	/** Takes the host's state. True when it is the end of an attempt that did not succeed. */
	receive(state: FormState): boolean {
		const hasFailed = state.failures > this.shown.failures;
		this.shown = state;
		for (const [id, { number }] of this.drafts) {
			if (number <= state.seen) this.drafts.delete(id);
		}
		this.readNodes();
		if (this.isOver) this.suggestions.close();
		this.changed();
		if (this.afterwards !== undefined && this.afterwards.number <= state.seen) {
			const { action } = this.afterwards;
			this.afterwards = undefined;
			action();
		}
		return hasFailed;
	}

	receiveSuggestions(suggestions: FieldSuggestions): void {
		this.suggestions.receive(suggestions);
	}

	private draft(id: number, input: FieldInput, change: FormChange): void {
		this.change(change);
		this.drafts.set(id, { input, number: this.sent });
		this.changed();
	}

	private keepLines(id: number, input: FieldInput): void {
		if (typeof input === "string" && /[\r\n]/.test(input)) this.tall.add(id);
	}

	private readNodes(): void {
		this.nodes = new Map();
		if (this.shown.root !== undefined) this.readNode(this.shown.root);
	}

	private readNode(node: FormNode): void {
		this.nodes.set(node.id, node);
		if (node.kind === "field") {
			if (node.field !== undefined) this.fields.set(node.id, node.field);
			this.keepLines(node.id, node.input);
		}
		if (node.kind === "group") for (const child of node.children) this.readNode(child);
	}
}
