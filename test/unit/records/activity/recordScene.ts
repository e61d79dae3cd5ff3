import type { ActivityJournal, ActivityRecord } from "../../../../src/records/activity/journal/activityJournal.ts";
import { itemsOf } from "../../../../src/records/activity/journal/items.ts";
import { deciderOf } from "../../../../src/records/activity/journal/words.ts";
import type { RecordMode } from "../../../../src/records/activity/keeper.ts";
import { notedSampling } from "../../../../src/records/activity/notedSampling.ts";
import type {
	OpenEntry,
	SamplingArrival,
	SamplingEntry,
	SamplingRecord,
} from "../../../../src/records/activity/samplingRecord.ts";
import { JournalScene } from "./journal/scene.ts";

/** A request when it arrives, and when that is. */
export interface Arrival extends SamplingArrival {
	readonly at: number;
}

/** The kept data of one request, with who asked and who decided. */
export interface KeptRequest extends Omit<SamplingEntry, "end"> {
	readonly id: string;
	readonly at: number;
	readonly server: string;
	readonly serverId: string;
	readonly exchange?: string;
	readonly end?: { readonly at: number; readonly kind: string; readonly by: string } & NonNullable<
		SamplingEntry["end"]
	>;
}

/** One window of the editor, as far as sampling requests are concerned. */
export interface RecordWindow {
	readonly log: { open(entry: Arrival | SamplingArrival): OpenEntry };
	readonly journal: ReturnType<JournalScene["window"]>;
}

/** A folder on a real disk with windows that come and go. */
export class RecordScene implements AsyncDisposable {
	readonly journals: JournalScene;
	mode: RecordMode = "full";

	private constructor(journals: JournalScene) {
		this.journals = journals;
	}

	static async begin(): Promise<RecordScene> {
		return new RecordScene(await JournalScene.begin());
	}

	/** Opens a window, which has done nothing so far. */
	window(): RecordWindow {
		const journal = this.journals.window();
		const record = notedSampling(journal, () => this.mode);
		const open = (entry: Arrival | SamplingArrival): OpenEntry => {
			const { at, ...arrived } = { at: undefined, ...entry };
			if (at !== undefined) this.journals.now = at - 1;
			return record.open(arrived);
		};
		return { log: { open }, journal };
	}

	/** Every byte on the disk. */
	get disk(): string {
		return this.journals.bytes;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.journals[Symbol.asyncDispose]();
	}
}

let last = 0;

/** A request of the server `weather`, with an id of its own. */
export function arrival(more: Partial<Arrival> = {}): Arrival {
	const number = ++last;
	return {
		id: `entry-${number}`,
		at: Date.UTC(2026, 10, 22, 8) + number * 10,
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
export function review(log: RecordWindow["log"] | SamplingRecord, more: Partial<Arrival> = {}): Arrival {
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
		kind: "returned",
		by: "you",
		returned: [{ place: "text", original: "It is fine.", edited: "It is sunny." }],
	});
}

/** The sampling requests of all windows, newest first, as far as they are kept. */
export async function requestsIn(journal: Pick<ActivityJournal, "read">): Promise<readonly KeptRequest[]> {
	return itemsOf(await journal.read()).flatMap(({ records, sampling }) => {
		const [first] = records;
		if (first?.entry.kind !== "sampling") return [];
		const { id, server, serverId, exchange } = first.entry;
		const { end, ...kept } = sampling ?? { request: [], parameters: {}, attempts: [] };
		const ended = endOf(records);
		return [
			{
				id,
				at: first.at,
				server,
				serverId,
				...(exchange === undefined ? {} : { exchange }),
				...kept,
				...(ended === undefined ? {} : { end: { ...ended, ...end } }),
			},
		];
	});
}

function endOf(records: readonly ActivityRecord[]) {
	const record = records.at(-1);
	if (record?.entry.kind !== "sampling") return undefined;
	const { phase } = record.entry;
	if (phase === "asked" || phase === "sent") return undefined;
	return { at: record.at, kind: phase, by: deciderOf(record.entry) };
}

/** The ids of all requests, newest first. */
export async function idsOf({ journal }: Pick<RecordWindow, "journal">): Promise<readonly string[]> {
	return (await requestsIn(journal)).map(({ id }) => id);
}

/** The states of all requests, by id. */
export async function endsOf({ journal }: Pick<RecordWindow, "journal">): Promise<Readonly<Record<string, string>>> {
	return Object.fromEntries((await requestsIn(journal)).map(({ id, end }) => [id, end?.kind ?? "open"]));
}
