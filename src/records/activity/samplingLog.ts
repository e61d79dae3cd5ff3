import { messageOf } from "../../base/errors.ts";
import { Emitter } from "../../base/event.ts";
import type { Log } from "../../base/log.ts";
import type { EntriesRead, EntryJournal } from "./entryJournal.ts";
import { Keeper, type RecordMode } from "./keeper.ts";
import type { OpenEntry, SamplingEntry, SamplingRecord } from "./samplingRecord.ts";

/** The services that the log uses. */
export interface SamplingLogServices {
	readonly journal: EntryJournal;
	/** How much of a request is recorded; read when it arrives. */
	mode(): RecordMode;
	readonly log: Log;
}

/** The current record. */
export interface LogContents {
	/** Newest first. */
	readonly entries: readonly SamplingEntry[];
	/** The problems of the record, in our sentences; empty when there are none. */
	readonly troubles: readonly string[];
}

/** After how much written in this window the files are put in order, in entries. */
const tidyAfter = 50;

/**
 * The record of sampling requests. Every event is on the disk when a call returns. Nothing here ever throws into a
 * review, and a fault of the disk is logged once and reported with the contents.
 */
export class SamplingLog implements SamplingRecord {
	private readonly services: SamplingLogServices;
	/** The entries that are open in this window, in their stored form. */
	private readonly reviews = new Map<string, SamplingEntry>();
	private readonly changed = new Emitter<void>();
	/** Fires after a change by this window. */
	readonly onDidChange = this.changed.event;
	private readonly interrupted = new Emitter<readonly SamplingEntry[]>();
	/** Entries were found that a closed window had left open; each is reported once, in one window. */
	readonly onDidInterrupt = this.interrupted.event;
	private readonly closed = new Emitter<SamplingEntry>();
	/** An entry of this window ended, and is kept like this. */
	readonly onDidClose = this.closed.event;
	private fault: string | undefined;
	private reportedDamage = 0;
	private ended = 0;

	constructor(services: SamplingLogServices) {
		this.services = services;
	}

	open(entry: Parameters<SamplingRecord["open"]>[0]): OpenEntry {
		const mode = this.services.mode();
		if (mode === "off") return { attempt() {}, close() {} };
		const keeper = new Keeper(mode);
		let kept = keeper.entry(entry);
		let isOpen = true;
		const keep = (next: SamplingEntry): void => {
			kept = next;
			if (next.end === undefined) this.reviews.set(next.id, next);
			else this.reviews.delete(next.id);
			this.write(next);
		};
		keep(kept);
		return {
			attempt: (attempt) => {
				if (isOpen) keep({ ...kept, attempts: [...kept.attempts, keeper.attempt(attempt)] });
			},
			close: (end) => {
				if (!isOpen) return;
				isOpen = false;
				keep({ ...kept, end: keeper.end(end) });
				this.closed.fire(kept);
				if (++this.ended % tidyAfter === 0) void this.tidy();
			},
		};
	}

	/** Everything that is recorded, of all windows. Never rejects. */
	async read(): Promise<LogContents> {
		const contents = await this.attempt(() => this.services.journal.read());
		if (contents === undefined)
			return { entries: [...this.reviews.values()], troubles: this.troubles(this.reportedDamage) };
		this.report(contents);
		return { entries: contents.entries, troubles: this.troubles(contents.damaged) };
	}

	/** Ends the entries that closed windows left open, and deletes expired ones. Never rejects. */
	async tidy(): Promise<void> {
		const contents = await this.attempt(() => this.services.journal.read(true));
		if (contents !== undefined) this.report(contents);
		await this.services.journal.forget();
	}

	/**
	 * Deletes entries of all windows from the disk, but those that are open: all, or those of `ids`. Rejects with the disk's
	 * error.
	 */
	async clear(ids?: ReadonlySet<string>): Promise<void> {
		await this.services.journal.clear(() => [...this.reviews.values()], ids);
		this.fault = undefined;
		this.reportedDamage = 0;
		this.changed.fire();
	}

	private write(entry: SamplingEntry): void {
		try {
			this.services.journal.append(entry);
			this.fault = undefined;
		} catch (error) {
			this.reportFault(error);
		}
		this.changed.fire();
	}

	private async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			this.reportFault(error);
			return undefined;
		}
	}

	private reportFault(error: unknown): void {
		const fault = messageOf(error);
		if (fault !== this.fault) this.services.log.error(`The record of sampling requests has a problem: ${fault}`);
		this.fault = fault;
	}

	private report({ damaged, interrupted }: EntriesRead): void {
		if (interrupted.length > 0) this.interrupted.fire(interrupted);
		if (damaged > this.reportedDamage) this.services.log.warn(damage(damaged));
		this.reportedDamage = damaged;
	}

	private troubles(damaged: number): readonly string[] {
		return [
			...(this.fault === undefined
				? []
				: [
						`The record of sampling requests could not be written or read. Requests may be missing here: ${this.fault}`,
					]),
			...(damaged === 0 ? [] : [damage(damaged)]),
		];
	}
}

function damage(lines: number): string {
	return lines === 1
		? "1 damaged line of the record of sampling requests is left out."
		: `${lines.toLocaleString("en-US")} damaged lines of the record of sampling requests are left out.`;
}
