/**
 * The editor shows 100,000 characters of one Markdown text and drops the rest without a word, and it joins texts of one
 * kind that follow each other. So whatever must be read needs room (security.md TOL-09).
 */
const mostInOne = 90_000;

/** A piece of what is shown; `isApart`: it must not be joined with what stands before it. */
export interface TextPiece {
	readonly text: string;
	readonly isApart: boolean;
}

/** Counts what the editor joins, and says where a text has to stand apart so that all of it is shown. */
export class TextRun {
	private length = 0;
	private readonly limit: number;

	constructor(limit: number = mostInOne) {
		this.limit = limit;
	}

	/** The text in pieces, cut between lines where that is possible. */
	take(text: string): readonly TextPiece[] {
		const pieces: TextPiece[] = [];
		let isApart = false;
		if (this.length + text.length > this.limit && this.length > 0) {
			isApart = true;
			this.length = 0;
		}
		let rest = text;
		while (rest.length > this.limit) {
			const line = rest.lastIndexOf("\n", this.limit);
			const end = line > 0 ? line : this.limit;
			pieces.push({ text: rest.slice(0, end), isApart });
			isApart = true;
			// What is indented would be a block of code at the beginning of a text.
			rest = rest.slice(end).replace(/^\n[ \t]*/, "");
		}
		this.length += rest.length;
		if (rest !== "") pieces.push({ text: rest, isApart });
		return pieces;
	}

	/** Something else was shown, which is joined with nothing. */
	end(): void {
		this.length = 0;
	}
}
