import type { Event } from "../../base/event.ts";
import { cap, showHidden } from "../../base/text.ts";

/** A source of a value, in its current state. The texts are fit for one line. */
export interface FillOffer {
	readonly id: string;
	/** In our words, such as `Clipboard`. */
	readonly label: string;
	/** The name of one of the editor's icons. */
	readonly icon: string;
	/** Its content, or why nothing can be taken now; empty when it is not known before it is read. */
	readonly about: string;
}

/** Where values can be taken from besides typing. */
export interface FillSources {
	/** Where something can be taken from now. */
	readonly offers: readonly FillOffer[];
	readonly onDidChange: Event<void>;
	/**
	 * The exact text from a source; undefined when the user gives none. Rejects with a HostError that says why there is
	 * none.
	 */
	read(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/** A text in a few words, such as `“function main() {” · 12 lines, 340 characters`. */
export function describeText(text: string): string {
	if (text === "") return "empty";
	const first = /^\s*([^\r\n]*)/.exec(text)?.[1] ?? "";
	const lines = text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\r|\n/).length;
	return describeExtent(first, lines, text.length);
}

/** The same of a text whose first line and size are known without reading all of it. */
export function describeExtent(first: string, lines: number, characters: number): string {
	const size = `${characters.toLocaleString("en-US")} ${characters === 1 ? "character" : "characters"}`;
	const all = lines === 1 ? size : `${lines.toLocaleString("en-US")} lines, ${size}`;
	return `“${excerpt(first.trim(), 60)}” · ${all}`;
}

function excerpt(line: string, limit: number): string {
	const shown = showHidden(cap(line, 4 * limit));
	return shown.length <= limit ? shown : `${shown.slice(0, limit).toWellFormed()}…`;
}
