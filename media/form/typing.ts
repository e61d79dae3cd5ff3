import type { FormField } from "../../src/form/formProtocol.ts";
import { shownText } from "../shared/exactText.ts";
import type { FieldModel } from "./fieldModel.ts";
import { replaceText, type TextControl } from "./replaceText.ts";

/** A field of text or a number. */
export type TypedField = Extract<FormField, { kind: "text" | "number" }>;

/** The control that one types a field into. */
export function controlOf(index: number): TextControl | null {
	return document.querySelector<TextControl>(`#field-${index}`);
}

/** The number of the line in which the caret of a field is. */
export function caretLine(index: number): number {
	const control = controlOf(index);
	return (control?.value.slice(0, control.selectionStart ?? 0).split("\n").length ?? 1) - 1;
}

/** Puts a text into a field in place of what is there, in a control with as many lines as it needs. */
export function setText(model: FieldModel, index: number, text: string): void {
	const field = model.field(index);
	const before = controlOf(index);
	const needsLines = field?.kind === "text" && /[\r\n]/.test(text) && before instanceof HTMLInputElement;
	const control = needsLines ? grow(model, index) : before;
	if (control === null) return;
	model.expectText(index, text);
	model.suggestions.hold(() => replaceText(control, shownText(text)));
}

/** Puts a text in place of the line of the caret. */
export function setLine(model: FieldModel, index: number, text: string): void {
	const control = controlOf(index);
	if (control === null) return;
	const caret = control.selectionStart ?? 0;
	const end = control.value.indexOf("\n", caret);
	const start = caret === 0 ? 0 : control.value.lastIndexOf("\n", caret - 1) + 1;
	control.setSelectionRange(start, end === -1 ? control.value.length : end);
	model.suggestions.hold(() => replaceText(control, shownText(text), "selection"));
}

/** Pasted lines stay lines: a one-line input would join them. */
export function pasteLines(event: ClipboardEvent, model: FieldModel, field: TypedField, index: number): void {
	const text = shownText(event.clipboardData?.getData("text/plain") ?? "");
	if (field.kind !== "text" || field.format !== undefined || model.isOver || !text.trimEnd().includes("\n")) return;
	event.preventDefault();
	const control = grow(model, index);
	if (control !== null) replaceText(control, text, "selection");
}

/** Gives a field several lines, and its new control the focus and the selection of the one before. */
function grow(model: FieldModel, index: number): TextControl | null {
	const before = controlOf(index);
	const isActive = before !== null && document.activeElement === before;
	const [start, end] = [before?.selectionStart ?? 0, before?.selectionEnd ?? 0];
	model.makeTall(index);
	const control = controlOf(index);
	if (!isActive) return control;
	control?.focus();
	control?.setSelectionRange(start, end);
	return control;
}
