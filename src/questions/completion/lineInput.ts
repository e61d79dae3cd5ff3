import { withShownEdit } from "../../base/textChange.ts";

/** The maximum length of the text in the input; a longer one is kept beside it. */
const inputLimit = 1000;

/**
 * The exact text behind a one-line input. Line breaks are shown as
 * and stay unchanged; of an edited text only the changed stretch is taken from the input.
 */
export class LineInput {
	private exact = "";

	/** The text, character for character. */
	get text(): string {
		return this.exact;
	}

	/** The text in the input; empty for a text that is too long for it. */
	get shown(): string {
		return this.isBeside ? "" : lineOf(this.exact);
	}

	/** Whether the text is too long for the input, so that it is only mentioned. Typing replaces it. */
	get isBeside(): boolean {
		return this.exact.length > inputLimit;
	}

	set(text: string): void {
		this.exact = text;
	}

	/** Takes the current text of the input, either typed by the user or returned by VS Code from `shown`. */
	type(line: string): void {
		const { shown, exact } = this;
		if (line === shown) return;
		this.exact = this.isBeside ? line : withShownEdit(exact, shown, line);
	}
}

/** A text on one line, each line break as ⏎. */
export function lineOf(text: string): string {
	return text.replace(/\r\n|\r|\n/g, "⏎");
}
