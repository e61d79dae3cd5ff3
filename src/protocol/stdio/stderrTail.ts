import { ownText } from "../../base/ownText.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { cap, showHidden } from "../../base/text.ts";
import { LineBudget } from "../messages/lineBudget.ts";

const maxLines = 200;
const maxLineLength = 2000;
/** All lines together, in characters. */
const maxLength = 32 * 1024;

/** The last lines of a server's standard error, bounded for any output (TRN-27, TRN-28). */
export class StderrTail {
	/** As received, but cut; hidden characters are shown to readers. */
	private readonly lines: string[] = [];
	private length = 0;
	private rest = "";
	/** Whether the beginning of the unfinished line was given up. */
	private isRestCut = false;
	private readonly onLine: (line: string) => void;
	private readonly redact: (text: string) => string;
	private readonly budget: LineBudget;

	/**
	 * `onLine` receives each complete line, with hidden characters shown; of a flood only some, and the number of dropped
	 * lines. Returned lines may hold secrets, but never the end of one: `redact` removes them from a line before its
	 * beginning is dropped.
	 */
	constructor(onLine: (line: string) => void, redact: (text: string) => string = (text) => text) {
		this.onLine = onLine;
		this.redact = redact;
		this.budget = new LineBudget((count) => onLine(`(${count} lines were dropped: too many.)`));
	}

	/** Takes a piece of text as it arrives, of any size and with or without line ends. */
	write(text: string): void {
		const pieces = (this.rest + text).split("\n");
		const rest = pieces.pop() ?? "";
		// For a flood only the end is kept, and only that is logged.
		const kept = pieces.slice(-maxLines);
		if (kept.length < pieces.length) this.budget.suppress(pieces.length - kept.length);
		for (const [index, piece] of kept.entries()) this.add(piece, this.isRestCut && index === 0);
		this.isRestCut = rest.length > maxLength || (this.isRestCut && pieces.length === 0);
		this.rest = ownText(rest.slice(-maxLength));
	}

	/** Forgets everything, because later output is from another process. */
	clear(): void {
		this.lines.length = 0;
		this.length = 0;
		this.rest = "";
		this.isRestCut = false;
	}

	/** The last `count` lines, an unfinished one included. */
	last(count: number): readonly string[] {
		const all = this.rest === "" ? this.lines : [...this.lines, this.lineOf(this.rest, true)];
		return all.slice(-count).map(readableLine);
	}

	private add(piece: string, isCut: boolean): void {
		if (piece.trim() === "") return;
		const line = ownText(this.lineOf(piece.endsWith("\r") ? piece.slice(0, -1) : piece, isCut));
		this.lines.push(line);
		this.length += line.length;
		while (this.lines.length > maxLines || this.length > maxLength) this.length -= this.lines.shift()?.length ?? 0;
		if (this.budget.take()) this.onLine(readableLine(line));
	}

	/** A kept line: its beginning, or its end if only that exists or matters. */
	private lineOf(text: string, isEnd: boolean): string {
		if (text.length <= maxLineLength) return text;
		// No part of a secret that is cut here remains in the kept end, unless the secret is nearly as long as all lines
		// together.
		return isEnd ? this.redact(text.slice(-maxLength)).slice(-maxLineLength) : cap(text, maxLineLength);
	}
}

/** A line that a process wrote, without sequences for terminals, with other hidden characters shown. */
export function readableLine(line: string): string {
	return showHidden(withoutTerminal(line));
}
