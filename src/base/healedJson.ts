import { isJsonObject, type JsonObject } from "./json.ts";

/** No arguments of a tool are nested deeper. */
const deepest = 100;
/** A text (with a quotation mark captured where it has its end), a mark, or a number or word. */
const pieces = /"[^"\\]*(?:\\[^][^"\\]*)*(?:(")|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/g;
/** A text without its end, but for an escape that is not whole. */
const begunText = /^"[^\\]*(?:\\(?:[^u]|u[\da-fA-F]{4})[^\\]*)*/;

/**
 * The object whose JSON is still being written, as far as it is complete. A text ends where the input ends; a name
 * without a value, and an unfinished number or word, are left out. Undefined when the text is not (yet) an object.
 */
export function healedObject(text: string): JsonObject | undefined {
	const open: string[] = [];
	/** Up to here the text is complete, except for open brackets. */
	let whole = 0;
	let last = "";
	for (const { 0: piece, 1: endOfText, index } of text.matchAll(pieces)) {
		const end = index + piece.length;
		const first = piece.charAt(0);
		const isName = first === '"' && open.at(-1) === "}" && (last === "{" || last === ",");
		last = first;
		if (first === "{" || first === "[") open.push(first === "{" ? "}" : "]");
		else if (first === "}" || first === "]") open.pop();
		else if (first === "," || first === ":" || isName) continue;
		else if (first === '"' && endOfText === undefined)
			return closed(text.slice(0, index) + (begunText.exec(piece)?.[0] ?? '"'), ['"', ...open.toReversed()]);
		else if (first !== '"' && end === text.length) break;
		if (open.length > deepest) return undefined;
		whole = end;
		if (open.length === 0) break;
	}
	return closed(text.slice(0, whole), open.toReversed());
}

function closed(text: string, marks: readonly string[]): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text + marks.join(""));
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
