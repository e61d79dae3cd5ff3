import type { RowTexts } from "../../questions/listRow.ts";
import { oneLine } from "../../base/text.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { promptTitle, serverLabel, type PromptEntry } from "./catalog.ts";

/** A prompt as a row of a list. */
export interface PromptRow extends RowTexts {
	readonly entry: PromptEntry;
	/** The id, so that no title can hide which server a prompt belongs to (PRM-03). */
	readonly description: string;
	readonly isPinned: boolean;
}

/** Prompts under a heading. */
export interface PromptGroup {
	readonly heading: string;
	readonly rows: readonly PromptRow[];
}

/** The contents of a list of prompts, and how many more there are. */
export interface PromptChoices {
	readonly groups: readonly PromptGroup[];
	readonly more: number;
}

/** The preferred prompts: their keys, in order. */
export interface Precedence {
	readonly pinned: readonly string[];
	/** The latest first. */
	readonly recent: readonly string[];
}

/** How many rows a list has at most: a user reads no more, and VS Code draws and sorts them on every key. */
const shownLimit = 200;

/** The prompts to choose from, in any number: their search texts are computed once for each. */
export class PromptSearch {
	private readonly directory: SessionDirectory;
	private readonly candidates: readonly Candidate[];

	constructor(directory: SessionDirectory, entries: readonly PromptEntry[]) {
		this.directory = directory;
		this.candidates = entries.map(toCandidate);
	}

	/**
	 * The rows for a typed text. Without one: pinned prompts, then those used last, then the others under their servers.
	 * With one: those that have every word of it in their title, name, server or description, the best first.
	 */
	choices(text: string, precedence: Precedence): PromptChoices {
		const words = fold(text).split(/\s+/).filter(Boolean);
		return words.length === 0 ? this.all(precedence) : this.found(words, precedence);
	}

	private all({ pinned, recent }: Precedence): PromptChoices {
		const byKey = new Map(this.candidates.map(({ entry }) => [entry.key, entry]));
		const take = (keys: readonly string[]): readonly PromptEntry[] =>
			keys.flatMap((key) => {
				const entry = byKey.get(key);
				byKey.delete(key);
				return entry ?? [];
			});
		const groups: { heading: string; entries: PromptEntry[] }[] = [
			{ heading: "pinned", entries: [...take(pinned)] },
			{ heading: "recently used", entries: [...take(recent)] },
		];
		for (const entry of byKey.values()) {
			const heading = oneLine(serverLabel(this.directory, entry.session));
			const last = groups.at(-1);
			if (groups.length > 2 && last?.heading === heading) last.entries.push(entry);
			else groups.push({ heading, entries: [entry] });
		}
		return limited(
			groups.filter(({ entries }) => entries.length > 0),
			new Set(pinned),
		);
	}

	private found(words: readonly string[], { pinned, recent }: Precedence): PromptChoices {
		const isPinned = new Set(pinned);
		const isRecent = new Set(recent);
		const found = this.candidates.flatMap((candidate) => {
			const fits = words.every((word) => candidate.whole.includes(word));
			return fits ? [{ entry: candidate.entry, rank: rankOf(candidate, words) }] : [];
		});
		const favour = ({ key }: PromptEntry): number => (isPinned.has(key) ? 0 : isRecent.has(key) ? 1 : 2);
		found.sort((a, b) => a.rank - b.rank || favour(a.entry) - favour(b.entry));
		return limited([{ heading: "", entries: found.map(({ entry }) => entry) }], isPinned);
	}
}

interface Candidate {
	readonly entry: PromptEntry;
	readonly title: string;
	readonly name: string;
	/** All that is searched. */
	readonly whole: string;
}

/** How much of a description is searched, in characters. */
const searchedDescription = 1000;

function toCandidate(entry: PromptEntry): Candidate {
	const title = fold(promptTitle(entry.prompt));
	const name = fold(entry.prompt.name.slice(0, 200));
	const about = fold((entry.prompt.description ?? "").slice(0, searchedDescription));
	return { entry, title, name, whole: [title, name, fold(entry.id.slice(0, 400)), about].join("\n") };
}

/** Letters without case and accents. */
function fold(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The lower the better: names with the typed beginning, then those with all words in title or name, then the rest. */
function rankOf({ title, name }: Candidate, words: readonly string[]): number {
	const typed = words.join(" ");
	if (title.startsWith(typed) || name.startsWith(typed)) return 0;
	return words.every((word) => title.includes(word) || name.includes(word)) ? 1 : 2;
}

function limited(
	groups: readonly { readonly heading: string; readonly entries: readonly PromptEntry[] }[],
	pinned: ReadonlySet<string>,
): PromptChoices {
	let room = shownLimit;
	let total = 0;
	const shown: PromptGroup[] = [];
	for (const { heading, entries } of groups) {
		total += entries.length;
		const rows = entries.slice(0, room).map((entry) => toRow(entry, pinned.has(entry.key)));
		room -= rows.length;
		if (rows.length > 0) shown.push({ heading, rows });
	}
	return { groups: shown, more: total - (shownLimit - room) };
}

function toRow(entry: PromptEntry, isPinned: boolean): PromptRow {
	return {
		entry,
		label: promptTitle(entry.prompt),
		description: oneLine(entry.id),
		detail: oneLine(entry.prompt.description ?? "", 300),
		isPinned,
	};
}
