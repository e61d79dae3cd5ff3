import { noChange } from "lit";
import { Directive, directive, PartType, type ElementPart, type PartInfo } from "lit/directive.js";
import { shownText } from "../shared/exactText.ts";

/**
 * Puts an exact text into a text control. The control is read only when the text is another one than it was last given
 * or last held: reading and setting megabytes on every key would make typing slow, and setting moves the caret.
 */
class TextValue extends Directive {
	private exact: string | undefined;

	constructor(part: PartInfo) {
		super(part);
		if (part.type !== PartType.ELEMENT) throw new Error("textValue stands in a tag");
	}

	override render(_exact: string): typeof noChange {
		return noChange;
	}

	override update({ element }: ElementPart, [exact]: [string]): typeof noChange {
		if (exact === this.exact) return noChange;
		this.exact = exact;
		const control = element as HTMLTextAreaElement | HTMLInputElement;
		const shown = shownText(exact);
		if (control.value === shown) return noChange;
		const { selectionStart, selectionEnd, scrollTop } = control;
		control.value = shown;
		// Another text in the place of this one leaves the person where they were, as well as it can.
		if (control === document.activeElement) control.setSelectionRange(selectionStart, selectionEnd);
		control.scrollTop = scrollTop;
		return noChange;
	}
}

/** See {@link TextValue}: `<textarea ${textValue(exact)}>`. */
export const textValue = directive(TextValue);
