/** A control that one types into. */
export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** The editing command takes minutes for texts far longer than this. */
const undoableLimit = 20_000;

/**
 * Puts a text into a control in place of what is there, or of what is selected in it. Where the control has the focus,
 * Ctrl+Z takes it back: only `execCommand` writes into the control's own history. `input` events follow in any case.
 */
export function replaceText(control: TextControl, text: string, what: "all" | "selection" = "all"): void {
	const isActive = document.activeElement === control;
	if (isActive && text.length <= undoableLimit) {
		if (what === "all") control.select();
		if (document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
	}
	if (what === "all") control.value = text;
	else control.setRangeText(text, control.selectionStart ?? 0, control.selectionEnd ?? 0, "end");
	control.dispatchEvent(new Event("input", { bubbles: true }));
}
