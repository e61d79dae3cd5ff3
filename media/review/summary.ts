import { parseJson } from "../../src/base/json.ts";
import { oneLine } from "../../src/base/text.ts";

/** How many elements a JSON text lists; undefined for one that cannot be read. */
export function countOf(json: string): number | undefined {
	const value = parseJson(json);
	return Array.isArray(value) ? value.length : undefined;
}

/** The contents of labelled texts, in one line: `hints qwen, speed 0.9`. Empty ones are left out. */
export function summaryOf(texts: readonly (readonly [label: string, text: string])[]): string {
	return texts
		.filter(([, text]) => text.trim() !== "" && text.trim() !== "[]")
		.map(([label, text]) => `${label.toLowerCase()} ${oneLine(text, 60)}`)
		.join(" · ");
}

/** How many parts were edited, for display. */
export function editCount(count: number): string {
	return count === 1 ? "1 edit" : `${count} edits`;
}
