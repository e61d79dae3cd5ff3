import { type FoundSecret, ranks, type SecretKind } from "./finding.ts";
import { type KnownSecret, standsAlone, writingsOf } from "./knownSecret.ts";

/** A text that is looked for literally. */
export interface SecretWord {
	readonly text: string;
	readonly kind: SecretKind;
	/** Counts only as a whole word, because it might be part of another word. */
	readonly isWhole: boolean;
}

/** The words to look for in place of a secret, under its names; none if it cannot be distinguished from other text. */
export function wordsOf({ value, name, label }: KnownSecret): readonly SecretWord[] {
	return writingsOf(value).map(({ text, how, isWhole }) => ({
		text,
		kind: { name, label: how === "" ? label : `${label}, ${how}`, rank: ranks.known },
		isWhole,
	}));
}

const root = 0;
const none = -1;

/**
 * Finds many words in one pass over a text, however they and the text are made (Aho and Corasick, 1975): the search goes
 * over texts that a server may have made to be slow. Its states are numbers in a few arrays, since tokens are long and
 * there may be many.
 */
export class WordSearch {
	private readonly words: readonly SecretWord[];
	private size = 1;
	/** By state: the character that leads to it, its first child, the next child of its parent, and its depth. */
	private readonly code: Uint16Array;
	private readonly child: Int32Array;
	private readonly sibling: Int32Array;
	private readonly depth: Int32Array;
	/** By state: where the longest end of what was read, that something begins with, leads. */
	private readonly fallback: Int32Array;
	/** By state: the word that ends here, the first one that passes here, and the next fallback at which one ends. */
	private readonly word: Int32Array;
	private readonly passing: Int32Array;
	private readonly shorter: Int32Array;
	/** Where the characters lead from the root, at which nearly all of a text is gone through. */
	private readonly first = new Int32Array(128);
	private readonly others = new Map<number, number>();

	constructor(words: Iterable<SecretWord>) {
		this.words = [...words].filter(({ text }) => text !== "");
		const most = this.words.reduce((sum, { text }) => sum + text.length, 1);
		const states = (): Int32Array => new Int32Array(most).fill(none);
		this.code = new Uint16Array(most);
		[this.child, this.sibling, this.depth, this.fallback] = [states(), states(), states(), states()];
		[this.word, this.passing, this.shorter] = [states(), states(), states()];
		this.depth[root] = 0;
		for (let index = 0; index < this.words.length; index++) this.add(index);
		this.link();
	}

	/**
	 * The places of all words, longer ones in place of those that end within them; with `cutLength`, also of beginnings of at
	 * least that length at the end of the text or before an ellipsis.
	 */
	find(text: string, cutLength = Number.POSITIVE_INFINITY): readonly FoundSecret[] {
		if (this.words.length === 0) return [];
		const findings: FoundSecret[] = [];
		let state = root;
		for (let index = 0; index < text.length; index++) {
			const code = text.charCodeAt(index);
			if (code === ellipsis) this.noteCut(state, index, cutLength, findings);
			state = this.step(state, code);
			if (state === root) continue;
			const word = this.wordAt(state, text, index + 1);
			if (word !== undefined) findings.push({ start: index + 1 - word.text.length, end: index + 1, kind: word.kind });
		}
		this.noteCut(state, text.length, cutLength, findings);
		return findings;
	}

	/** The words that occur in a text, in any surroundings. */
	wordsIn(text: string): ReadonlySet<string> {
		const found = new Set<string>();
		let state = root;
		for (let index = 0; index < text.length; index++) {
			state = this.step(state, text.charCodeAt(index));
			for (let at = this.ending(state); at !== none; at = read(this.shorter, at))
				found.add(this.words[read(this.word, at)]?.text ?? "");
		}
		return found;
	}

	private noteCut(state: number, end: number, cutLength: number, findings: FoundSecret[]): void {
		const length = read(this.depth, state);
		const word = length < cutLength ? undefined : this.words[read(this.passing, state)];
		if (word !== undefined) findings.push({ start: end - length, end, kind: word.kind });
	}

	private add(index: number): void {
		const { text = "", isWhole = false } = this.words[index] ?? {};
		let state = root;
		for (let at = 0; at < text.length; at++) {
			const code = text.charCodeAt(at);
			const next = this.next(state, code);
			state = next === none ? this.grow(state, code, index) : next;
		}
		// The first to be named stays; what one of two equal words says of its surroundings is no reason to pass it.
		const former = read(this.word, state);
		if (former === none || (this.words[former]?.isWhole === true && !isWhole)) this.word[state] = index;
	}

	private grow(parent: number, code: number, word: number): number {
		const state = this.size++;
		this.code[state] = code;
		this.depth[state] = read(this.depth, parent) + 1;
		this.passing[state] = word;
		if (parent === root && code < this.first.length) this.first[code] = state;
		else if (parent === root) this.others.set(code, state);
		this.sibling[state] = read(this.child, parent);
		this.child[parent] = state;
		return state;
	}

	private link(): void {
		const queue = new Int32Array(this.size);
		let last = 1;
		for (let at = 0; at < last; at++) {
			const state = read(queue, at);
			for (let next = read(this.child, state); next !== none; next = read(this.sibling, next)) {
				const fallback = state === root ? root : this.step(read(this.fallback, state), read(this.code, next));
				this.fallback[next] = fallback;
				this.shorter[next] = this.ending(fallback);
				queue[last++] = next;
			}
		}
	}

	private next(state: number, code: number): number {
		if (state === root) return this.fromRoot(code) || none;
		let next = read(this.child, state);
		while (next !== none && this.code[next] !== code) next = read(this.sibling, next);
		return next;
	}

	private step(from: number, code: number): number {
		let state = from;
		while (state !== root) {
			const next = this.next(state, code);
			if (next !== none) return next;
			state = read(this.fallback, state);
		}
		return this.fromRoot(code);
	}

	private fromRoot(code: number): number {
		return (code < 128 ? this.first[code] : this.others.get(code)) ?? root;
	}

	/** The nearest of a state and its fallbacks at which a word ends. */
	private ending(state: number): number {
		return this.word[state] === none ? read(this.shorter, state) : state;
	}

	/** The longest word that ends here and counts. Only short words must be whole words, so few are examined. */
	private wordAt(state: number, text: string, end: number): SecretWord | undefined {
		for (let at = this.ending(state); at !== none; at = read(this.shorter, at)) {
			const word = this.words[read(this.word, at)];
			if (word !== undefined && (!word.isWhole || standsAlone(text, end - word.text.length, end))) return word;
		}
		return undefined;
	}
}

const ellipsis = 0x2026;

function read(states: Int32Array | Uint16Array, at: number): number {
	return states[at] ?? none;
}
