import { html, type TemplateResult } from "lit";
import { assertNever } from "../../src/base/assert.ts";
import { showHidden } from "../../src/base/text.ts";
import { longText } from "./textEditor.ts";
import { diffTexts, type DiffPiece, type TextDiff } from "./textDiff.ts";

/** How long the typing must rest before a long text is compared again, in milliseconds. */
const restMs = 250;

interface Known {
	readonly original: string;
	readonly text: string;
	readonly diff: TextDiff;
}

/** The differences of the texts that are open, compared when they are shown and a long one not on every key. */
export class Differences {
	private readonly onDue: () => void;
	private readonly known = new Map<string, Known>();
	private timer: ReturnType<typeof setTimeout> | undefined;
	private isDue = false;

	/** `onDue` is called when a deferred difference is to be shown. */
	constructor(onDue: () => void) {
		this.onDue = onDue;
	}

	/** The differences of a text from its original; for a long one that is being typed, with a delay. */
	of(key: string, original: string, text: string): TextDiff {
		const known = this.known.get(key);
		if (known?.original === original) {
			if (known.text === text) return known.diff;
			if (!this.isDue && text.length > longText) {
				this.putOff();
				return known.diff;
			}
		}
		const diff = diffTexts(original, text);
		this.known.set(key, { original, text, diff });
		return diff;
	}

	private putOff(): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			this.isDue = true;
			this.onDue();
			this.isDue = false;
		}, restMs);
	}
}

/** A readable difference; hidden characters are escapes. */
export function diffView(name: string, { unit, pieces }: TextDiff): TemplateResult {
	const seen = changesLineEnds(pieces) ? pieces : pieces.map(withoutReturns);
	return html`<div class="diff ${unit}" role="group" aria-label="Changes of ${name}" tabindex="0">
		${seen.map((piece) => (unit === "lines" ? linesOf(piece) : wordsOf(piece)))}
	</div>`;
}

/** Whether the line ends were changed; otherwise they would only be in the way. */
function changesLineEnds(pieces: readonly DiffPiece[]): boolean {
	const returns = (kind: DiffPiece["kind"]): boolean =>
		pieces.some((piece) => piece.kind === kind && piece.text.includes("\r"));
	return returns("added") !== returns("removed");
}

function withoutReturns({ kind, text }: DiffPiece): DiffPiece {
	return { kind, text: text.replaceAll("\r\n", "\n") };
}

// No white space within these templates: it would be part of the text.
function wordsOf({ kind, text }: DiffPiece): TemplateResult {
	switch (kind) {
		case "same":
			return html`<span>${showHidden(text)}</span>`;
		case "added":
			return html`<ins>${withBreaks(text)}</ins>`;
		case "removed":
			return html`<del>${withBreaks(text)}</del>`;
		case "omitted":
			return html`<span class="omitted">${text}</span>`;
		default:
			return assertNever(kind);
	}
}

/** A line break alone would not be seen as a change. */
function withBreaks(text: string): string {
	return showHidden(text).replaceAll("\n", "↵\n").replaceAll("\t", "→\t");
}

const signs = { same: " ", added: "+", removed: "−" } as const;

function linesOf({ kind, text }: DiffPiece): TemplateResult | readonly TemplateResult[] {
	if (kind === "omitted") return html`<div class="omitted">${text}</div>`;
	const lines = showHidden(text).split("\n");
	if (lines.at(-1) === "") lines.pop();
	return lines.map(
		(line) => html`<div class="line ${kind}"><span class="sign">${signs[kind]}</span>${lineOf(kind, line)}</div>`,
	);
}

function lineOf(kind: "same" | "added" | "removed", line: string): TemplateResult {
	if (kind === "same") return html`<span>${line}</span>`;
	return kind === "added" ? html`<ins>${line}</ins>` : html`<del>${line}</del>`;
}
