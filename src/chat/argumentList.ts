import { escapeMarkdown } from "../base/text.ts";
import type { JsonObject } from "../base/json.ts";
import { escapeHidden } from "../tools/exactJson.ts";
import { outline, type OutlineLine } from "../tools/outline.ts";

/** A character that JSON, or we, write as an escape. */
const escaped = /(?<!\\)(?:\\\\)*\\u[0-9a-fA-F]{4}/;

/** How many characters of a JSON text stand in one line of Markdown, and pieces of that length; no escape is cut in two. */
const longestLine = 10_000;
const pieces = /(?:\\u[0-9a-fA-F]{4}|\\.|[^\\]){1,10000}/gsu;

/** As many spaces would look like the end of a text that goes on. */
const longGap = / {4,}/g;

/**
 * Arguments as a Markdown list that wraps at any width: nothing clipped, nothing hidden, nothing beyond the edge
 * (security.md TOL-08, TOL-09).
 */
export function argumentList(value: JsonObject): string {
	const lines = outline(value).map(line);
	if (lines.length === 0) return "No arguments.";
	if (escaped.test(escapeHidden(JSON.stringify(value)))) lines.push("", "Hidden characters are shown as escapes.");
	return lines.join("\n");
}

function line({ depth, key, json }: OutlineLine): string {
	const name = typeof key === "number" ? `${key + 1}` : `**${escapeMarkdown(nameOf(key))}**`;
	const indent = "  ".repeat(depth);
	const value = json === undefined ? "" : ` ${inlineCode(escapeHidden(json), `\n${indent}  _(continued)_ `)}`;
	return `${indent}- ${name}${value}`;
}

/** A member's name as it is; in JSON where that is not the same, so that no two names look alike. */
function nameOf(key: string): string {
	const json = escapeHidden(JSON.stringify(key));
	return key !== "" && json === `"${key}"` && key === key.trim() ? key : json;
}

/**
 * A JSON text as code that wraps. Long gaps are counted, since a reader would not see how long they are; `next` stands
 * where a very long text goes on in a line of its own, so that it can be shown in several pieces.
 */
function inlineCode(json: string, next: string): string {
	let markdown = "";
	let lineLength = 0;
	let end = 0;
	const add = (text: string): void => {
		for (const piece of text.match(pieces) ?? []) {
			if (lineLength > 0 && lineLength + piece.length > longestLine) {
				markdown += next;
				lineLength = 0;
			}
			markdown += code(piece);
			lineLength += piece.length;
		}
	};
	for (const gap of json.matchAll(longGap)) {
		add(json.slice(end, gap.index));
		const count = ` _(${gap[0].length} spaces)_ `;
		markdown += count;
		lineLength += count.length;
		end = gap.index + gap[0].length;
	}
	add(json.slice(end));
	return markdown;
}

function code(text: string): string {
	const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
	const fence = "`".repeat(longest + 1);
	// Markdown takes one space away at both ends when both have one.
	const isPadded = /^[` ]|[` ]$/.test(text);
	return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
