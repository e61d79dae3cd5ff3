import { cap, showHidden } from "../base/text.ts";
import { LineBudget } from "../messages/lineBudget.ts";

const maxLines = 200;
const maxLineLength = 2000;
/** All lines together, in characters. */
const maxLength = 32 * 1024;

/** The last lines of a server's standard error, bounded whatever it writes (security.md TRN-27, TRN-28). */
export class StderrTail {
	/** As they came, but cut; what is hidden in them is shown to those who read them. */
	private readonly lines: string[] = [];
	private length = 0;
	private rest = "";
	private readonly onLine: (line: string) => void;
	private readonly budget: LineBudget;

	/** `onLine` gets each complete line, with hidden characters shown; of a flood only some, and how many were left out. */
	constructor(onLine: (line: string) => void) {
		this.onLine = onLine;
		this.budget = new LineBudget((count) => onLine(`(${count} lines were left out: too many.)`));
	}

	/** Takes a piece of text as it comes, of any size and with or without line ends. */
	write(text: string): void {
		const pieces = (this.rest + text).split("\n");
		this.rest = copy((pieces.pop() ?? "").slice(-maxLineLength));
		// Of a flood only the end is kept, and only that is worth a line in the log.
		const kept = pieces.slice(-maxLines);
		if (kept.length < pieces.length) this.budget.suppress(pieces.length - kept.length);
		for (const piece of kept) this.add(piece);
	}

	/** Forgets everything, as what follows comes from another process. */
	clear(): void {
		this.lines.length = 0;
		this.length = 0;
		this.rest = "";
	}

	/** The last `count` lines, an unfinished one included. */
	last(count: number): readonly string[] {
		const all = this.rest === "" ? this.lines : [...this.lines, this.rest];
		return all.slice(-count).map(clean);
	}

	private add(piece: string): void {
		if (piece.trim() === "") return;
		const line = copy(cap(piece.endsWith("\r") ? piece.slice(0, -1) : piece, maxLineLength));
		this.lines.push(line);
		this.length += line.length;
		while (this.lines.length > maxLines || this.length > maxLength) this.length -= this.lines.shift()?.length ?? 0;
		if (this.budget.take()) this.onLine(clean(line));
	}
}

/** The same text on its own: a piece of a text keeps the whole of it in memory. */
function copy(text: string): string {
	return Buffer.from(text, "utf16le").toString("utf16le");
}

/** The line without colour codes, with what else is hidden shown. */
function clean(line: string): string {
	// oxlint-disable-next-line no-control-regex -- ANSI escape sequences begin with a control character
	return showHidden(line.replace(/\u001B\[[\d;]*m/g, ""));
}
