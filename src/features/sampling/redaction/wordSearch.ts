import { type KnownSecret, standsAlone, writingsOf } from "../../../base/secrets/knownSecret.ts";
import { type FoundSecret, ranks, type SecretKind } from "../../../base/secrets/finding.ts";

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

interface State {
	next: Map<number, State> | undefined;
	/** Where the longest end of what was read, that something begins with, leads. */
	fallback: State | undefined;
	/** The longest word that ends here, and the next state of the fallbacks at which one does. */
	word: SecretWord | undefined;
	shorter: State | undefined;
}

/**
 * Finds many words in one pass over a text, however they and the text are made (Aho and Corasick, 1975): the search goes
 * over texts that a server may have made to be slow.
 */
export class WordSearch {
	private readonly root: State = newState();
	/** Where the ASCII characters lead from the root, at which nearly all of a text is gone through. */
	private readonly first: (State | undefined)[] = Array.from({ length: 128 }, () => undefined);

	constructor(words: Iterable<SecretWord>) {
		for (const word of words) this.add(word);
		this.link();
	}

	/** The places of all words, longer ones in place of those that end within them. */
	find(text: string): readonly FoundSecret[] {
		if (this.root.next === undefined) return [];
		const findings: FoundSecret[] = [];
		let state = this.root;
		for (let index = 0; index < text.length; index++) {
			state = this.step(state, text.charCodeAt(index));
			const word = wordAt(state, text, index + 1);
			if (word !== undefined) findings.push({ start: index + 1 - word.text.length, end: index + 1, kind: word.kind });
		}
		return findings;
	}

	/** The words that occur in a text, in any surroundings. */
	wordsIn(text: string): ReadonlySet<string> {
		const found = new Set<string>();
		let state = this.root;
		for (let index = 0; index < text.length; index++) {
			state = this.step(state, text.charCodeAt(index));
			let at = state.word === undefined ? state.shorter : state;
			for (; at?.word !== undefined; at = at.shorter) found.add(at.word.text);
		}
		return found;
	}

	private add(word: SecretWord): void {
		if (word.text === "") return;
		let state = this.root;
		for (let index = 0; index < word.text.length; index++) {
			const code = word.text.charCodeAt(index);
			state.next ??= new Map();
			const next = state.next.get(code) ?? newState();
			state.next.set(code, next);
			state = next;
		}
		// The first name stays; for equal words, the condition on their surroundings is not merged.
		state.word =
			state.word === undefined || state.word.isWhole
				? state.word?.isWhole === word.isWhole
					? state.word
					: word
				: state.word;
	}

	private link(): void {
		for (const [code, next] of this.root.next ?? []) if (code < this.first.length) this.first[code] = next;
		const queue: State[] = [this.root];
		for (const state of queue) {
			for (const [code, next] of state.next ?? []) {
				next.fallback = state === this.root ? this.root : this.step(state.fallback ?? this.root, code);
				next.shorter = next.fallback.word === undefined ? next.fallback.shorter : next.fallback;
				queue.push(next);
			}
		}
	}

	private step(from: State, code: number): State {
		let state: State | undefined = from;
		while (state !== undefined && state !== this.root) {
			const next = state.next?.get(code);
			if (next !== undefined) return next;
			state = state.fallback;
		}
		return (code < this.first.length ? this.first[code] : this.root.next?.get(code)) ?? this.root;
	}
}

function newState(): State {
	return { next: undefined, fallback: undefined, word: undefined, shorter: undefined };
}

/** The longest word that ends here and counts. Only short words must be whole words, so few are checked. */
function wordAt(state: State, text: string, end: number): SecretWord | undefined {
	let at = state.word === undefined ? state.shorter : state;
	while (at?.word !== undefined) {
		const { word } = at;
		if (!word.isWhole || standsAlone(text, end - word.text.length, end)) return word;
		at = at.shorter;
	}
	return undefined;
}
