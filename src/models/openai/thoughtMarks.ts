/** A piece of a model's output, classified by the marks in its text. */
export interface SaidPiece {
	readonly kind: "text" | "thought";
	readonly text: string;
	/** All texts of this answer so far were thoughts as well: their mark followed their delivery. */
	readonly isLate?: true;
}

/** How answers of a model begin: within a thought that only ends with a mark, usually not, or never. */
export type AnswerBeginning = "thought" | "text" | "never";

/** The start and the end of a thought. */
const pairs: readonly (readonly [open: string, close: string])[] = [
	...["think", "thinking", "thought", "thoughts", "reasoning", "reflection", "seed:think", "antthinking"].map(
		(name) => [`<${name}>`, `</${name}>`] as const,
	),
	["[think]", "[/think]"],
	["◁think▷", "◁/think▷"],
	["<|begin_of_thought|>", "<|end_of_thought|>"],
	["<|channel|>analysis<|message|>", "<|end|>"],
];
/** The text around the answer of models that write in channels. */
const frames: readonly string[] = ["<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>"];

const closeOf: ReadonlyMap<string, string> = new Map(pairs);
const closes: ReadonlySet<string> = new Set(closeOf.values());
/** The longer ones first. */
const marks: readonly string[] = [...closeOf.keys(), ...closes, ...frames].toSorted((a, b) => b.length - a.length);
const anyMark = new RegExp(marks.map((mark) => mark.replace(/[|[\]]/g, "\\$&")).join("|"), "i");

/** How long the beginning of an answer is held back to see whether it is a thought, in characters. */
const longestHeld = 400;
/** The same of a model whose name says that it thinks. */
const longestHeldOfThinker = 40_000;
const thinker = /(?:^|[^a-z0-9])r1(?:[^a-z0-9]|$)|qwq|think|reason/i;
/** So much text without such a mark shows that a model does not begin within a thought. */
const enoughText = 1000;

/** The facts about a model before it answers. */
export interface ThoughtfulModel {
	readonly model: string;
	/** Undefined where nothing is known yet. */
	readonly begins: AnswerBeginning | undefined;
}

/**
 * Separates thoughts from the answer in the text of a stream, by the marks of many models, which may be cut anywhere.
 * Marks in code or quotation marks are text, and so are those within an answer that nothing ends. An answer may begin
 * within a thought that only has an end: its beginning is held back while that is undecided.
 */
export class ThoughtMarks {
	private buffer = "";
	/** The end of the open thought; any end mark if the answer began within one. */
	private close: string | undefined;
	private thinkingPlace = new TextPlace();
	private place = new TextPlace();
	private held: string[] | undefined;
	private readonly mostHeld: number;
	private beginning: AnswerBeginning | undefined;
	/** The text that was delivered as a thought because answers of this model begin with one. */
	private supposed: string | undefined;
	private hasText = false;
	private hasThought = false;
	private length = 0;

	constructor({ model, begins }: ThoughtfulModel) {
		this.beginning = begins;
		this.mostHeld = thinker.test(model) ? longestHeldOfThinker : longestHeld;
		if (begins === undefined) this.held = [];
		if (begins === "thought") this.supposed = "";
	}

	/** How the answer began, as far as that is certain. */
	get begins(): AnswerBeginning | undefined {
		if (this.beginning !== undefined) return this.beginning;
		return this.length >= enoughText ? "text" : undefined;
	}

	/** Whether a text is held back that may not be for long: nothing says that the model thinks. */
	get isWaiting(): boolean {
		return this.held !== undefined && this.held.length > 0 && this.mostHeld === longestHeld;
	}

	/** Adds a text of the stream. Returns the pieces that are certain by now. */
	add(text: string): readonly SaidPiece[] {
		this.buffer += text;
		const pieces = [...this.drain(false)];
		const length = this.held?.reduce((sum, one) => sum + one.length, 0) ?? 0;
		return length > this.mostHeld ? [...pieces, ...this.release()] : pieces;
	}

	/** The thoughts of this answer are in separate fields, so its text does not begin within one. */
	noteThought(): readonly SaidPiece[] {
		this.hasThought = true;
		this.supposed = undefined;
		return this.release();
	}

	/** Returns the text that was held back to decide whether it is a thought. */
	release(): readonly SaidPiece[] {
		const held = this.held ?? [];
		this.held = undefined;
		return held.map((text) => ({ kind: "text", text }));
	}

	/** Gives the rest, at the end of the stream. `isAnswered`: it ended with this text, neither cut off nor for a call. */
	end(isAnswered: boolean): readonly SaidPiece[] {
		const pieces = [...this.drain(true)];
		const { supposed = "" } = this;
		// A model that usually begins within thoughts has answered without any.
		if (supposed !== "" && isAnswered) pieces.push({ kind: "text", text: supposed });
		return [...pieces, ...this.release()];
	}

	private *drain(isEnd: boolean): Generator<SaidPiece> {
		while (this.buffer !== "") {
			const rest = this.buffer;
			if (this.close === undefined && this.supposed === undefined) yield* this.drainText(isEnd);
			else yield* this.drainThought(isEnd);
			if (this.buffer === rest) return;
		}
	}

	private *drainText(isEnd: boolean): Generator<SaidPiece> {
		const found = anyMark.exec(this.buffer);
		if (found === null) {
			yield* this.say(this.take(isEnd ? this.buffer.length : wholeLength(this.buffer)));
			return;
		}
		if (found.index > 0) {
			yield* this.say(this.take(found.index));
			return;
		}
		const [mark] = found;
		const name = mark.toLowerCase();
		const close = closeOf.get(name);
		if (this.place.isQuoted) yield* this.say(this.take(mark.length));
		else if (close !== undefined) {
			// Within an answer it may be a word about thoughts: one that nothing ends is text.
			const isCertain = !this.hasText || this.buffer.toLowerCase().includes(close, mark.length);
			if (!isCertain && !isEnd) return;
			if (!isCertain) yield* this.say(this.take(mark.length));
			else {
				yield* this.release();
				this.take(mark.length);
				this.open(close);
			}
		} else if (closes.has(name) && this.hasText && (this.hasThought || this.beginning === "never"))
			yield* this.say(this.take(mark.length));
		else {
			this.take(mark.length);
			if (closes.has(name) && this.hasText) yield* this.endUnopened();
		}
	}

	/** All text so far was a thought: only its end has a mark. */
	private *endUnopened(): Generator<SaidPiece> {
		const { held } = this;
		this.beginning = "thought";
		this.held = undefined;
		yield held === undefined ? { kind: "thought", text: "", isLate: true } : { kind: "thought", text: held.join("") };
		this.hasThought = true;
		this.hasText = false;
		this.place = new TextPlace();
	}

	private open(close: string): void {
		this.close = close;
		this.hasThought = true;
		this.thinkingPlace = new TextPlace();
	}

	private *drainThought(isEnd: boolean): Generator<SaidPiece> {
		const { close, buffer } = this;
		const found = closingIn(buffer, close);
		if (found === undefined) {
			yield* this.think(this.take(isEnd ? buffer.length : wholeLength(buffer)));
			return;
		}
		const { at, length } = found;
		if (at > 0) {
			yield* this.think(this.take(at));
			return;
		}
		// A possible word of the thought is its end only if no other end follows.
		const isWord = this.isWord(buffer.slice(length), isEnd);
		if (isWord !== false) {
			const isText = isWord === true && closingIn(buffer.slice(length), close) !== undefined;
			if (!isText && !isEnd) return;
			if (isText) {
				yield* this.think(this.take(length));
				return;
			}
		}
		this.take(length);
		this.close = undefined;
		if (this.supposed !== undefined) {
			this.supposed = undefined;
			this.hasThought = true;
		}
	}

	/** Whether a mark within a thought may be code or quoted, by the following text; undefined while that is unknown. */
	private isWord(rest: string, isEnd: boolean): boolean | undefined {
		if (this.thinkingPlace.isInFence) return true;
		const { closer } = this.thinkingPlace;
		if (closer === undefined) return false;
		const end = rest.indexOf("\n");
		if ((end === -1 ? rest : rest.slice(0, end)).includes(closer)) return true;
		return end === -1 && !isEnd ? undefined : false;
	}

	private *think(text: string): Generator<SaidPiece> {
		if (text === "") return;
		this.thinkingPlace.add(text);
		if (this.supposed !== undefined) this.supposed += text;
		yield { kind: "thought", text };
	}

	private *say(text: string): Generator<SaidPiece> {
		// The blanks between thoughts and the answer belong to neither.
		const said = this.hasThought && !this.hasText ? text.trimStart() : text;
		if (said === "") return;
		this.place.add(said);
		this.hasText ||= said.trim() !== "";
		this.length += said.length;
		if (this.held === undefined) yield { kind: "text", text: said };
		else this.held.push(said);
	}

	private take(length: number): string {
		const taken = this.buffer.slice(0, length);
		this.buffer = this.buffer.slice(length);
		return taken;
	}
}

/** The position of a thought's end; with any mark if the expected one is unknown. */
function closingIn(
	text: string,
	close: string | undefined,
): { readonly at: number; readonly length: number } | undefined {
	const lower = text.toLowerCase();
	const places = (close === undefined ? [...closes] : [close])
		.map((mark) => ({ at: lower.indexOf(mark), length: mark.length }))
		.filter(({ at }) => at >= 0)
		.toSorted((a, b) => a.at - b.at);
	return places[0];
}

/** How much of a text certainly has no beginning of a mark at its end. */
function wholeLength(text: string): number {
	const lower = text.toLowerCase();
	const longest = Math.max(...marks.map((mark) => mark.length)) - 1;
	for (let length = Math.min(longest, lower.length); length > 0; length--) {
		const end = lower.slice(-length);
		if (marks.some((mark) => mark.startsWith(end) && mark.length > end.length)) return text.length - length;
	}
	return text.length;
}

/** How much of the end of a line is examined. */
const longestLine = 4000;

/** The state of a streamed Markdown text: within code, within quotation marks, or in neither. */
export class TextPlace {
	private line = "";
	private fence: string | undefined;

	/** Whether a block of code is open. */
	get isInFence(): boolean {
		return this.fence !== undefined;
	}

	/** The end of the code or the quotation within the current line; undefined outside of both. */
	get closer(): string | undefined {
		const line = this.line.slice(-longestLine);
		const isOdd = (found: readonly string[] | null): boolean => (found?.length ?? 0) % 2 === 1;
		if (isOdd(line.match(/`+/g))) return "`";
		if (isOdd(line.match(/"/g))) return '"';
		const open = ["“”", "«»", "„“"].find((pair) => line.lastIndexOf(pair.charAt(0)) > line.lastIndexOf(pair.charAt(1)));
		return open?.charAt(1) ?? (/(?:^|[\s([])['‘]$/.test(line) ? (line.endsWith("'") ? "'" : "’") : undefined);
	}

	/** Whether the next text is code or a quotation. */
	get isQuoted(): boolean {
		return (
			this.isInFence || this.closer !== undefined || /^(?: {4}|\t| {0,3}>)|\\$/.test(this.line.slice(0, longestLine))
		);
	}

	/** Continues after a text. */
	add(text: string): void {
		const lines = text.split("\n");
		for (const [index, part] of lines.entries()) {
			this.line += part;
			if (index < lines.length - 1) this.endLine();
		}
	}

	private endLine(): void {
		const [, marks, info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(this.line.slice(0, longestLine)) ?? [];
		if (marks !== undefined) {
			const { fence } = this;
			if (fence === undefined) this.fence = marks;
			else if (marks.startsWith(fence) && info.trim() === "") this.fence = undefined;
		}
		this.line = "";
	}
}
