import { escapeHidden, exactName } from "../../base/exactJson.ts";
import { type JsonObject, isJsonObject, type Json } from "../../base/json.ts";
import { escapeMarkdown } from "../../base/markdown.ts";

/** A character that JSON, or we, write as an escape. */
const escaped = /(?<!\\)(?:\\\\)*\\u[0-9a-fA-F]{4}/;

/**
 * How many characters of a JSON text are in one line of Markdown, and pieces of that length; no escape is cut in two.
 */
const longestLine = 10_000;
const pieces = /(?:\\u[0-9a-fA-F]{4}|\\.|[^\\]){1,10000}/gsu;

/** This many spaces would look like the end of a text that continues. */
const longGap = / {4,}/g;

/**
 * Arguments as lines of Markdown, a list where they have levels, that wrap at any width: nothing clipped, nothing hidden, nothing beyond the edge
 * (TOL-08, TOL-09).
 */
export function argumentList(value: JsonObject): string {
	const lines = outline(value);
	if (lines.length === 0) return "No arguments.";
	const isFlat = lines.every(({ depth }) => depth === 0);
	const hidden = escaped.test(escapeHidden(JSON.stringify(value)))
		? ["", "Hidden characters are shown as escapes."]
		: [];
	// Only nested values need the marks of a list.
	const shown = isFlat
		? lines.map((each) => line(each, "")).join("  \n")
		: lines.map((each) => line(each, "- ")).join("\n");
	return [shown, ...hidden].join("\n");
}

function line({ depth, key, json }: OutlineLine, mark: string): string {
	const name = typeof key === "number" ? `${key + 1}` : `**${escapeMarkdown(exactName(key))}**`;
	const indent = "  ".repeat(depth);
	const value =
		json === undefined ? "" : ` ${inlineCode(withoutQuotes(escapeHidden(json)), `\n${indent}  _(continued)_ `)}`;
	return `${indent}${mark}${name}${value}`;
}

/** Up to how many characters a text has no quotes. */
const longestPlain = 200;

/**
 * A text that is unambiguous without its quotes: words and numbers with single blanks and signs without a meaning in
 * JSON, and no JSON itself, such as `2` or `null`. All other JSON stays unchanged.
 */
export function withoutQuotes(json: string): string {
	const text = json.slice(1, -1);
	const isPlain =
		json.length <= longestPlain &&
		/^"[\p{L}\p{N}/.~@_]([\p{L}\p{N}.,:;/@+_%#&=?!'()-]| (?! ))*(?<! )"$/u.test(json) &&
		!/^(true|false|null|\d+([.]\d+)?(e[+-]?\d+)?)$/i.test(text);
	return isPlain ? text : json;
}

/**
 * A JSON text as code that wraps. Long gaps are counted, because a reader would not see how long they are. `next`
 * separates the lines of a very long text, so that it can be shown in several pieces.
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

/**
 * One line of a value laid out for a narrow column: its place and, unless the lines below show it, its JSON. Every part
 * of it can wrap; a block of code would push long lines out of sight (TOL-09).
 */
export interface OutlineLine {
	readonly depth: number;
	/** The member's name, or the index in a list. */
	readonly key: string | number;
	/** The value in compact JSON; absent for an object or list whose members follow, one level deeper. */
	readonly json?: string;
}

/** How long the JSON of an object or list may be at each depth before its members get lines of their own; then any. */
const longestJson = [48, 160, 160, 160];

/** The members of arguments as lines. Together they show the whole value, in its order; nothing is left out. */
export function outline(value: JsonObject): readonly OutlineLine[] {
	return membersOf(value, 0);
}

function membersOf(value: JsonObject | readonly Json[], depth: number): readonly OutlineLine[] {
	const members: readonly (readonly [string | number, Json | undefined])[] = isList(value)
		? value.map((member, index) => [index, member])
		: Object.entries(value);
	const lines: OutlineLine[] = [];
	for (const [key, member] of members) {
		// Values that JSON does not have are not sent either.
		if (member === undefined) continue;
		const json = compactJson(member);
		const isLong = json.length > (longestJson[depth] ?? Infinity);
		if (isLong && (isList(member) || isJsonObject(member))) lines.push({ depth, key }, ...membersOf(member, depth + 1));
		else lines.push({ depth, key, json });
	}
	return lines;
}

/** JSON on one line, with the spaces that let it wrap between members. */
function compactJson(value: Json): string {
	if (isList(value)) return `[${value.map(compactJson).join(", ")}]`;
	if (!isJsonObject(value)) return JSON.stringify(value);
	const members = Object.entries(value).flatMap(([key, member]) =>
		member === undefined ? [] : [`${JSON.stringify(key)}: ${compactJson(member)}`],
	);
	return `{${members.join(", ")}}`;
}

function isList(value: Json): value is readonly Json[] {
	return Array.isArray(value);
}
