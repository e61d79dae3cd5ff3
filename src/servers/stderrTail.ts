import { cap, showHidden } from "../base/text.ts";

const maxLines = 200;
const maxLineLength = 2000;

/** The last lines of a server's standard error, bounded whatever it writes (security.md TRN-27, TRN-28). */
export class StderrTail {
	private readonly lines: string[] = [];
	private rest = "";
	private readonly onLine: (line: string) => void;

	/** `onLine` gets each complete line, with hidden characters shown. */
	constructor(onLine: (line: string) => void) {
		this.onLine = onLine;
	}

	/** Takes a piece of text as it comes, of any size and with or without line ends. */
	write(text: string): void {
		const pieces = (this.rest + text).split(/\r?\n/);
		this.rest = (pieces.pop() ?? "").slice(-maxLineLength);
		// Of a flood only the end is kept, and only that is worth a line in the log.
		for (const piece of pieces.slice(-maxLines)) this.add(piece);
	}

	/** Forgets everything, as what follows comes from another process. */
	clear(): void {
		this.lines.length = 0;
		this.rest = "";
	}

	/** The last `count` lines, an unfinished one included. */
	last(count: number): readonly string[] {
		const all = this.rest === "" ? this.lines : [...this.lines, clean(this.rest)];
		return all.slice(-count);
	}

	private add(piece: string): void {
		const line = clean(piece);
		if (line.trim() === "") return;
		this.lines.push(line);
		if (this.lines.length > maxLines) this.lines.shift();
		this.onLine(line);
	}
}

/** The line without colour codes, with what else is hidden shown. */
function clean(line: string): string {
	// oxlint-disable-next-line no-control-regex -- ANSI escape sequences begin with a control character
	return cap(showHidden(line.replace(/\u001B\[[\d;]*m/g, "")), maxLineLength);
}
