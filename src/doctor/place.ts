import { readConfigText, type JsonPath } from "../base/configText.ts";
import type { EntryText } from "./facts.ts";
import type { FindingPlace } from "./finding.ts";

/** Where a member of an entry stands, or the longest part of the way to it; the entry itself for an empty path. */
export function placeIn(entry: EntryText | undefined, path: JsonPath = []): FindingPlace | undefined {
	if (entry === undefined) return undefined;
	const whole = [...entry.path, ...path];
	const range = readConfigText(entry.text).rangeOf(whole);
	return { ...fileOf(entry), path: whole, ...(range === undefined ? {} : positionAt(entry.text, range.offset)) };
}

/** The place of an offset in the text of an entry. */
export function placeAt(entry: EntryText, offset: number): FindingPlace {
	return { ...fileOf(entry), path: entry.path, ...positionAt(entry.text, offset) };
}

function fileOf({ file }: EntryText): { readonly file?: string } {
	return file === undefined ? {} : { file };
}

/** Line and column of an offset, from 1 on. A byte order mark is not counted, as in an editor. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
	const before = text.replace(/^\uFEFF/, "").slice(0, offset);
	const start = before.lastIndexOf("\n") + 1;
	return { line: before.split("\n").length, column: offset - start + 1 };
}
