import { atOnce, inSlices } from "../../../base/slices.ts";
import { isRecognizable, isPlain, type KnownSecret } from "../../../base/secrets/knownSecret.ts";
import { type CustomPattern, findCustom } from "./customPatterns.ts";
import {
	findForm,
	type FoundSecret,
	type Form,
	mergeFound,
	ranks,
	type SecretKind,
} from "../../../base/secrets/finding.ts";
import { findPrivateKeys } from "../../../base/secrets/privateKeys.ts";
import { MarkMaker, marksIn, type Redaction, type RedactionMark, replaceMarks } from "./redaction.ts";
import { type SecretWord, wordsOf, WordSearch } from "../../../base/secrets/wordSearch.ts";

/** The sources of the search for secrets. */
export interface SecretSigns {
	readonly forms: readonly Form[];
	/** Whether keys in PEM count. */
	readonly hasPrivateKeys: boolean;
	readonly patterns: readonly CustomPattern[];
	/** The problems in the user's patterns. */
	readonly problems: readonly string[];
	/** The secrets that the host knows now, and the unavailable ones. Called whenever texts arrive from outside. */
	readonly known: () => Promise<{ readonly secrets: readonly KnownSecret[]; readonly problems: readonly string[] }>;
}

type Entry = Omit<RedactionMark, "count"> & { count: number };

/** How much of the texts' secrets is looked for in the other texts: this number, and this many characters. */
const mostWords = 2000;
const mostCharacters = 200_000;
/** Text that looks like one of our marks but is not. */
const copied: SecretKind = { name: "copied mark", label: "text that looks like a mark", rank: ranks.written };

/** The secrets of one request. Holds those in its texts, and no other secret of the host. */
export class FoundSecrets implements Redaction {
	private readonly signs: SecretSigns;
	private readonly maker = new MarkMaker();
	/** The texts from outside, and where they contain secrets. */
	private readonly texts = new Map<string, readonly FoundSecret[]>();
	/** The same texts as received, including duplicates. */
	private readonly order: string[] = [];
	/** By their texts. */
	private readonly entries = new Map<string, Entry>();
	private readonly secretOf = new Map<string, string>();
	/** The secrets that were found in one text and are looked for in all. */
	private readonly words = new Map<string, SecretWord>();
	private characters = 0;
	/** The hints of all forms: separate searches would be most of the work. */
	private readonly hints: WordSearch;
	private search = new WordSearch([]);
	private readonly stopped = new Set<CustomPattern>();
	private readonly reported: Set<string>;

	constructor(signs: SecretSigns) {
		this.signs = signs;
		this.hints = new WordSearch(
			signs.forms.flatMap(({ kind, hints = [] }) => hints.map((text) => ({ text, kind, isWhole: false }))),
		);
		this.reported = new Set(signs.problems);
	}

	get marks(): readonly RedactionMark[] {
		return [...this.entries.values()].filter(({ count }) => count > 0);
	}

	get problems(): readonly string[] {
		return [...this.reported];
	}

	async take(texts: readonly string[]): Promise<void> {
		const { secrets, problems } = await this.signs.known();
		for (const problem of problems) this.reported.add(problem);
		const added = [...new Set(texts)].filter((text) => !this.texts.has(text));
		const found = await inSlices(this.look(added, new WordSearch(secrets.flatMap(wordsOf))));
		// From here on synchronously: a text that is masked meanwhile is masked by all of it or by nothing of it.
		const before = new Set(this.texts.keys());
		for (const [index, text] of added.entries()) {
			const forged = marksIn(text).filter(({ mark }) => this.secretOf.has(mark));
			const copies = forged.map(({ start, end }) => ({ start, end, kind: copied }));
			this.texts.set(text, mergeFound([...(found[index] ?? []), ...copies]));
			this.maker.note(text);
		}
		for (const [text, findings] of this.texts) for (const finding of findings) this.spread(text, finding);
		this.search = new WordSearch(this.words.values());
		for (const text of texts) if (!before.has(text)) this.order.push(text);
		this.count();
	}

	mask(text: string, shown: ReadonlySet<string> = new Set()): string {
		if (!this.texts.has(text)) this.maker.note(text);
		let masked = "";
		let end = 0;
		const added = new Set<Entry>();
		for (const finding of this.findingsOf(text)) {
			const secret = text.slice(finding.start, finding.end);
			const entry = this.entry(secret, finding.kind);
			if (entry.count === 0) added.add(entry);
			if (added.has(entry)) entry.count++;
			masked += text.slice(end, finding.start) + (shown.has(entry.id) ? secret : entry.mark);
			end = finding.end;
		}
		return masked + text.slice(end);
	}

	unmask(text: string, shown: ReadonlySet<string>): string {
		return replaceMarks(text, (mark) => {
			const secret = this.secretOf.get(mark);
			const entry = secret === undefined ? undefined : this.entries.get(secret);
			return entry !== undefined && shown.has(entry.id) ? secret : undefined;
		});
	}

	/** Where a text contains secrets: an outside text unchanged, another one outside of its marks. */
	private findingsOf(text: string): readonly FoundSecret[] {
		const own = this.texts.get(text);
		if (own !== undefined) return mergeFound([...own, ...this.search.find(text)]);
		const marks = marksIn(text).filter(({ mark }) => this.secretOf.has(mark));
		const found = atOnce(this.look([text], new WordSearch([]))).flat();
		return withoutPlaces(mergeFound([...found, ...this.search.find(text)]), marks);
	}

	/** The matches of the signs in each text, and of the known values. Stops after each sign. */
	private *look(texts: readonly string[], known: WordSearch): Generator<void, readonly (readonly FoundSecret[])[]> {
		const { forms, hasPrivateKeys, patterns } = this.signs;
		const found: FoundSecret[][] = [];
		for (const text of texts) {
			const findings = [...known.find(text)];
			found.push(findings);
			yield;
			const hints = this.hints.wordsIn(text);
			yield;
			for (const form of forms) {
				if (form.hints?.some((hint) => hints.has(hint)) === false) continue;
				for (const finding of findForm(form, text)) findings.push(finding);
				yield;
			}
			if (hasPrivateKeys) for (const finding of findPrivateKeys(text)) findings.push(finding);
		}
		for (const pattern of patterns) {
			yield;
			if (this.stopped.has(pattern)) continue;
			const { findings, problem } = findCustom(pattern, texts);
			for (const [index, more] of findings.entries()) for (const finding of more) found[index]?.push(finding);
			if (problem === undefined) continue;
			this.stopped.add(pattern);
			this.reported.add(problem);
		}
		return found;
	}

	/** Looks for a secret of one text in all texts, because it may occur elsewhere without its identifying context. */
	private spread(text: string, { start, end, kind }: FoundSecret): void {
		const secret = text.slice(start, end);
		if (this.words.has(secret) || kind === copied || !isRecognizable(secret)) return;
		if (this.words.size >= mostWords || this.characters + secret.length > mostCharacters) return;
		this.characters += secret.length;
		this.words.set(secret, { text: secret, kind, isWhole: isPlain(secret) });
	}

	/** Counts again, because the last found secrets may be in the first texts as well. */
	private count(): void {
		for (const entry of this.entries.values()) entry.count = 0;
		for (const text of this.order) {
			for (const { start, end, kind } of this.findingsOf(text)) this.entry(text.slice(start, end), kind).count++;
		}
	}

	private entry(secret: string, kind: SecretKind): Entry {
		const known = this.entries.get(secret);
		if (known !== undefined) return known;
		const mark = this.maker.make(kind);
		const entry: Entry = { id: `secret-${this.entries.size + 1}`, mark, label: kind.label, count: 0 };
		this.entries.set(secret, entry);
		this.secretOf.set(mark, secret);
		return entry;
	}
}

/** The places without those that others cover; both are in order and without overlaps. */
export function withoutPlaces(
	findings: readonly FoundSecret[],
	places: readonly { readonly start: number; readonly end: number }[],
): readonly FoundSecret[] {
	const left: FoundSecret[] = [];
	let next = 0;
	for (const { start, end, kind } of findings) {
		while ((places[next]?.end ?? Infinity) <= start) next++;
		let from = start;
		// A place may reach into the next finding, so it is not passed yet.
		for (let index = next; from < end; index++) {
			const place = places[index];
			const to = Math.min(end, place?.start ?? end);
			if (to > from) left.push({ start: from, end: to, kind });
			if (place === undefined || place.start >= end) break;
			from = Math.max(from, place.end);
		}
	}
	return left;
}
