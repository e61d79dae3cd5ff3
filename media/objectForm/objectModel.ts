import type { FieldInput, FormField } from "../../src/form/formProtocol.ts";
import type { ObjectChange, ObjectDocument, ObjectNode, ObjectState } from "../../src/form/objectProtocol.ts";
import type { FieldModel } from "../form/fieldModel.ts";
import { SuggestionList } from "../form/suggestionList.ts";
import { mergeEdit } from "../shared/exactText.ts";

/** The number under which the text of the JSON tab is kept; those of nodes are their ids. */
const jsonText = -1;

/** What an edit of an object shows: the host's state, and of what is typed what the host does not know of yet. */
export class ObjectModel implements FieldModel {
	readonly document: ObjectDocument;
	readonly suggestions: SuggestionList;
	private readonly send: (change: ObjectChange, number: number) => void;
	private readonly changed: () => void;
	private shown: ObjectState;
	private nodes = new Map<number, ObjectNode>();
	private sent: number;
	/** Texts that a later state of the host confirms, with the number of their change. */
	private readonly drafts = new Map<number, { readonly text: string; readonly number: number }>();
	private readonly tall = new Set<number>();
	private readonly filters = new Map<number, string>();
	/** What is to be done once a state shows the change of that number. */
	private afterwards: { readonly number: number; readonly action: () => void } | undefined;

	/** `changed` is called whenever something else is to be shown. */
	constructor(document: ObjectDocument, send: (change: ObjectChange, number: number) => void, changed: () => void) {
		this.document = document;
		this.send = send;
		this.changed = changed;
		this.shown = document.state;
		// A view that is loaded anew counts on from the one before.
		this.sent = document.state.seen;
		// Nothing is suggested here; the list of suggestions is never opened.
		this.suggestions = new SuggestionList(() => undefined, changed);
		this.readNodes();
	}

	get state(): ObjectState {
		return this.shown;
	}

	get isOver(): boolean {
		return this.shown.end !== undefined;
	}

	/** The ids of the nodes that have a value. */
	get present(): ReadonlySet<number> {
		return new Set([...this.nodes.values()].filter(({ isPresent }) => isPresent).map(({ id }) => id));
	}

	field(index: number): FormField | undefined {
		const node = this.nodes.get(index);
		return node?.kind === "field" ? node.field : undefined;
	}

	value(index: number): FieldInput {
		return this.text(index);
	}

	/** What a control holds: what was typed into it, otherwise what the host knows. */
	text(index: number): string {
		const draft = this.drafts.get(index);
		if (draft !== undefined) return draft.text;
		const node = this.nodes.get(index);
		if (node?.kind === "field") return node.input;
		return node?.kind === "json" ? node.text : "";
	}

	/** The text of the JSON tab. */
	get json(): string {
		return this.drafts.get(jsonText)?.text ?? this.shown.text ?? "";
	}

	setJson(text: string): void {
		this.draft(jsonText, text, { kind: "json", text });
	}

	problem(index: number): string | undefined {
		return this.nodes.get(index)?.problem;
	}

	setValue(index: number, value: FieldInput): void {
		const input = String(value);
		if (/[\r\n]/.test(input)) this.tall.add(index);
		this.draft(index, input, { kind: "input", id: index, input });
	}

	setShown(index: number, shown: string): void {
		this.setValue(index, mergeEdit(this.text(index), shown));
	}

	expectText(): void {
		// Texts are only put into controls from suggestions and sources, which are not there.
	}

	isTall(index: number): boolean {
		const field = this.field(index);
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

	fill(): void {
		// There are no sources.
	}

	fillState(): undefined {
		return undefined;
	}

	canUndoFill(): boolean {
		return false;
	}

	takeBeforeFill(index: number): string {
		return this.text(index);
	}

	/** Asks the host for a change other than typing; `afterwards` follows once it is shown. */
	change(change: ObjectChange, afterwards?: () => void): void {
		if (this.isOver) return;
		this.send(change, ++this.sent);
		if (afterwards !== undefined) this.afterwards = { number: this.sent, action: afterwards };
	}

	/** Takes the host's state. True when it is the end of an attempt that did not succeed. */
	receive(state: ObjectState): boolean {
		const hasFailed = state.failures > this.shown.failures;
		this.shown = state;
		for (const [id, { number }] of this.drafts) {
			if (number <= state.seen) this.drafts.delete(id);
		}
		this.readNodes();
		this.changed();
		if (this.afterwards !== undefined && this.afterwards.number <= state.seen) {
			const { action } = this.afterwards;
			this.afterwards = undefined;
			action();
		}
		return hasFailed;
	}

	private draft(id: number, text: string, change: ObjectChange): void {
		this.change(change);
		this.drafts.set(id, { text, number: this.sent });
		this.changed();
	}

	private readNodes(): void {
		this.nodes = new Map();
		if (this.shown.root !== undefined) this.readNode(this.shown.root);
	}

	private readNode(node: ObjectNode): void {
		this.nodes.set(node.id, node);
		if (node.kind === "field" && /[\r\n]/.test(node.input)) this.tall.add(node.id);
		if (node.kind === "group") for (const child of node.children) this.readNode(child);
	}
}
