import { editDistance } from "../../base/nearest.ts";
import type { OfferedTool } from "../../permissions/catalog/catalog.ts";
import { isTelling, plainWords, synonymsOf, wordsOf } from "./toolSearchWords.ts";
import { keysOf } from "../../base/guards.ts";

/** A tool that matches the query. */
export interface ToolMatch {
	readonly offered: OfferedTool;
	/** The query contains its exact name; such tools rank before all others. */
	readonly isNamed: boolean;
	/** The higher the better. */
	readonly score: number;
}

/** The fields of a tool: the weight of a word in it, the penalty for long texts, how much of it is read. */
const fields = {
	name: { worth: 4, length: 0.3, limit: 200 },
	title: { worth: 2, length: 0.3, limit: 200 },
	server: { worth: 1.5, length: 0, limit: 100 },
	description: { worth: 1, length: 0.75, limit: 600 },
	arguments: { worth: 0.6, length: 0.75, limit: 400 },
} as const;
type FieldName = keyof typeof fields;
const fieldNames = keysOf(fields);

/** A word that is repeated more often in a field counts no more, so that stuffed descriptions gain little. */
const mostRepeats = 3;
/** How soon more of the same word adds less (BM25's k1). */
const saturation = 1.2;
/** The weight of another word that the query does not contain literally. */
const likeness = { synonym: 0.45, beginning: 0.7, typo: 0.5 } as const;

/** Matches below this part of the best are dropped. */
const weakest = 0.25;
const longestQuery = 400;
const mostWords = 24;

/**
 * Finds tools by words: their names, titles, servers, descriptions and arguments, ranked by how rare and how
 * significant the words are (BM25 over several fields). Tolerates typing errors, beginnings of words and synonyms. The
 * order is always the same for the same tools. Servers' texts count within bounds, regardless of their length.
 */
export class ToolSearch {
	private readonly tools: readonly OfferedTool[];
	/** The weight of each word for the tools that have it, by their places in the list. */
	private readonly index: ReadonlyMap<string, ReadonlyMap<number, number>>;

	constructor(tools: readonly OfferedTool[]) {
		this.tools = tools;
		this.index = makeIndex(tools);
	}

	/** The tools that fit, best first. A query may also be the exact names of tools. */
	find(query: string, isWanted: (offered: OfferedTool) => boolean = () => true): readonly ToolMatch[] {
		const text = query.slice(0, longestQuery);
		const all = [...new Set(plainWords(text, longestQuery))];
		const telling = all.filter(isTelling);
		const words = (telling.length > 0 ? telling : all)
			.slice(0, mostWords)
			.flatMap((word) => wordsOf(word, word.length));
		const scores = new Map<number, { sum: number; words: number }>();
		for (const word of new Set(words)) {
			for (const [place, worth] of this.scoreWord(word)) {
				const score = scores.get(place) ?? { sum: 0, words: 0 };
				scores.set(place, { sum: score.sum + worth, words: score.words + 1 });
			}
		}
		const names = new Set([text.trim(), ...text.split(/[\s,;]+/).filter(isName)].map((name) => name.toLowerCase()));
		const matches = this.tools.flatMap((offered, place): readonly ToolMatch[] => {
			if (!isWanted(offered)) return [];
			const { sum, words: found } = scores.get(place) ?? { sum: 0, words: 0 };
			const isNamed = hasName(offered, names);
			const score = found === 0 ? 0 : sum * Math.sqrt(found / words.length);
			return isNamed || score > 0 ? [{ offered, isNamed, score }] : [];
		});
		// Sorting keeps the order of equals.
		matches.sort((one, other) => Number(other.isNamed) - Number(one.isNamed) || other.score - one.score);
		const best = matches.reduce((most, { score }) => Math.max(most, score), 0);
		return matches.filter(({ isNamed, score }) => isNamed || score >= best * weakest);
	}

	/** The score of one word for each tool: by the word itself, or by the most similar word of the tool. */
	private scoreWord(word: string): ReadonlyMap<number, number> {
		const alike: (readonly [string, number])[] = this.index.has(word) ? [[word, 1]] : this.alike(word);
		const variants = [...alike, ...synonymsOf(word).map((other) => [other, likeness.synonym] as const)];
		const best = new Map<number, number>();
		for (const [variant, factor] of variants) {
			const places = this.index.get(variant);
			if (places === undefined) continue;
			const rarity = Math.log(1 + (this.tools.length - places.size + 0.5) / (places.size + 0.5));
			for (const [place, weight] of places) {
				const worth = (factor * rarity * weight) / (saturation + weight);
				if (worth > (best.get(place) ?? 0)) best.set(place, worth);
			}
		}
		return best;
	}

	/** The known words that begin like a word, or differ from it by a typing error. */
	private alike(word: string): (readonly [string, number])[] {
		if (word.length < 3) return [];
		const errors = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
		const found: (readonly [string, number])[] = [];
		for (const known of this.index.keys()) {
			if (known.charAt(0) !== word.charAt(0)) continue;
			const isBeginning = known.startsWith(word) || (known.length >= 4 && word.startsWith(known));
			if (isBeginning) found.push([known, likeness.beginning]);
			else if (Math.abs(known.length - word.length) <= errors && editDistance(known, word) <= errors) {
				found.push([known, likeness.typo]);
			}
		}
		return found;
	}
}

function hasName({ entry, tool }: OfferedTool, names: ReadonlySet<string>): boolean {
	return names.has(tool.name.toLowerCase()) || names.has(entry.tool.name.toLowerCase());
}

/** Whether a word of a query looks like a name rather than a word: `search` may be either. */
function isName(word: string): boolean {
	return /[_.\-/]|\p{Ll}\p{Lu}/u.test(word);
}

function makeIndex(tools: readonly OfferedTool[]): ReadonlyMap<string, ReadonlyMap<number, number>> {
	const documents = tools.map(wordsByField);
	const lengths = ofEachField((field) => {
		const sum = documents.reduce((total, document) => total + document[field].length, 0);
		return Math.max(1, sum / Math.max(1, documents.length));
	});
	const index = new Map<string, Map<number, number>>();
	for (const [place, document] of documents.entries()) {
		for (const field of fieldNames) {
			const { worth, length } = fields[field];
			const words = document[field];
			const longer = 1 - length + length * (words.length / lengths[field]);
			for (const [word, times] of countWords(words)) {
				const places = index.get(word) ?? new Map<number, number>();
				const weight = (worth * Math.min(times, mostRepeats)) / longer;
				index.set(word, places.set(place, (places.get(place) ?? 0) + weight));
			}
		}
	}
	return index;
}

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}

function wordsByField({ entry, tool }: OfferedTool): Readonly<Record<FieldName, readonly string[]>> {
	const { name, title, annotations } = entry.tool;
	const properties = tool.inputSchema["properties"];
	const argumentNames = Object.keys(properties ?? {});
	const texts: Readonly<Record<FieldName, string>> = {
		name,
		title: title ?? annotations?.title ?? "",
		server: entry.session.definition.name,
		description: tool.description,
		arguments: argumentNames.slice(0, 50).join(" "),
	};
	return ofEachField((field) => wordsOf(texts[field], fields[field].limit).filter(isTelling));
}

function ofEachField<T>(make: (field: FieldName) => T): Readonly<Record<FieldName, T>> {
	return {
		name: make("name"),
		title: make("title"),
		server: make("server"),
		description: make("description"),
		arguments: make("arguments"),
	};
}
