import { diffLines, diffWordsWithSpace } from "diff";
import { changeBetween } from "../../src/base/textChange.ts";
import { counted } from "../../src/base/words.ts";

/** A stretch of two texts: in both, in one of them, or in both and left out for brevity. */
export interface DiffPiece {
	readonly kind: "same" | "added" | "removed" | "omitted";
	/** The text; an omission is replaced by words that say how much was left out. */
	readonly text: string;
}

/** How a text differs from its original, short enough to be shown. */
export interface TextDiff {
	/** Whether short stretches are in the line, or whole lines below each other. */
	readonly unit: "words" | "lines";
	readonly pieces: readonly DiffPiece[];
}

/** Up to how many characters, of both texts together, are compared word by word. */
const wordLimit = 8000;
/**
 * The maximum number of removed and inserted words or lines for comparing two texts: a count instead of a time, which
 * depends on the machine.
 */
const defaultEditLimit = 500;
/** How much of a stretch that is in both is kept beside a change. */
const context = { words: 160, lines: 240 };
/** How much of one change, and of all together, is shown. */
const pieceLimit = 6000;
const totalLimit = 24_000;

/**
 * The differences of a text from its original. Equal parts at both ends are not compared at all, so that a few edits of
 * a text of megabytes cost almost nothing; omissions are marked. Two texts in which more than `editLimit` words or
 * lines differ are shown whole, one after the other.
 */
export function diffTexts(original: string, text: string, editLimit: number = defaultEditLimit): TextDiff {
	const change = changeBetween(original, text);
	const start = insideOf(text, change.offset);
	const same = text.length - change.offset - change.content.length;
	// Half of a surrogate pair is not a character.
	const end = same > 0 && isLowSurrogate(text.charCodeAt(text.length - same)) ? same - 1 : same;
	const length = original.length + text.length - 2 * (start + end);
	const unit = length <= wordLimit && !isManyLines(original, text, start, end) ? "words" : "lines";
	const from = boundaryBefore(text, start, unit);
	const to = text.length - boundaryAfter(text, text.length - end, unit);
	const middle = compare(
		original.slice(from, original.length - to),
		text.slice(from, text.length - to),
		unit,
		editLimit,
	);
	return { unit, pieces: shorten(joined(text.slice(0, from), middle, text.slice(text.length - to)), unit) };
}

/** Changes of many lines are read line by line. */
function isManyLines(original: string, text: string, start: number, end: number): boolean {
	const lines = (whole: string): number => whole.slice(start, whole.length - end).split("\n", 13).length;
	return Math.max(lines(original), lines(text)) > 12;
}

function compare(original: string, text: string, unit: TextDiff["unit"], maxEditLength: number): readonly DiffPiece[] {
	const options = { maxEditLength };
	const changes = unit === "words" ? diffWordsWithSpace(original, text, options) : diffLines(original, text, options);
	if (changes === undefined) {
		return [
			{ kind: "removed", text: original },
			{ kind: "added", text },
		];
	}
	return changes.map(({ added, removed, value }) => ({
		kind: added ? "added" : removed ? "removed" : "same",
		text: value,
	}));
}

function joined(before: string, middle: readonly DiffPiece[], after: string): readonly DiffPiece[] {
	const pieces: DiffPiece[] = [];
	for (const piece of [{ kind: "same" as const, text: before }, ...middle, { kind: "same" as const, text: after }]) {
		const last = pieces.at(-1);
		if (piece.text === "") continue;
		if (last?.kind === piece.kind) pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
		else pieces.push(piece);
	}
	return pieces;
}

function shorten(pieces: readonly DiffPiece[], unit: TextDiff["unit"]): readonly DiffPiece[] {
	const shown: DiffPiece[] = [];
	let total = 0;
	for (const [index, piece] of pieces.entries()) {
		if (total > totalLimit) {
			const changes = pieces.slice(index).filter(({ kind }) => kind !== "same").length;
			if (changes > 0) shown.push(omitted(`${counted(changes, "more change")} not shown here`));
			break;
		}
		const short =
			piece.kind === "same"
				? shortSame(piece.text, index === 0, index === pieces.length - 1, unit)
				: shortChange(piece);
		shown.push(...short);
		for (const { text } of short) total += text.length;
	}
	return shown;
}

function shortChange(piece: DiffPiece): readonly DiffPiece[] {
	if (piece.text.length <= pieceLimit) return [piece];
	const end = insideOf(piece.text, pieceLimit);
	const rest = counted(piece.text.length - end, "more character");
	return [{ ...piece, text: piece.text.slice(0, end) }, omitted(`${rest} ${piece.kind}`)];
}

/** Of the equal parts only those beside a change. */
function shortSame(text: string, isFirst: boolean, isLast: boolean, unit: TextDiff["unit"]): readonly DiffPiece[] {
	const kept = context[unit];
	const head = isFirst ? 0 : boundaryAfter(text, kept, unit);
	const tail = isLast ? text.length : boundaryBefore(text, text.length - kept, unit);
	if (tail - head < kept / 2) return [{ kind: "same", text }];
	const between = text.slice(head, tail);
	const lines = between.split("\n").length - 1;
	const words =
		unit === "lines" && lines > 0
			? counted(lines, "line")
			: `${between.length.toLocaleString("en-US")} characters${lines > 0 ? ` in ${counted(lines + 1, "line")}` : ""}`;
	const pieces: readonly DiffPiece[] = [
		{ kind: "same", text: text.slice(0, head) },
		omitted(`${words} unchanged`),
		{ kind: "same", text: text.slice(tail) },
	];
	return pieces.filter((piece) => piece.text !== "");
}

function omitted(text: string): DiffPiece {
	return { kind: "omitted", text };
}

/** How far a search for a boundary goes; a line or a word of megabytes is cut. */
const boundaryReach = 400;

/** The last beginning of a word or line at or before an offset, if there is one near. */
function boundaryBefore(text: string, offset: number, unit: TextDiff["unit"]): number {
	if (offset <= 0) return 0;
	for (let at = offset; at > 0 && at > offset - boundaryReach; at--) {
		if (isBoundary(text.charAt(at - 1), unit)) return at;
	}
	return offset <= boundaryReach ? 0 : insideOf(text, offset);
}

/** The first beginning of a word or line at or after an offset, if there is one near. */
function boundaryAfter(text: string, offset: number, unit: TextDiff["unit"]): number {
	if (offset >= text.length) return text.length;
	for (let at = Math.max(offset, 1); at < text.length && at < offset + boundaryReach; at++) {
		if (isBoundary(text.charAt(at - 1), unit)) return at;
	}
	return text.length - offset <= boundaryReach ? text.length : insideOf(text, offset);
}

function isBoundary(character: string, unit: TextDiff["unit"]): boolean {
	return character === "\n" || (unit === "words" && /\s/.test(character));
}

/** An offset that splits no surrogate pair. */
function insideOf(text: string, offset: number): number {
	return isLowSurrogate(text.charCodeAt(offset)) && offset > 0 ? offset - 1 : offset;
}

function isLowSurrogate(code: number): boolean {
	return code >= 0xdc00 && code <= 0xdfff;
}
