import { readableSize } from "../../../base/amounts.ts";
import type { JsonObject } from "../../../base/json.ts";
import { count, oneLine } from "../../../base/text.ts";
import type { ModelInfo, ModelPart } from "../../../models/model.ts";
import type { HostToolAnswer } from "../hostTools.ts";
import { hostToolNames } from "../../../permissions/catalog/names.ts";
import { excerptsAround, mostCounted, sliceOf } from "./resultExcerpts.ts";
import { linesOf, offsetOfLine, shapeOf, structureOf, valueAt } from "./resultShape.ts";

/** How many characters of results are kept for reading on, in a window. */
const mostKept = 30_000_000;

/**
 * Long results, kept whole for a while so that a model can read on after the beginning. The oldest ones are forgotten
 * first. An id cannot be guessed, so that no chat reads the results of another one.
 */
export class KeptResults {
	private readonly texts = new Map<string, string>();
	private readonly limit: number;
	private characters = 0;

	constructor(limit: number = mostKept) {
		this.limit = limit;
	}

	get isEmpty(): boolean {
		return this.texts.size === 0;
	}

	/** Keeps a text and gives the id under which it is found. */
	keep(text: string): string {
		const id = crypto.randomUUID().slice(0, 13);
		this.texts.set(id, text);
		this.characters += text.length;
		for (const [oldest, { length }] of this.texts) {
			if (this.characters <= this.limit || oldest === id) break;
			this.texts.delete(oldest);
			this.characters -= length;
		}
		return id;
	}

	/** The text of an id; undefined when it is unknown or was forgotten. */
	get(id: string): string | undefined {
		return this.texts.get(id);
	}
}

/** The maximum of a model's context for one result, and for all results of a turn. */
export interface ReadingLimits {
	/** Characters of one result, and of the beginning of one that is longer. */
	readonly each: number;
	readonly head: number;
	/** Characters of all results of the turn; each may take `least` all the same, so that the model is never left blind. */
	readonly all: number;
	readonly least: number;
	/**
	 * Images and recordings of one result, and how many characters of base64 they may have together; a turn takes three times
	 * as much.
	 */
	readonly media: number;
	readonly mediaCharacters: number;
	/** Whether the model can call for more. */
	readonly canReadOn: boolean;
}

/** How many times the images and recordings of one result fit into a turn: they are sent again in each round. */
const mediaShares = 3;

/** The excerpt of a long result for readers that can request more of it (TOL-27). */
const longestHead = 4000;

/** About half of the context for all results of a turn, and less than a sixth for each (a token is about four characters). */
export function readingLimits({
	maxInputTokens,
	supportsTools,
}: Pick<ModelInfo, "maxInputTokens" | "supportsTools">): ReadingLimits {
	const tokens = maxInputTokens > 0 ? maxInputTokens : 32_000;
	const each = Math.round(Math.min(Math.max(tokens * 0.6, 2000), 60_000));
	return {
		each,
		head: supportsTools ? Math.min(each, longestHead) : each,
		all: tokens * 2,
		least: Math.min(each, 2000),
		media: 8,
		mediaCharacters: 7_000_000,
		canReadOn: supportsTools,
	};
}

/**
 * The results for the model of one turn: cut to its limit, with a way to read on (TOL-15). The user sees results whole,
 * elsewhere.
 */
export class ResultReading {
	private readonly kept: KeptResults;
	private readonly limits: ReadingLimits;
	private left: number;
	private readonly mediaLeft: { count: number; characters: number };
	private readonly tool: string;

	/** `tool`: the name by which the model calls for more. */
	constructor(kept: KeptResults, limits: ReadingLimits, tool: string = readResultName) {
		this.kept = kept;
		this.tool = tool;
		this.limits = limits;
		this.left = limits.all;
		this.mediaLeft = { count: limits.media * mediaShares, characters: limits.mediaCharacters * mediaShares };
	}

	/** Whether there is anything to read on in. */
	get hasKept(): boolean {
		return !this.kept.isEmpty;
	}

	/** The note for the user about a result that `fit` would cut now; undefined for one that the model gets whole. */
	cutNote(content: readonly ModelPart[]): string | undefined {
		const whole = wholeText(content);
		if (whole.length <= this.room) return undefined;
		const given = sliceOf(whole, 0, Math.min(this.room, this.limits.head));
		const way = this.limits.canReadOn ? ", which can request more" : "";
		return `The result is long: ${sizeOf(given)} of ${sizeOf(whole)} were sent to the model${way}.`;
	}

	/**
	 * A result in the form for the model. For one that is too long it gets the beginning, the structure of the whole, and
	 * the id for reading on (TOL-27). `head`: how much of it, if that differs from the limits.
	 */
	fit(content: readonly ModelPart[], head: number = this.limits.head): readonly ModelPart[] {
		const whole = wholeText(content);
		const { room } = this;
		if (whole.length <= room) {
			this.left -= whole.length;
			return this.fitMedia(content);
		}
		const given = sliceOf(whole, 0, Math.min(room, head)).length;
		this.left -= given;
		const shape = `The whole result is ${shapeOf(whole)}.`;
		const note = `(This result is long. Only the first ${count(given)} of ${count(whole.length)} characters follow. ${shape}${this.wayOn(whole, given)} The user can see the whole result.)`;
		return [{ type: "text", text: note }, ...this.fitMedia(cutTexts(content, given))];
	}

	/**
	 * The answer of the tool `read_result`: characters, lines, the value at a path, or the places of words. Never throws.
	 */
	read(args: JsonObject): HostToolAnswer {
		const { id, path, find, line, lines, offset, length } = args;
		const kept = typeof id === "string" ? this.kept.get(id) : undefined;
		if (kept === undefined) {
			const named = oneLine(typeof id === "string" ? id : "", 40);
			return failed(
				`There is no result with the id "${named}": it has been deleted, or the id is wrong. Call the tool again.`,
				`Looked for an earlier result that is no longer kept (${named})`,
			);
		}
		const part = typeof path === "string" && path !== "" ? partAt(kept, path) : { text: kept, about: "" };
		if ("isError" in part) return part;
		const { text, about } = part;
		const first = wholeNumber(line);
		if (first !== undefined) {
			const start = offsetOfLine(text, first);
			const length = offsetOfLine(text.slice(start), (wholeNumber(lines) ?? Infinity) + 1);
			return this.slice(text, start, length, `, starting at line ${count(linesOf(text.slice(0, start)))}${about}`);
		}
		const start = Math.min(wholeNumber(offset) ?? 0, text.length);
		if (typeof find === "string" && find !== "") return this.find(text, find, start);
		return this.slice(text, start, wholeNumber(length) ?? Infinity, about);
	}

	/** As much of a text as fits. `about`: its description, if it is not all of the result. */
	private slice(text: string, start: number, length: number, about: string): HostToolAnswer {
		const wanted = sliceOf(text, start, Math.min(Math.max(1, length), this.room));
		this.left -= wanted.length;
		const end = start + wanted.length;
		const rest = end < text.length ? `Continue at offset ${end}.` : "This is the end.";
		const place = `${count(start)} to ${count(end)} of ${count(text.length)}${about}`;
		return {
			isError: false,
			content: said(`(Characters ${place}. ${rest})\n${wanted}`),
			note: `Read characters ${place} of an earlier result`,
		};
	}

	private find(text: string, find: string, start: number): HostToolAnswer {
		const { excerpts, total } = excerptsAround(text, find, start, this.room);
		const words = excerpts.map(({ offset, text: excerpt }) => `At offset ${offset}:\n${excerpt}`).join(separator);
		this.left -= words.length;
		const least = total >= mostCounted ? "at least " : "";
		const found = total === 0 ? "0 times" : `${least}${count(total)} ${total === 1 ? "time" : "times"}`;
		const from = start === 0 ? "" : ` after offset ${start}`;
		const more = excerpts.length < total ? ` The first ${excerpts.length} follow.` : "";
		return {
			isError: false,
			content: said(`("${find.slice(0, 200)}" occurs ${found} in the result${from}.${more})\n${words}`),
			note: `Searched an earlier result for "${oneLine(find, 60)}": found ${found}`,
		};
	}

	private wayOn(whole: string, next: number): string {
		if (!this.limits.canReadOn) return "";
		const id = this.kept.keep(whole);
		const place = structureOf(whole) === undefined ? `"line": 1, "lines": 100` : `"path": "/…"`;
		return ` To read more, call ${this.tool} with {"id": "${id}", "offset": ${next}}. To read a part, call it with {"id": "${id}", ${place}}. To find a place, call it with {"id": "${id}", "find": "words"}.`;
	}

	private get room(): number {
		return Math.max(Math.min(this.limits.each, this.left), this.limits.least);
	}

	private fitMedia(content: readonly ModelPart[]): readonly ModelPart[] {
		const all = this.mediaLeft;
		let media = Math.min(this.limits.media, all.count);
		let mediaCharacters = Math.min(this.limits.mediaCharacters, all.characters);
		const fitting = content.filter((part) => {
			if (part.type !== "image" && part.type !== "audio") return true;
			if (media <= 0 || part.data.length > mediaCharacters) return false;
			media--;
			mediaCharacters -= part.data.length;
			all.count--;
			all.characters -= part.data.length;
			return true;
		});
		const rest = content.length - fitting.length;
		if (rest === 0) return content;
		const what = rest === 1 ? "1 image or recording is" : `${count(rest)} images and recordings are`;
		return [...fitting, { type: "text", text: `(${what} left out: too large or too many. The user can see them.)` }];
	}
}

/** The name by which models call for more of a result. */
export const readResultName = hostToolNames.readResult;

/** Between the texts of a result, where they are counted as one. */
const separator = "\n\n";

function wholeText(content: readonly ModelPart[]): string {
	return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(separator);
}

/** The parts up to a number of characters of their texts, counted as one text. Media stay. */
function cutTexts(content: readonly ModelPart[], length: number): readonly ModelPart[] {
	let left = length;
	return content.flatMap((part): readonly ModelPart[] => {
		if (part.type !== "text") return [part];
		const kept = part.text.slice(0, Math.max(left, 0));
		left -= part.text.length + separator.length;
		return kept === "" ? [] : [{ type: "text", text: left < 0 ? `${kept}…` : kept }];
	});
}

/** Weak models write numbers as texts. */
export function wholeNumber(value: unknown): number | undefined {
	const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof number === "number" && number >= 0 ? Math.floor(number) : undefined;
}

/** The value at a path of a kept text, as a text of its own; a text at a path is that text. */
function partAt(kept: string, path: string): { readonly text: string; readonly about: string } | HostToolAnswer {
	const shown = oneLine(path, 100);
	const whole = structureOf(kept);
	const found = whole === undefined ? { problem: "is not JSON: read it by line or by offset" } : valueAt(whole, path);
	if ("problem" in found) {
		return failed(`The result ${found.problem}.`, `Looked for ${shown} in an earlier result, but found nothing`);
	}
	const { value } = found;
	const text = typeof value === "string" ? value : JSON.stringify(value);
	return { text, about: ` at ${shown}` };
}

function failed(text: string, note: string): HostToolAnswer {
	return { isError: true, content: said(text), note };
}

/** A size for display, by the bytes of UTF-8. */
function sizeOf(text: string): string {
	return readableSize(Buffer.byteLength(text));
}

function said(text: string): readonly ModelPart[] {
	// A model may point into the middle of a character.
	return [{ type: "text", text: text.toWellFormed() }];
}
