import type { FormField } from "../../src/questions/form/formProtocol.ts";
import { shownText } from "../shared/exactText.ts";
import type { FormModel } from "./formModel.ts";

/** A control that one types into. */
type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** The editing command takes minutes for texts far longer than this. */
const undoableLimit = 20_000;

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

/** Replaces the text of a field, in a control with as many lines as it needs. */
export function setText(model: FormModel, index: number, text: string): void {
	const field = model.field(index);
	const before = controlOf(index);
	const needsLines = field?.kind === "text" && /[\r\n]/.test(text) && before instanceof HTMLInputElement;
	const control = needsLines ? grow(model, index) : before;
	if (control === null) return;
	model.expectText(index, text);
	model.suggestions.hold(() => replaceText(control, shownText(text)));
}

/** Puts a text in place of the line of the caret. */
export function setLine(model: FormModel, index: number, text: string): void {
	const control = controlOf(index);
	if (control === null) return;
	const caret = control.selectionStart ?? 0;
	const end = control.value.indexOf("\n", caret);
	const start = caret === 0 ? 0 : control.value.lastIndexOf("\n", caret - 1) + 1;
	control.setSelectionRange(start, end === -1 ? control.value.length : end);
	model.suggestions.hold(() => replaceText(control, shownText(text), "selection"));
}

/** Pasted lines stay lines: a one-line input would join them. */
export function pasteLines(event: ClipboardEvent, model: FormModel, field: TypedField, index: number): void {
	const text = shownText(event.clipboardData?.getData("text/plain") ?? "");
	if (field.kind !== "text" || field.format !== undefined || model.isOver || !text.trimEnd().includes("\n")) return;
	event.preventDefault();
	const control = grow(model, index);
	if (control !== null) replaceText(control, text, "selection");
}

/** Gives a field several lines, and its new control the focus and the selection of the one before. */
function grow(model: FormModel, index: number): TextControl | null {
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

/**
 * Replaces the text of a control, or its selection. If the control has the focus, Ctrl+Z reverts it: only `execCommand`
 * writes into the control's own history. `input` events follow in any case.
 */
function replaceText(control: TextControl, text: string, what: "all" | "selection" = "all"): void {
	const isActive = document.activeElement === control;
	if (isActive && text.length <= undoableLimit) {
		if (what === "all") control.select();
		if (document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
	}
	if (what === "all") control.value = text;
	else control.setRangeText(text, control.selectionStart ?? 0, control.selectionEnd ?? 0, "end");
	control.dispatchEvent(new Event("input", { bubbles: true }));
}
