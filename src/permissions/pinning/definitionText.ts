import { sha256 } from "../../base/hash.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import { toolBadges } from "../catalog/annotations.ts";
import { escapeHidden } from "../../base/exactJson.ts";
import type { ToolField } from "./toolFields.ts";
import { parseJson } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** Where lines end, so that nothing is out of sight at the side, and how they go on. */
const lineWidth = 100;
const continuation = "    ";
/** How much of one field is shown. */
const longestShown = 100_000;
/** Longer runs of blanks are counted in place of shown, so that they push nothing out of sight. */
const longestBlank = 20;

/** The input of a document about a tool: the name, and the fields from `fieldTexts` or a pin. */
export interface ShownDefinition {
	readonly name: string;
	readonly fields: Readonly<Partial<Record<ToolField, string>>>;
}

/**
 * A tool's definition as a text that a user can read and compare: one sentence or one JSON member on a line, nothing
 * out of sight, hidden characters as escapes, annotations that are not stated by their specified defaults.
 */
export function definitionText({ name, fields }: ShownDefinition): string {
	return sections([
		["Name", oneLine(name, longestShown)],
		["Title", proseText(fields.title)],
		["Description", proseText(fields.description)],
		["Annotations (hints, not verified)", annotationText(fields.annotations)],
		["Input schema", schemaText(fields.inputSchema)],
		["Output schema", schemaText(fields.outputSchema)],
		...(fields.execution === undefined ? [] : [["Execution", schemaText(fields.execution)] as const]),
		...(fields.app === undefined ? [] : [["App and who may call it", schemaText(fields.app)] as const]),
	]);
}

/** A server's instructions in the same form. */
export function instructionsText(text: string): string {
	return sections([["Instructions for models", proseText(text)]]);
}

function sections(parts: readonly (readonly [heading: string, text: string])[]): string {
	return parts.map(([heading, text]) => `${heading}\n${indented(text)}\n`).join("\n");
}

function indented(text: string): string {
	return text
		.split("\n")
		.map((line) => `  ${line}`.trimEnd())
		.join("\n");
}

/** Prose with each sentence on its own lines, so that a change shows in its place only. */
function proseText(text: string | undefined): string {
	if (text === undefined || text === "") return "(none)";
	const shown = withoutGaps(visible(showHidden(beginningOf(text).replaceAll("\r\n", "\n"))));
	return wrapped(shown.replace(/([.!?;:][)"'”’]?) +(?=\S)/g, "$1\n"));
}

/** JSON, a member on each line. A text that is not JSON is our remark about a schema too large to keep. */
function schemaText(json: string | undefined): string {
	if (json === undefined) return "(none)";
	const value = parseJson(json);
	if (value === undefined) return json;
	return wrapped(withoutGaps(visible(escapeHidden(beginningOf(JSON.stringify(value, undefined, 2))))));
}

function annotationText(json: string | undefined): string {
	const value = json === undefined ? {} : parseJson(json);
	if (value === undefined) return json ?? "";
	const hints = Object.entries(jsonObjectOf(value)).filter(
		(hint): hint is [string, boolean] => typeof hint[1] === "boolean",
	);
	const badges = toolBadges(Object.fromEntries(hints)).map(({ label, isStated }) =>
		isStated ? label : `${label} (assumed)`,
	);
	return [...badges, ...(json === undefined ? [] : ["as sent:", schemaText(json)])].join("\n");
}

/** The displayed part of a text; an omission counts as a difference all the same. */
function beginningOf(text: string): string {
	return text.length <= longestShown ? text : `${cap(text, longestShown)} SHA-256 ${sha256(text)}`;
}

/** Characters that look different on every machine, or like nothing, as escapes as well. */
function visible(text: string): string {
	return text.replace(/\p{Co}/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

/** Blanks and empty lines that push something out of sight, or are not seen at all, counted (TOL-09). */
function withoutGaps(text: string): string {
	const counted = (gap: string, what: string): string => `[${gap.length.toLocaleString("en-US")} ${what}]`;
	return text
		.replace(/(?<=\S)[^\S\n]+(?=\n|$)/g, (gap) => ` ${counted(gap, "blanks")}`)
		.replace(/[^\S\n]+/g, (gap) => (gap.length > longestBlank ? ` ${counted(gap, "blanks")} ` : gap))
		.replace(/\n{4,}/g, (gap) => `\n${counted(gap, "line ends")}\n`);
}

/** Lines broken at blanks where that is possible, each continuation further in. */
function wrapped(text: string): string {
	const lines: string[] = [];
	for (const line of text.split("\n")) {
		const inset = `${/^ */.exec(line)?.[0] ?? ""}${continuation}`.slice(0, lineWidth / 2);
		let start = 0;
		while (start < line.length || start === 0) {
			const before = start === 0 ? "" : inset;
			const end = endOfLine(line, start, lineWidth - before.length);
			lines.push(`${before}${line.slice(start, end)}`.trimEnd());
			// The blank at which a line is broken is not seen.
			start = Math.max(line[end] === " " ? end + 1 : end, 1);
		}
	}
	return lines.join("\n");
}

/** Where a line of a width ends: after a word, unless that is too long; never within a surrogate pair. */
function endOfLine(line: string, start: number, width: number): number {
	const end = start + width;
	if (end >= line.length) return line.length;
	const blank = line.lastIndexOf(" ", end);
	if (blank > start + width / 2) return blank;
	return /[\uD800-\uDBFF]/.test(line.charAt(end - 1)) ? end - 1 : end;
}
