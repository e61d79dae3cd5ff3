import { rmSync } from "node:fs";
import { messageOf } from "../../../base/errors.ts";
import { type Redactor, SafeWriter } from "../../../base/secrets/writer.ts";
import { Emitter } from "../../../base/event.ts";
import { type Chain, withoutRemoved } from "./chain.ts";
import { ChainFile, chainFileOf, replaceFile } from "./chainFile.ts";
import { Chains, type KnownChain } from "./chains.ts";
import type { Seal } from "./seal.ts";
import { openRequests } from "../interrupted.ts";
import { capped, type ContentsMode, keptContents } from "./contents.ts";
import type { ActivityEntry, ActivityNotes, ChainHead, SamplingActivity } from "./entry.ts";
import { type ActivityBounds, isRemoved, type Removed, rangesOf, removedOf, surplusOf } from "./removal.ts";

/** The data that the journal needs. */
export interface ActivityJournalOptions {
	/** Where the files of all windows are. */
	readonly folder: string;
	/** The name of this window, which no other ever had. */
	readonly window: string;
	/** Whether the window of a name is gone; `touchedAt` is when it wrote last, in milliseconds since the epoch. */
	readonly isGone: (window: string, touchedAt: number) => boolean;
	readonly bounds: () => ActivityBounds;
	readonly contents: () => ContentsMode;
	readonly redactor: Redactor;
	/** The proof of removals; without a key nothing can be removed. Never rejects. */
	readonly seal: () => Promise<Seal>;
	readonly now: () => number;
	/** The version of the extension. */
	readonly version: string;
	/** Called with a sentence, once, when nothing can be written, until it can be again. */
	readonly onFault: (message: string) => void;
}

/** An entry of some window. */
export interface ActivityRecord {
	readonly window: string;
	readonly n: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly entry: ActivityEntry;
}

/** Members that hold ids of the host. */
const ids = new Set(["id", "serverId", "turn", "exchange"]);
/** Members whose values are words of the host. */
const words = new Set(["kind", "event", "phase", "by", "origin", "what", "why", "heads", "ranges", "proof"]);

/** An entry as it may be kept and leave. */
export function safeEntry<T extends ActivityEntry>(entry: T, redactor: Redactor): T {
	return new SafeWriter(redactor, { ids }).entry(entry, words);
}

/** How often this window looks again whether it has read all that it wrote itself. */
const mostLooks = 10;

/**
 * The journal of decisions and effects: the entries of this window, in a chain of its own, and those of all windows.
 * Only a running window writes into its own file, so that two windows never wait for each other. A removal of another
 * window's entry hides it by a record, and it leaves the disk when the other one reads that.
 */
export class ActivityJournal implements ActivityNotes {
	private readonly options: ActivityJournalOptions;
	private readonly file: ChainFile;
	private readonly chains: Chains;
	private readonly changed = new Emitter<void>();
	/** Fires when this window noted or removed something. */
	readonly onDidChange = this.changed.event;
	private readonly interrupted = new Emitter<readonly SamplingActivity[]>();
	/** Fires with the steps of sampling requests that closed windows had left open, when this window ends them. */
	readonly onDidInterrupt = this.interrupted.event;
	/** The requests that this window ended, written or not. */
	private readonly endedHere = new Set<string>();
	private problem: string | undefined;

	constructor(options: ActivityJournalOptions) {
		this.options = options;
		this.file = new ChainFile(options);
		this.chains = new Chains(
			options.folder,
			(window, touchedAt) => window !== options.window && options.isGone(window, touchedAt),
		);
	}

	/** Why nothing could be written the last time; undefined when it could. */
	get fault(): string | undefined {
		return this.problem;
	}

	/** The expected end of this window's file, if nobody else wrote it. */
	get head(): ChainHead {
		return this.file.written;
	}

	note(entry: ActivityEntry): void {
		try {
			const { redactor, contents, version } = this.options;
			const { contents: _, ...rest } = { contents: undefined, ...entry };
			// Of a sampling request, its record has decided what is kept.
			const kept =
				entry.kind === "sampling"
					? entry.contents
					: entry.kind === "call" && entry.contents !== undefined
						? keptContents(entry.contents, contents())
						: undefined;
			const safe = safeEntry(capped(rest) as ActivityEntry, redactor);
			const noted = kept === undefined ? safe : Object.assign(safe, { contents: new SafeWriter(redactor).json(kept) });
			const opened: ActivityEntry = { kind: "journal", event: "opened", detail: version };
			this.file.append(...(this.file.head.n === 0 ? [opened] : []), noted);
			this.problem = undefined;
		} catch (error) {
			this.report(error);
		}
		this.changed.fire();
	}

	/**
	 * All entries of all windows that were not removed, the oldest first. Ends the sampling requests that closed windows
	 * left open. Rejects when the files cannot be read.
	 */
	async read(): Promise<readonly ActivityRecord[]> {
		const { known, records } = await this.readRecords();
		const gone = new Set(known.flatMap(({ chain, isGone }) => (isGone ? chain.window : [])));
		const open = openRequests(records.map(({ entry }) => entry));
		const left = records.flatMap(({ window, entry }) => {
			return entry.kind === "sampling" && gone.has(window) && open.has(entry.id) && !this.endedHere.has(entry.id)
				? [entry]
				: [];
		});
		if (left.length === 0) return records;
		for (const { id, server, serverId } of left) {
			if (this.endedHere.has(id)) continue;
			this.endedHere.add(id);
			this.note({ kind: "sampling", id, server, serverId, phase: "interrupted", by: "host" });
		}
		this.interrupted.fire(left);
		return (await this.readRecords()).records;
	}

	private async readRecords() {
		const { known, chains, removed } = await this.readChains();
		const records: readonly ActivityRecord[] = chains
			.flatMap(({ window, lines }) =>
				lines
					.filter(({ n }) => !isRemoved(removed.get(window), n))
					.map(({ n, at, entry }) => ({ window, n, at, entry })),
			)
			.toSorted((a, b) => a.at - b.at || (a.window === b.window ? a.n - b.n : a.window < b.window ? -1 : 1));
		return { known, records };
	}

	/** The current chains on the disk, with the closed windows. Rejects when they cannot be read. */
	async look(): Promise<readonly KnownChain[]> {
		this.chains.forget();
		return this.chains.read();
	}

	/** Removes entries from the disk, with a record of it, and returns how many. Rejects when that is not possible. */
	async remove(isChosen: (record: ActivityRecord) => boolean): Promise<number> {
		const { chains, removed } = await this.readChains();
		const chosen = rangesOf(chains, ({ n, at, entry }, window) => {
			return !isRemoved(removed.get(window), n) && isChosen({ window, n, at, entry });
		});
		return this.removeRanges(chosen, "cleared");
	}

	/**
	 * Ends what closed windows left open, removes expired and excess entries, deletes removed lines from this window's file and those of closed windows, and
	 * notes the ends of the other chains. Rejects when that is not possible; nothing is lost then.
	 */
	async tidy(): Promise<void> {
		await this.read();
		const { known, removed } = await this.readChains();
		const { bounds, now } = this.options;
		await this.removeRanges(surplusOf(known, removed, bounds(), now()), "retention");
		await this.settle();
		const since = now() - bounds().days * 24 * 60 * 60 * 1000;
		for (const { chain, isGone, touchedAt } of known)
			if (isGone && holdsNothing(chain) && touchedAt < since)
				rmSync(chainFileOf(this.options.folder, chain.window), { force: true });
		this.witness(known);
	}

	/**
	 * Deletes lines that any window removed from this window's file and those of closed windows. Rejects as the disk
	 * does.
	 */
	async settle(): Promise<void> {
		for (let looks = 0; looks < mostLooks; looks++) {
			const { known, removed, seal } = await this.readChains();
			for (const { chain, isGone } of known) {
				const lines = isGone ? withoutRemoved(chain, (n) => isRemoved(removed.get(chain.window), n), seal) : undefined;
				if (lines !== undefined) replaceFile(chainFileOf(this.options.folder, chain.window), lines);
			}
			const own = known.find(({ chain }) => chain.window === this.file.window)?.chain;
			const lines =
				own === undefined ? undefined : withoutRemoved(own, (n) => isRemoved(removed.get(own.window), n), seal);
			if (lines === undefined) return;
			// Entries that were noted meanwhile are read first.
			if (own?.n !== this.file.head.n || this.problem !== undefined) continue;
			this.file.replace(lines);
			return;
		}
	}

	/** Gives back the memory that makes reading again quick. */
	forget(): void {
		this.chains.forget();
	}

	/** Notes that this window ends, and closes its file. Never throws. */
	close(): void {
		if (this.file.head.n > 0) this.note({ kind: "journal", event: "closed" });
		this.file.close();
		this.changed.dispose();
		this.interrupted.dispose();
	}

	/** All current chains on the disk, and their removed parts. */
	private async readChains() {
		const seal = await this.options.seal();
		const known = await this.chains.read();
		const chains = known.map(({ chain }) => chain);
		return { seal, known, chains, removed: removedOf(chains, seal) };
	}

	private async removeRanges(chosen: Removed, why: "cleared" | "retention"): Promise<number> {
		const count = [...chosen.values()].flat().reduce((sum, { from, to }) => sum + to - from + 1, 0);
		if (count === 0) return 0;
		const { seal, chains, removed } = await this.readChains();
		// The removals that other windows still have to make are recorded again: the earlier record may be among the
		// removed entries.
		const all = rangesOf(
			chains,
			({ n }, window) => isRemoved(chosen.get(window), n) || isRemoved(removed.get(window), n),
		);
		const ranges = Object.fromEntries(all);
		const proof = seal.over(this.file.window, ranges);
		// Not capped as others are: it must be complete.
		this.file.append({ kind: "journal", event: "removed", why, count, ranges, proof });
		this.file.sync();
		await this.settle();
		this.changed.fire();
		return count;
	}

	/** Notes the ends of the other windows' chains, if they changed. */
	private witness(known: readonly KnownChain[]): void {
		if (this.file.head.n === 0) return;
		const seen = new Map<string, ChainHead>();
		const own = known.find(({ chain }) => chain.window === this.file.window)?.chain;
		for (const { entry } of own?.lines ?? [])
			if (entry.kind === "journal" && entry.event === "witnessed")
				for (const [window, head] of Object.entries(entry.heads)) seen.set(window, head);
		const heads = known.flatMap(({ chain, isGone }) => {
			const { window, n, hash, faults } = chain;
			if (window === this.file.window || holdsNothing(chain) || faults.some(({ kind }) => kind !== "cut")) return [];
			const before = seen.get(window);
			if (before?.n === n && (before.isGone ?? false) === isGone) return [];
			return [[window, isGone ? { n, hash, isGone } : { n, hash }] as const];
		});
		if (heads.length === 0) return;
		try {
			this.file.append({ kind: "journal", event: "witnessed", heads: Object.fromEntries(heads) });
		} catch (error) {
			this.report(error);
		}
	}

	private report(error: unknown): void {
		const isNew = this.problem === undefined;
		this.problem = messageOf(error);
		if (!isNew) return;
		this.options.onFault(
			`MCP Host cannot write the activity (${this.problem}). Your decisions still apply. ` +
				"New entries are written as soon as possible.",
		);
	}
}

/** Whether nothing of a chain is left that could be read. */
function holdsNothing({ lines, foreign }: Chain): boolean {
	return lines.length + foreign.length === 0;
}
