import { count } from "./text.ts";

/** A number of things in words: `1 tool`, `1,204 tools`. */
export function counted(value: number, noun: string): string {
	return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A text with its percent-escapes decoded; unchanged if one of them is invalid. */
export function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** A text with its first letter as a capital. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A server's text for a label of a pick: icon syntax in it stays text. VS Code renders `$(name)` in labels as an icon
 * unless a backslash precedes it.
 */
export function withoutIcons(text: string): string {
	return text.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, "\\$&");
}
