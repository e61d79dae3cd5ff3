import type { Json } from "../base/json.ts";
import { cap, oneLine } from "../base/text.ts";
import { escapeHidden } from "../tools/exactJson.ts";

/** What a choice shows while there is no value: absent is not one of the values. */
export const noValue = "(not set)";
/** What stands for a text that would not be seen. */
const emptyText = "empty text";

/**
 * A value in one line that tells it from every other, up to the length: a text as it is where that reads as nothing else,
 * and everything else as JSON, in which `"1"` beside `1`, blanks at the ends and hidden characters are seen.
 */
export function valueLabel(value: Json, length: number): string {
	if (value === "") return emptyText;
	const isPlain = typeof value === "string" && isSeen(value, length) && !isJson(value);
	return isPlain && value !== noValue && value !== emptyText ? value : inJson(value, length);
}

/** The name of a member likewise. */
export function nameLabel(name: string, length: number): string {
	return name !== "" && isSeen(name, length) && !name.startsWith('"') ? name : inJson(name, length);
}

/** Whether nothing of a text is hidden, folded or cut off. */
function isSeen(text: string, length: number): boolean {
	return text === oneLine(text, length);
}

function inJson(value: Json, length: number): string {
	const json = escapeHidden(JSON.stringify(value));
	// The view folds blanks that follow each other.
	const unfolded = json.replace(/ {2,}/g, (gap) => String.raw`\u0020`.repeat(gap.length));
	return cap(unfolded, length);
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
