import type { FieldInput, FillState, FormField } from "../../src/form/formProtocol.ts";
import type { SuggestionList } from "./suggestionList.ts";

/** What the control of a field needs to know and to say; a field is known by a number. */
export interface FieldModel {
	readonly suggestions: SuggestionList;
	/** Whether the form has ended, and its controls are dead. */
	readonly isOver: boolean;
	field(index: number): FormField | undefined;
	value(index: number): FieldInput;
	/** What a control with text holds. */
	text(index: number): string;
	/** What is wrong with a field, if that is to be shown. */
	problem(index: number): string | undefined;
	setValue(index: number, value: FieldInput): void;
	/** Takes what a control of text shows, in which every line break is a line feed. */
	setShown(index: number, shown: string): void;
	/** Remembers a text that is about to be put into a control: showing that means this text, to the last line break. */
	expectText(index: number, exact: string): void;
	/** Whether a text field has several lines. Once it has, it keeps them, lest its control changes while one types. */
	isTall(index: number): boolean;
	makeTall(index: number): void;
	filter(index: number): string;
	setFilter(index: number, filter: string): void;
	/** Asks the host to fill a field; it answers in its own time. */
	fill(index: number, source: string): void;
	/** What is to be said about filling a field. */
	fillState(index: number): FillState | undefined;
	canUndoFill(index: number): boolean;
	/** What stood in a field before it was filled; it is forgotten with that. */
	takeBeforeFill(index: number): string;
}
