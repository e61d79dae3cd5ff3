import { setImmediate, setTimeout } from "node:timers/promises";
import { compact } from "../../base/store/compact.ts";
import type { Journal } from "../../base/store/journal.ts";
import type { Line } from "../../base/store/line.ts";
import { type EntryLine, readEntry } from "./entryLines.ts";
import { interruption, type RecordBounds, withinBounds } from "./merge.ts";
import type { SamplingEntry } from "./samplingRecord.ts";

/** The data that the journal of entries needs. */
export interface EntryJournalOptions {
	/** Where the entries of all windows are, by their ids, in the order of `entryOrder`. */
	readonly journal: Journal;
	/** The name of this window. */
	readonly window: string;
	/** Whether the window of a name is gone; `touchedAt` is when it wrote last, in milliseconds since the epoch. */
	readonly isGone: (window: string, touchedAt: number) => boolean;
	readonly bounds: () => RecordBounds;
	readonly now: () => number;
}

/** The records of all windows together. */
export interface EntriesRead {
	/** Newest first, within the bounds. */
	readonly entries: readonly SamplingEntry[];
	/** How many lines were damaged, since this window began. */
	readonly damaged: number;
	/** The entries that this reading ended, since their windows are gone. */
	readonly interrupted: readonly SamplingEntry[];
}

/** The name of the journal of entries. */
export const entriesName = "samplingLog";
/** How much the files may exceed twice the size of their current contents, in bytes, and how many they may be. */
const slack = { bytes: 1_000_000, files: 12 };
/** How often clearing waits for another window that rewrites the files, and how long each time, in milliseconds. */
const waits = { times: 60, ms: 100 };

/**
 * The entries of all windows on the disk. Every line is a whole entry as of one moment and is written immediately. A
 * reader ends the open entries of closed windows; doing that twice, or from two windows at a time, changes nothing.
 */
export class EntryJournal {
	private readonly options: EntryJournalOptions;
	/** One reading at a time. */
	private queue: Promise<unknown> = Promise.resolve();
	/** Whether the read lines are kept in memory, so that reading again is quick. */
	private isHeld = false;
	/** How many damaged lines were in files that have been rewritten since. */
	private past = 0;

	constructor(options: EntryJournalOptions) {
		this.options = options;
	}

	/** Writes the current state of an entry, before it returns. Throws when it cannot; it is written later then. */
	append(entry: SamplingEntry): void {
		this.write([{ window: this.options.window, entry }]);
		const { fault } = this.options.journal;
		if (fault !== undefined) throw new Error(fault);
	}

	/**
	 * Reads everything, and cleans up: with `isThorough` all expired entries are removed from the disk, otherwise only if
	 * there are many. Rejects when the files cannot be read.
	 */
	read(isThorough = false): Promise<EntriesRead> {
		return this.inTurn(() => this.readNow(isThorough));
	}

	/**
	 * Deletes the entries of all windows, or those of `ids`, but none that are `open` in this one then, or in another one.
	 * Rejects when that cannot be done.
	 */
	clear(open: () => readonly SamplingEntry[], ids?: ReadonlySet<string>): Promise<void> {
		return this.inTurn(async () => {
			const { journal } = this.options;
			const isKept = (line: Line): boolean => {
				const entry = readEntry(line)?.entry;
				return entry !== undefined && (entry.end === undefined || ids?.has(entry.id) === false);
			};
			await this.catchUp();
			for (let times = 0; ; times++) {
				await compact(journal, { isKept, isClearing: ids === undefined });
				await this.catchUp();
				if (journal.lines.every(isKept)) break;
				if (times === waits.times) throw new Error("Another window is rewriting the record and has not finished.");
				await setTimeout(waits.ms);
			}
			this.past = 0;
			this.write(
				open()
					.filter(({ id }) => journal.get(id) === undefined)
					.map((entry) => ({ window: this.options.window, entry })),
			);
		});
	}

	/** Gives back the memory that makes reading again quick. */
	async forget(): Promise<void> {
		await this.inTurn(async () => {
			this.isHeld = false;
			this.options.journal.forget();
		});
	}

	private write(values: readonly Pick<EntryLine, "window" | "entry">[]): void {
		const { journal } = this.options;
		journal.write(
			values.map(({ window, entry }) => ({ key: entry.id, value: { window, entry } })),
			true,
		);
		if (!this.isHeld) journal.forget();
	}

	private inTurn<T>(work: () => Promise<T>): Promise<T> {
		const done = this.queue.then(work);
		this.queue = done.catch(() => undefined);
		return done;
	}

	/** Reads new lines, and yields to other work in between. */
	private async catchUp(): Promise<void> {
		this.isHeld = true;
		for (const _ of this.options.journal.reading()) await setImmediate();
		if (this.options.journal.isUnreadable) throw new Error(this.options.journal.fault);
	}

	private async readNow(isThorough: boolean): Promise<EntriesRead> {
		const { journal, now, bounds } = this.options;
		await this.catchUp();
		const interrupted = this.endInterrupted();
		const { lines } = journal;
		const read = lines.flatMap((line) => readEntry(line) ?? []);
		const kept = withinBounds(read, bounds(), now());
		const damaged = journal.damaged.length + lines.length - read.length;
		const surplus = read.length - kept.length;
		const { bytes, files } = journal.extent;
		const needed = kept.reduce((sum, line) => sum + line.bytes, 0);
		const isOverfull = bytes > 2 * needed + slack.bytes || files > slack.files;
		if (isOverfull || interrupted.length + damaged > 0 || surplus > (isThorough ? 0 : Math.max(10, kept.length / 10))) {
			const ids = new Set(kept.map(({ entry }) => entry.id));
			// Entries that another window begins meanwhile are not included.
			const gone = new Set(lines.map(({ key }) => key).filter((key) => !ids.has(key)));
			await compact(journal, { isKept: ({ key }) => !gone.has(key) });
			const left = journal.damaged.length + journal.lines.filter((line) => readEntry(line) === undefined).length;
			this.past += damaged - left;
			return { entries: kept.map(({ entry }) => entry), damaged: this.past + left, interrupted };
		}
		return { entries: kept.map(({ entry }) => entry), damaged: this.past + damaged, interrupted };
	}

	/** Ends the entries that closed windows left open, and returns the entries. */
	private endInterrupted(): readonly SamplingEntry[] {
		const { journal, isGone, now, window } = this.options;
		const left = journal.lines.flatMap((line) => {
			const read = readEntry(line);
			const isLeft = read !== undefined && read.entry.end === undefined && read.window !== window;
			return isLeft && isGone(read.window, line.at / 1000) ? [read] : [];
		});
		const ended = left.map(({ window: other, entry }) => ({
			window: other,
			entry: { ...entry, end: interruption(now()) },
		}));
		this.write(ended);
		return ended.map(({ entry }) => entry);
	}
}
