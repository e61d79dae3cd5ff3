import { noChange } from "lit";
import { directive, Directive, type ElementPart, type PartInfo, PartType } from "lit/directive.js";
import { isTextControl } from "../shared/controls.ts";

/**
 * Keeps the text of a field in the host's state, except while the user is in it: their typing is ahead of the host, and
 * must not be undone by an answer to an earlier key.
 */
class KeptField extends Directive {
	private last: string | undefined;

	constructor(part: PartInfo) {
		super(part);
		if (part.type !== PartType.ELEMENT) throw new Error("keptField belongs to an element.");
	}

	render(_text: string): typeof noChange {
		return noChange;
	}

	override update({ element: field }: ElementPart, [text]: [text: string]): typeof noChange {
		if (!isTextControl(field)) return noChange;
		// Changes by another control of the page apply immediately.
		const isTyping = document.activeElement === field && this.last !== undefined;
		if (!isTyping && field.value !== text) field.value = text;
		this.last = text;
		return noChange;
	}
}

/** For an `input` or a `textarea`: its text as the host has it. */
export const keptField = directive(KeptField);
