import { escapeHidden, exactJson } from "../../../base/exactJson.ts";
import { showHidden } from "../../../base/text.ts";
import { contentOf, structuredOf, toResultPart } from "./result.ts";
import type { RawToolResult } from "../../../permissions/catalog/catalog.ts";
import { repetitionOf } from "./resultRepetition.ts";
import { structureOf } from "./resultShape.ts";
import { jsonObjectOf, jsonOf } from "../../../base/guards.ts";

/** All of a result as a text that an editor shows, finds words in and folds. */
export interface ResultDocument {
	readonly text: string;
	/** The extension by which VS Code determines the language. */
	readonly extension: "json" | "txt";
}

/**
 * A whole result as a document for the user: its texts unchanged, JSON indented; everything else, such as images, as
 * the received message. Every character is visible.
 */
export function resultDocument(raw: RawToolResult): ResultDocument {
	const blocks = contentOf(raw).map(({ block }) => toResultPart(block));
	const texts = blocks.flatMap((part) => ("text" in part && part.text !== undefined ? [part.text] : []));
	const structured = raw.structuredContent === undefined ? undefined : jsonOf(raw.structuredContent);
	if (structured !== undefined) {
		const shown = structuredOf(raw) ?? structured;
		// A text of JSON has sequences for terminals as escapes, another one was read without them.
		const repetitions = [...new Set([structured, shown])].map(repetitionOf);
		const isRepeat = (text: string): boolean => repetitions.some((repetition) => repetition(text) !== undefined);
		const isAll = texts.length === blocks.length && texts.every(isRepeat);
		return { text: exactJson(isAll ? shown : jsonObjectOf(raw)), extension: "json" };
	}
	if (texts.length < blocks.length || texts.length === 0)
		return { text: exactJson(jsonObjectOf(raw)), extension: "json" };
	const [text = ""] = texts;
	if (texts.length === 1 && structureOf(text) !== undefined) {
		return { text: escapeHidden(indented(text)), extension: "json" };
	}
	return { text: showHidden(texts.join("\n\n").replaceAll("\r\n", "\n")), extension: "txt" };
}

/** The tokens of a text that is known to be JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A JSON text with a new layout. Not parsed and written: numbers beyond a double and repeated names stay. */
function indented(json: string): string {
	const out: string[] = [];
	let depth = 0;
	let before = "";
	const line = (): string => `\n${"  ".repeat(Math.min(depth, 100))}`;
	for (const [token] of json.matchAll(tokens)) {
		if (token === "}" || token === "]") {
			depth--;
			if (before !== "{" && before !== "[") out.push(line());
		} else if (before === "{" || before === "[" || before === ",") out.push(line());
		out.push(token === ":" ? ": " : token);
		if (token === "{" || token === "[") depth++;
		before = token;
	}
	return out.join("");
}
