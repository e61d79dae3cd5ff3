import { Emitter } from "../../base/event.ts";
import { type Disposable, DisposableStore, toDisposable } from "../../base/lifecycle.ts";
import { throttle } from "../../base/throttle.ts";
import type { ServerTap } from "../../protocol/wireTap.ts";
import type {
	Exchange,
	ExchangeBodies,
	TraceLevel,
	TraceReader,
	TraceSnapshot,
	WantedTrace,
	KeptBody,
	KeptHeaders,
} from "./exchange.ts";
import { ExchangeRecord, type ExchangeStart, type HeldContents } from "./exchangeRecord.ts";
import { BodyRing, type HeldBody } from "./keptBodies.ts";
import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import { ServerRecorder, type RecordKeeper } from "./serverRecorder.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { jsonIn } from "../../base/json.ts";

const megabyte = 1024 * 1024;
/** Exchanges that are kept, of all servers together. */
const mostExchanges = 2000;
/** The maximum kept bodies, in bytes: of one server if all are wanted, or only recent ones, and of all servers. */
const mostBodies = { ofServer: 8 * megabyte, recent: 2 * megabyte, ofAll: 32 * megabyte };
/** How often views are updated, in milliseconds. */
const tellEveryMs = 200;

/** The settings of a recorder. */
export interface RecorderOptions {
	/** How much the user wants kept of a server, by its name; asked again after `changed`. */
	readonly wanted: (serverName: string) => WantedTrace;
	/** Removes secrets from the displayed data; nothing is searched before. */
	readonly redactor: Redactor;
}

/**
 * The flight recorder: recent messages between the host and its servers, kept in memory, bounded by number and by bytes
 * (TRC-03). By default with the contents of the last messages of each server, so that they are available after a failure.
 */
export class Recorder implements TraceReader, RecordKeeper, Disposable {
	private readonly options: RecorderOptions;
	/** A name that no other window's trace has. */
	private readonly window = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
	/** A ring: from `next` on the oldest first, but for those that still waited when it was their turn to be dropped. */
	private records: ExchangeRecord[] = [];
	private next = 0;
	private readonly servers = new Map<string, ServerRecorder>();
	/** How many of the records are of each server. */
	private readonly shares = new Map<string, number>();
	private readonly changed = new Emitter<void>();
	readonly onDidChange: TraceReader["onDidChange"] = this.changed.event;
	private readonly store = new DisposableStore();
	private readonly tell = this.store.add(throttle(() => this.changed.fire(), tellEveryMs));
	/** Set while spans are sent. */
	traceparentOf: RecordKeeper["traceparentOf"];
	private revision = 0;
	private lastId = 0;
	private goneCount = 0;
	/** How many were gone when the trace was last cleared. */
	private goneAtClear = 0;
	private holders = 0;

	constructor(options: RecorderOptions) {
		this.options = options;
	}

	/** The recorder of a server, by the id of its definition and its name. */
	tap(server: string, name: string): ServerTap {
		let recorder = this.servers.get(server);
		if (recorder === undefined) {
			recorder = new ServerRecorder(server, name, "off", this, new BodyRing(mostBodies.recent));
			this.servers.set(server, recorder);
		}
		recorder.name = name;
		this.adjust(recorder);
		return recorder;
	}

	/** The settings changed. */
	reconsider(): void {
		for (const recorder of this.servers.values()) this.adjust(recorder);
		this.tell.run();
	}

	snapshot(since: number): TraceSnapshot {
		const now = performance.now();
		const exchanges: Exchange[] = [];
		let firstId = this.lastId + 1;
		for (const record of this.records) {
			if (record.revision > since) exchanges.push(record.view(now));
			firstId = Math.min(firstId, record.id);
		}
		return {
			revision: this.revision,
			exchanges: exchanges.sort((one, other) => one.id - other.id),
			firstId,
			gone: this.goneCount,
			dropped: this.goneCount - this.goneAtClear,
		};
	}

	get(id: number): Exchange | undefined {
		return this.recordOf(id)?.view(performance.now());
	}

	body(id: number, child?: string): ExchangeBodies | undefined {
		const record = this.recordOf(id);
		const held = child === undefined ? record : record?.child(child);
		return held === undefined ? undefined : shownBodies(held, this.options.redactor);
	}

	level(server: string): TraceLevel {
		return this.servers.get(server)?.level ?? "metadata";
	}

	holdBodies(): Disposable {
		this.holders++;
		this.reconsider();
		return toDisposable(() => {
			this.holders--;
			this.reconsider();
		});
	}

	clear(): void {
		const waiting = this.records.filter((record) => record.isWaiting);
		this.goneCount += this.records.length - waiting.length;
		this.records = waiting;
		this.next = 0;
		this.shares.clear();
		for (const { server } of waiting) this.shares.set(server, this.shareOf(server) + 1);
		this.goneAtClear = this.goneCount;
		for (const { bodies } of this.servers.values()) bodies.clear();
		this.revision++;
		this.tell.run();
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
		this.records = [];
		this.servers.clear();
	}

	nameOf(id: number): string {
		return `${this.window}-${id}`;
	}

	find(name: string): number | undefined {
		const [window, id] = name.split("-");
		return window === this.window ? this.recordOf(Number(id))?.id : undefined;
	}

	add({ server, name }: ServerRecorder, start: ExchangeStart): ExchangeRecord {
		const record = this.records.length < mostExchanges ? this.addRecord() : this.replaceOldest(server);
		this.shares.set(server, this.shareOf(server) + 1);
		record.begin(++this.lastId, server, name, start);
		this.touch(record);
		return record;
	}

	touch(record: ExchangeRecord): void {
		record.revision = ++this.revision;
		this.tell.run();
	}

	trim(): void {
		let total = 0;
		let largest: BodyRing | undefined;
		for (const { bodies } of this.servers.values()) {
			total += bodies.bytes;
			if (largest === undefined || bodies.bytes > largest.bytes) largest = bodies;
		}
		if (largest === undefined) return;
		while (total > mostBodies.ofAll) {
			const before = largest.bytes;
			if (!largest.dropOldest()) return;
			total -= before - largest.bytes;
		}
	}

	/** Has a server recorded as the user wants it now; while a view is open, more of it than by default. */
	private adjust(recorder: ServerRecorder): void {
		const wanted = this.options.wanted(recorder.name);
		const isWhole = wanted === "bodies" || this.holders > 0;
		recorder.level = wanted === "off" ? "off" : wanted === "metadata" && !isWhole ? "metadata" : "bodies";
		recorder.bodies.limit(isWhole ? mostBodies.ofServer : mostBodies.recent);
	}

	private recordOf(id: number): ExchangeRecord | undefined {
		return this.records.find((record) => record.id === id);
	}

	private addRecord(): ExchangeRecord {
		const record = new ExchangeRecord();
		this.records.push(record);
		return record;
	}

	private shareOf(server: string): number {
		return this.shares.get(server) ?? 0;
	}

	/**
	 * Drops the oldest for a new one of a server: not pending requests, which users look for. A busy server takes no room
	 * from one that has less.
	 */
	private replaceOldest(server: string): ExchangeRecord {
		const own = this.shareOf(server);
		const stays = (record: ExchangeRecord | undefined): boolean =>
			record !== undefined && (record.isAwaited || (record.server !== server && this.shareOf(record.server) <= own));
		let at = this.next;
		for (let left = mostExchanges; left > 0 && stays(this.records[at]); left--) at = (at + 1) % mostExchanges;
		this.next = (at + 1) % mostExchanges;
		const oldest = this.records[at];
		this.goneCount++;
		if (oldest !== undefined) {
			this.shares.set(oldest.server, this.shareOf(oldest.server) - 1);
			this.release(oldest);
		}
		return oldest?.isFree === true ? oldest : (this.records[at] = new ExchangeRecord());
	}

	private release(record: ExchangeRecord): void {
		const bodies = this.servers.get(record.server)?.bodies;
		if (bodies === undefined || bodies.bytes === 0) return;
		for (const { request, response, told } of record.holders)
			for (const body of [request, response, told]) if (body !== undefined) bodies.release(body);
	}
}

/**
 * The held data of an exchange or a child, fit to be shown or exported: without the secrets that the host knows
 * (SEC-10), and without values that look like one by name or form (TRC-04). Undefined when nothing is held.
 */
export function shownBodies(held: HeldContents, redactor: Redactor): ExchangeBodies | undefined {
	const writer = new SafeWriter(redactor);
	const request = bodyOf(writer, held.request);
	const response = bodyOf(writer, held.response);
	const told = bodyOf(writer, held.told);
	if ([request, response, told, held.requestHeaders].every((part) => part === undefined)) return undefined;
	return {
		...(told === undefined ? {} : { told }),
		...(request === undefined ? {} : { request }),
		...(response === undefined ? {} : { response }),
		...(held.requestHeaders === undefined ? {} : { requestHeaders: headersOf(writer, held.requestHeaders) }),
		...(held.responseHeaders === undefined
			? {}
			: { responseHeaders: headersOf(writer, Object.fromEntries(held.responseHeaders)) }),
		hidden: writer.hidden,
	};
}

function bodyOf(writer: SafeWriter, held: HeldBody | undefined): KeptBody | undefined {
	const content = held?.content;
	if (content === undefined) return undefined;
	if (typeof content === "string") return { kind: "whole", value: writer.json(jsonIn(content)) };
	if (content.kind === "whole") return { kind: "whole", value: writer.json(jsonObjectOf(content.message)) };
	const { text, length, sha256 } = content;
	return { kind: "head", text: writer.text(text), length, ...(sha256 === undefined ? {} : { sha256 }) };
}

function headersOf(writer: SafeWriter, headers: Readonly<Record<string, string>>): KeptHeaders {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), writer.text(value, name.toLowerCase())]),
	);
}
