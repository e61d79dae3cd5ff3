import { compileGlob, countAlternatives } from "../../base/glob.ts";
import { groupByPath, type FolderTree } from "./paths.ts";
import { byText, byValue, folded } from "./sortKey.ts";

/** In which order the items of a list are shown. */
export type SortOrder = "server" | "name" | "priority" | "modified";

/** How a list is to be shown. */
export interface Arrangement {
	/** The search text; empty for everything. */
	readonly filter: string;
	readonly sort: SortOrder;
}

/** The facts about an item that arranging needs. */
export interface Traits<T> {
	/** The texts in which a filter finds it: those of its row. */
	readonly texts: (item: T) => readonly string[];
	/** The text to sort by for the name. */
	readonly name: (item: T) => string;
	readonly uri?: (item: T) => string;
	/** From 0 to 1, as the server states it. */
	readonly priority?: (item: T) => number | undefined;
	/** A time in ISO 8601, as the server states it. */
	readonly lastModified?: (item: T) => string | undefined;
}

/** A list as it is to be shown. */
export interface Arranged<T> {
	readonly items: readonly T[];
	/** The same in folders; made when it is first asked for. */
	folders(): FolderTree<T>;
}

/**
 * Filters and sorts one list, once for each of its versions: the same array is the same version. While the list is still
 * being read, what was made of the first half serves until it is twice as long, so that reading it costs no more than
 * reading it twice, however many pages it has.
 */
export class Arranger<T> {
	private readonly traits: Traits<T>;
	private last:
		| { readonly of: readonly T[]; readonly arrangement: Arrangement; readonly arranged: Arranged<T> }
		| undefined;

	constructor(traits: Traits<T>) {
		this.traits = traits;
	}

	/** `isGrowing` says that the list is incomplete so far. */
	arrange(items: readonly T[], arrangement: Arrangement, isGrowing: boolean): Arranged<T> {
		const { last } = this;
		const isSame = last?.arrangement.filter === arrangement.filter && last.arrangement.sort === arrangement.sort;
		if (isSame && (last.of === items || (isGrowing && isLittleMore(last.of, items)))) return last.arranged;
		const shown = sorted(filtered(items, arrangement.filter, this.traits), arrangement.sort, this.traits);
		let folders: FolderTree<T> | undefined;
		const uriOf = this.traits.uri ?? (() => "");
		const arranged = {
			items: shown,
			folders: () => (folders ??= groupByPath(shown, uriOf, arrangement.sort === "name" ? "name" : "first")),
		};
		this.last = { of: items, arrangement, arranged };
		return arranged;
	}
}

/** How much of an item's texts a filter looks into. */
const searchedLength = 1000;

function isLittleMore(before: readonly unknown[], now: readonly unknown[]): boolean {
	return before.length > 0 && now.length >= before.length && now.length < 2 * before.length;
}

function filtered<T>(items: readonly T[], filter: string, { texts }: Traits<T>): readonly T[] {
	const tests = folded(filter).split(/\s+/).filter(Boolean).map(testOf);
	if (tests.length === 0) return items;
	return items.filter((item) => {
		const text = folded(texts(item).join("\n"), searchedLength);
		return tests.every((test) => test(text));
	});
}

/**
 * The maximum number of alternatives that the braces of a word may expand to; a word with more is looked for literally.
 */
const maxAlternatives = 100;

/**
 * A word of a filter as a test of an item's texts, one per line: it occurs somewhere, or it is a glob, as in rules, that fits a
 * whole text, or, without a slash, what follows the last slash of one.
 */
function testOf(word: string): (text: string) => boolean {
	const isGlob = /[*?{[]/.test(word) && countAlternatives(word, maxAlternatives) <= maxAlternatives;
	if (!isGlob) return (text) => text.includes(word);
	const fits = compileGlob(word, false);
	const isName = !word.includes("/");
	return (text) =>
		text.includes(word) ||
		text.split("\n").some((line) => fits(line) || (isName && fits(line.slice(line.lastIndexOf("/") + 1))));
}

function sorted<T>(items: readonly T[], sort: SortOrder, traits: Traits<T>): readonly T[] {
	const { name, priority, lastModified } = traits;
	switch (sort) {
		case "server":
			return items;
		case "name":
			return byText(items, name);
		case "priority":
			// Items without the value come last, as by time.
			return priority === undefined ? items : byValue(items, (item) => -(priority(item) ?? -1));
		case "modified":
			return lastModified === undefined ? items : byValue(items, (item) => -timeOf(lastModified(item)));
	}
}

function timeOf(text: string | undefined): number {
	const time = text === undefined ? Number.NaN : Date.parse(text);
	return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
