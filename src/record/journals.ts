import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { readLine, toLine, type EntryLine } from "./entryLines.ts";
import { identityOf, JournalReader, type JournalContents } from "./journalReader.ts";
import { interruption, mergeLines, withinBounds, type RecordBounds } from "./merge.ts";
import type { SamplingEntry } from "./samplingRecord.ts";

/** What the journals need to know. */
export interface JournalsOptions {
	/** Where they lie; it is made when the first line is written. */
	readonly folder: string;
	/** The name of this window. */
	readonly window: string;
	/** Whether the window of a name is gone; `touchedAt` is when it wrote last. */
	readonly isGone: (window: string, touchedAt: number) => boolean;
	readonly bounds: () => RecordBounds;
	readonly now: () => number;
}

/** What all journals hold together. */
export interface JournalsRead {
	/** Newest first, within the bounds. */
	readonly entries: readonly SamplingEntry[];
	/** How many lines were damaged, since this window began. */
	readonly damaged: number;
}

interface Journal {
	readonly path: string;
	readonly window: string;
	readonly contents: JournalContents;
	readonly isGone: boolean;
}

const suffix = ".jsonl";
/** Of a journal that is being written anew. */
const unfinished = ".next";
/** How much the own journal may be larger than twice what it has to hold, in bytes. */
const slack = 1_000_000;

/**
 * The entries of all windows on the disk: JSON Lines in one file for each window, so that no two ever write to the same
 * one. Every line is a whole entry as of one moment and is written at once. Whoever reads takes over the files of windows
 * that are gone and ends their open entries; doing that twice, or from two windows at a time, changes nothing.
 */
export class Journals {
	private readonly options: JournalsOptions;
	private readonly own: string;
	private readonly reader = new JournalReader();
	/** One reading at a time. */
	private queue: Promise<unknown> = Promise.resolve();
	/** What is written while the journals are read. */
	private appended: string[] | undefined;
	private isBroken = false;
	/** How many damaged lines stood in journals that have been written anew since. */
	private past = 0;

	constructor(options: JournalsOptions) {
		this.options = options;
		this.own = path.join(options.folder, options.window + suffix);
	}

	/** Writes an entry down as it stands now, before it returns. Throws the error of the file system. */
	append(entry: SamplingEntry): void {
		this.write(toLine(this.options.window, entry));
	}

	private write(line: string): void {
		mkdirSync(this.options.folder, { recursive: true, mode: 0o700 });
		try {
			// A line of which only a part was written is ended first, so that it spoils no other.
			appendFileSync(this.own, this.isBroken ? `\n${line}` : line, { mode: 0o600 });
			this.isBroken = false;
		} catch (error) {
			this.isBroken = true;
			throw error;
		}
		this.appended?.push(line);
	}

	/**
	 * Reads everything, and puts in order what has to be: with `isThorough` whatever is not kept any more leaves the own
	 * journal, otherwise only when it is much. Rejects with the error of the file system.
	 */
	read(isThorough = false): Promise<JournalsRead> {
		return this.inTurn(async () => {
			this.appended = [];
			try {
				return await this.readNow(isThorough);
			} finally {
				this.appended = undefined;
			}
		});
	}

	/**
	 * Deletes the journals of all windows, and writes down again those entries that are `open` in this one then, or in
	 * another one, which knows nothing of it. Rejects with the error of the file system.
	 */
	clear(open: () => readonly SamplingEntry[]): Promise<void> {
		return this.inTurn(async () => {
			const theirs = await this.openElsewhere();
			const names = await this.names();
			this.reader.forget();
			this.past = 0;
			for (const name of names) rmSync(path.join(this.options.folder, name), { force: true });
			for (const entry of open()) this.append(entry);
			for (const { window, entry } of theirs) this.write(toLine(window, entry));
		});
	}

	/** Gives back the memory that makes reading again quick. */
	forget(): void {
		this.reader.forget();
	}

	private inTurn<T>(work: () => Promise<T>): Promise<T> {
		const done = this.queue.then(work);
		this.queue = done.catch(() => undefined);
		return done;
	}

	private async readNow(isThorough: boolean): Promise<JournalsRead> {
		const journals = await this.all();
		const now = this.options.now();
		const lines = mergeLines(journals.flatMap((journal) => this.linesOf(journal)));
		const kept = withinBounds(lines, this.options.bounds(), now);
		const damaged = this.past + journals.reduce((sum, journal) => sum + damageOf(journal), 0);
		const own = journals.find((journal) => journal.path === this.own);
		const ownLines = keptOf(own, journals, kept);
		const isTidy = own === undefined || !isOverfull(own, ownLines, isThorough);
		if (!isTidy || journals.some(({ isGone }) => isGone)) await this.takeOver(journals, ownLines);
		return { entries: kept.map(({ entry }) => entry), damaged };
	}

	/** What other windows have open; what cannot be read cannot be kept. */
	private async openElsewhere(): Promise<readonly EntryLine[]> {
		const journals = await this.all().catch((): readonly Journal[] => []);
		const lines = mergeLines(journals.flatMap((journal) => this.linesOf(journal)));
		return lines.filter(({ window, entry }) => window !== this.options.window && entry.end === undefined);
	}

	private async all(): Promise<readonly Journal[]> {
		const { folder, window, isGone } = this.options;
		const journals: Journal[] = [];
		for (const name of await this.names()) {
			if (!name.endsWith(suffix)) continue;
			const file = path.join(folder, name);
			const contents = await this.reader.read(file);
			if (contents === undefined) continue;
			const of = name.slice(0, -suffix.length);
			journals.push({ path: file, window: of, contents, isGone: of !== window && isGone(of, contents.touchedAt) });
		}
		return journals;
	}

	/** What a journal tells, with the open entries ended whose window is gone. */
	private linesOf(journal: Journal): readonly EntryLine[] {
		const { contents } = journal;
		const tail = journal.isGone ? readLine(contents.tail) : undefined;
		const lines = tail === undefined ? contents.lines : [...contents.lines, tail];
		// A journal that was cleared holds what other windows had open then.
		const isOver = ({ window, entry }: EntryLine): boolean =>
			entry.end === undefined &&
			(journal.isGone || (window !== journal.window && this.options.isGone(window, contents.touchedAt)));
		if (!lines.some(isOver)) return lines;
		return mergeLines(lines).map((line) => {
			if (!isOver(line)) return line;
			const entry = { ...line.entry, end: interruption(this.options.now()) };
			return { window: line.window, entry, bytes: Buffer.byteLength(toLine(line.window, entry)) };
		});
	}

	private async names(): Promise<readonly string[]> {
		try {
			const names = await readdir(this.options.folder);
			return names.filter((name) => name.endsWith(suffix) || name.endsWith(suffix + unfinished)).sort();
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
			throw error;
		}
	}

	/** Writes the own journal anew with what is kept of it and of the windows that are gone, whose journals then go. */
	private async takeOver(journals: readonly Journal[], kept: readonly EntryLine[]): Promise<void> {
		const next = this.own + unfinished;
		await writeFile(next, textsOf(kept.toReversed()), { mode: 0o600 });
		const taken = journals.filter((journal) => journal.isGone || journal.path === this.own);
		// From here on nothing of this window comes between. Another one may have cleared the record meanwhile: what it
		// deleted must not come back.
		if (!taken.every(isUnchanged)) {
			rmSync(next, { force: true });
			return;
		}
		for (const line of this.appended ?? []) appendFileSync(next, line);
		renameSync(next, this.own);
		this.past += taken.reduce((sum, journal) => sum + damageOf(journal), 0);
		for (const { path: file, isGone } of taken) {
			if (!isGone) continue;
			rmSync(file, { force: true });
			rmSync(file + unfinished, { force: true });
		}
	}
}

/** One line at a time, so that writing many of them does not hold up anything else. */
function* textsOf(lines: readonly EntryLine[]): Generator<string> {
	for (const { window, entry } of lines) yield toLine(window, entry);
}

/** The kept lines that the own journal has to hold: all but those that another living window has as well. */
function keptOf(
	own: Journal | undefined,
	journals: readonly Journal[],
	kept: readonly EntryLine[],
): readonly EntryLine[] {
	const others = journals.filter((journal) => journal !== own && !journal.isGone);
	const theirs = new Set(others.flatMap(({ contents }) => contents.lines));
	return kept.filter((line) => !theirs.has(line));
}

/** Whether a journal holds too much beside what is kept of it. */
function isOverfull({ contents }: Journal, kept: readonly EntryLine[], isThorough: boolean): boolean {
	const needed = kept.reduce((sum, { bytes }) => sum + bytes, 0);
	if (contents.size > 2 * needed + slack) return true;
	const ids = new Set(contents.lines.map(({ entry }) => entry.id));
	const surplus = ids.size - kept.length;
	return surplus > (isThorough ? 0 : Math.max(10, kept.length / 10));
}

function isUnchanged({ path: file, contents }: Journal): boolean {
	const stats = statSync(file, { throwIfNoEntry: false });
	return stats !== undefined && identityOf(stats) === contents.identity && stats.size >= contents.size;
}

function damageOf({ contents, isGone }: Journal): number {
	const isCut = isGone && contents.tail !== "" && readLine(contents.tail) === undefined;
	return contents.damaged + (isCut ? 1 : 0);
}
