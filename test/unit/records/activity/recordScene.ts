import { readdirSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { EntryJournal, entriesName } from "../../../../src/records/activity/entryJournal.ts";
import { Journal } from "../../../../src/base/store/journal.ts";
import type { RecordMode } from "../../../../src/records/activity/keeper.ts";
import { entryOrder, type RecordBounds } from "../../../../src/records/activity/merge.ts";
import { SamplingLog } from "../../../../src/records/activity/samplingLog.ts";
import type { OpenEntry, SamplingEntry, SamplingRecord } from "../../../../src/records/activity/samplingRecord.ts";

/** The functions that a request receives. */
export type Arrival = Parameters<SamplingRecord["open"]>[0];

/** One window of the editor, as far as the record is concerned. */
export interface RecordWindow {
	readonly log: SamplingLog;
	readonly journal: Journal;
	readonly name: string;
	/** The lines of the log channel. */
	readonly told: string[];
}

/** A folder on a real disk with windows that come and go. */
export class RecordScene implements AsyncDisposable {
	readonly folder: string;
	bounds: RecordBounds = { entries: 500, bytes: 20_000_000, days: 30 };
	mode: RecordMode = "full";
	now = Date.UTC(2026, 10, 22, 9);
	private readonly living = new Set<string>();
	private readonly root: string;
	private lastWindow = 0;

	private constructor(root: string) {
		this.root = root;
		this.folder = path.join(root, "store");
	}

	static async begin(): Promise<RecordScene> {
		return new RecordScene(await mkdtemp(path.join(tmpdir(), "record-")));
	}

	/** Opens a window, which has done nothing so far. */
	window(): RecordWindow {
		const name = `${1000 + ++this.lastWindow}-1-test`;
		this.living.add(name);
		const journal = new Journal({
			folder: this.folder,
			name: entriesName,
			window: `w${this.lastWindow}`,
			now: () => this.now,
			onProblem: () => undefined,
			outranks: entryOrder,
		});
		const entries = new EntryJournal({
			journal,
			window: name,
			isGone: (other) => !this.living.has(other),
			bounds: () => this.bounds,
			now: () => this.now,
		});
		const told: string[] = [];
		const tell = (message: string): void => void told.push(message);
		const channel = { trace() {}, debug() {}, info() {}, warn: tell, error: tell };
		return { log: new SamplingLog({ journal: entries, mode: () => this.mode, log: channel }), journal, name, told };
	}

	/** Ends a window like a kill: it runs nothing any more. */
	kill({ name }: RecordWindow): void {
		this.living.delete(name);
	}

	/** The names of the files on the disk. */
	async files(): Promise<readonly string[]> {
		const names: readonly string[] = await readdir(this.folder).catch(() => []);
		return names.toSorted((one, other) => one.localeCompare(other));
	}

	/** Every byte on the disk. */
	async disk(): Promise<string> {
		const texts = (await this.files()).map((name) => readFile(path.join(this.folder, name), "utf8"));
		return (await Promise.all(texts)).join("");
	}

	/** The file that a window writes to. */
	fileOf({ journal }: RecordWindow): string {
		const start = `${entriesName}-${journal.options.window}-`;
		const name = readdirSync(this.folder).find((file) => file.startsWith(start));
		return path.join(this.folder, name ?? "none");
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.root, { recursive: true, force: true });
	}
}

let last = 0;

/** A request of the server `weather`, with an id of its own. */
export function arrival(more: Partial<Arrival> = {}): Arrival {
	const number = ++last;
	return {
		id: `entry-${number}`,
		at: Date.UTC(2026, 10, 22, 8) + number,
		server: "weather",
		serverId: "user:weather",
		request: [
			{ place: "system", original: "Be brief." },
			{ place: "message.0.part.0", role: "user", original: `What is request ${number}?` },
		],
		parameters: { maxTokens: 100, temperature: 0.5, stopSequences: ["END"] },
		...more,
	};
}

/** Has a request reviewed from its beginning to its end. */
export function review(log: SamplingRecord, more: Partial<Arrival> = {}): Arrival {
	const entry = arrival(more);
	finish(log.open(entry), entry.at);
	return entry;
}

/** One attempt with edits at both stages, and the completion goes back. */
export function finish(open: OpenEntry, at: number): void {
	open.attempt({
		at: at + 1,
		model: { id: "ollama/small", name: "small" },
		why: "matches the server's hint “small”",
		request: [{ place: "system", original: "Be brief.", edited: "Be very brief." }],
		completion: [{ place: "text", original: "It is fine." }],
		inputTokens: 12,
		outputTokens: 5,
		cost: 0.001,
		durationMs: 1200,
		stopReason: "endTurn",
	});
	open.close({
		at: at + 2,
		kind: "returned",
		by: "you",
		returned: [{ place: "text", original: "It is fine.", edited: "It is sunny." }],
	});
}

/** The ids of a window's entries, newest first. */
export async function idsOf({ log }: RecordWindow): Promise<readonly string[]> {
	return (await log.read()).entries.map(({ id }) => id);
}

/** The states of the entries of a window, by id. */
export async function endsOf({ log }: RecordWindow): Promise<Readonly<Record<string, string>>> {
	const { entries } = await log.read();
	return Object.fromEntries(entries.map(({ id, end }: SamplingEntry) => [id, end?.kind ?? "open"]));
}
