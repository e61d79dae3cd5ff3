import { withShownEdit } from "../../src/base/textChange.ts";

/** A text as a text area shows it: with one kind of line break. */
export function shownText(exact: string): string {
	return exact.replace(/\r\n?/g, "\n");
}

/**
 * The exact text behind an edited text area. A text area turns every line break into a line feed. Untouched text must
 * be sent byte for byte as received (SMP-10).
 */
export function mergeEdit(exact: string, edited: string): string {
	return exact.includes("\r") ? withShownEdit(exact, shownText(exact), edited) : edited;
}
