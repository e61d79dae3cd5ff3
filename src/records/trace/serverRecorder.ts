import type { RequestId } from "@modelcontextprotocol/client";
import { ownCap } from "../../base/ownText.ts";
import type { Asker, FollowedCall, ServerTap, WireForm, WireTap } from "../../protocol/wireTap.ts";
import { CallRecord, endOf } from "./callRecord.ts";
import { ConnectionRecorder, type ConnectionOwner } from "./connectionRecorder.ts";
import type { Exchange, TraceLevel } from "./exchange.ts";
import type { ExchangeRecord, ExchangeStart } from "./exchangeRecord.ts";
import { type BodyRing, heldBody, type HeldBody } from "./keptBodies.ts";

const longestText = 500;

/** The part of the recorder for all servers that the recorder of one server uses. */
export interface RecordKeeper {
	/** Adds an exchange of a server, and drops the oldest one that does not fit. */
	add(server: ServerRecorder, start: ExchangeStart): ExchangeRecord;
	/** Something about it is new. */
	touch(record: ExchangeRecord): void;
	/** Makes room for bodies of all servers. */
	trim(): void;
	/** The name of an exchange, in this window and beyond. */
	nameOf(id: number): string;
	/** The trace context of an exchange's requests, by its name; undefined if no spans are sent. */
	readonly traceparentOf: ((name: string) => string) | undefined;
}

/** Records the messages between the host and one server, over all of its connections. */
export class ServerRecorder implements ServerTap, ConnectionOwner {
	readonly server: string;
	name: string;
	/** Set by the keeper whenever it changes. */
	level: TraceLevel;
	/** The running calls of users and models. */
	private readonly running = new Set<ExchangeRecord>();
	private readonly keeper: RecordKeeper;
	readonly bodies: BodyRing;
	private generations = 0;
	private transport: Exchange["transport"] = "stdio";
	private lastAskedId: number | undefined;
	private lastLine: ExchangeRecord | undefined;
	/** The one that was opened last. */
	private connection: ConnectionRecorder | undefined;

	constructor(server: string, name: string, level: TraceLevel, keeper: RecordKeeper, bodies: BodyRing) {
		this.server = server;
		this.name = name;
		this.level = level;
		this.keeper = keeper;
		this.bodies = bodies;
	}

	/** The one running call, to which the server's messages meanwhile belong; undefined if it cannot be determined. */
	get soleCall(): ExchangeRecord | undefined {
		if (this.running.size !== 1) return undefined;
		const [call] = this.running;
		return call;
	}

	open(transport: Exchange["transport"]): WireTap {
		this.transport = transport;
		this.lastAskedId = undefined;
		return (this.connection = new ConnectionRecorder(this, ++this.generations, transport));
	}

	begin(label: string, asker: Asker, client?: string): FollowedCall | undefined {
		if (this.level === "off") return undefined;
		const record = this.addCall(label, asker, this.generations, client);
		if (asker !== "host") this.running.add(record);
		return new CallRecord(record, this);
	}

	refused(label: string, asker: Asker, by: string): string | undefined {
		if (this.level === "off") return undefined;
		const record = this.addCall(label, asker, 0);
		record.end({ kind: "refused", by: ownCap(by, longestText) }, record.lastAt);
		this.touch(record);
		return this.nameOf(record.id);
	}

	exchangeOf(id: RequestId | undefined): string | undefined {
		const record = (id === undefined ? undefined : this.connection?.recordOf(id)) ?? this.soleCall;
		return record === undefined ? undefined : this.nameOf(record.id);
	}

	get lastAsked(): string | undefined {
		return this.lastAskedId === undefined ? undefined : this.nameOf(this.lastAskedId);
	}

	stderr(line: string): void {
		if (this.level === "off") return;
		const now = performance.now();
		const call = this.soleCall;
		if (call !== undefined) {
			const child = call.addChild("stderr", "stderr", now);
			child.bytesIn += line.length;
			child.request = this.hold(line, { bytes: line.length }, child.request);
			return this.touch(call);
		}
		let record = this.lastLine;
		if (record === undefined || now - record.lastAt > 1000 || record.generation !== this.generations) {
			record = this.add({
				generation: this.generations,
				transport: this.transport,
				era: undefined,
				kind: "notification",
				direction: "in",
				method: "stderr",
				target: undefined,
				origin: "server",
				now,
			});
			record.outcome = { kind: "ok" };
			record.count = 0;
			this.lastLine = record;
		}
		record.count++;
		record.lastAt = now;
		record.bytesIn += line.length;
		record.request = this.hold(line, { bytes: line.length }, record.request);
		this.touch(record);
	}

	nameOf(id: number): string {
		return this.keeper.nameOf(id);
	}

	traceparentOf(id: number): string | undefined {
		return this.keeper.traceparentOf?.(this.nameOf(id));
	}

	/** A call is over. */
	finish(record: ExchangeRecord, error: unknown): void {
		this.running.delete(record);
		const now = performance.now();
		record.lastAt = now;
		record.end(endOf(record, error), now);
		this.touch(record);
	}

	touch(record: ExchangeRecord): void {
		this.keeper.touch(record);
	}

	/** Adds an exchange. */
	add(start: ExchangeStart): ExchangeRecord {
		const record = this.keeper.add(this, start);
		if (start.kind === "request" && start.direction === "out") this.lastAskedId = record.id;
		return record;
	}

	/** Keeps a message where bodies are wanted, in place of a former one where only the last is shown. */
	hold(message: unknown, form: WireForm, former?: HeldBody): HeldBody | undefined {
		if (this.level !== "bodies") return undefined;
		const held = heldBody(message, form);
		if (former?.content !== undefined) {
			this.bodies.replace(former, held);
			return former;
		}
		this.bodies.add(held);
		this.keeper.trim();
		return held;
	}

	private addCall(label: string, origin: Asker, generation: number, client?: string): ExchangeRecord {
		return this.add({
			generation,
			transport: this.transport,
			era: undefined,
			kind: "request",
			direction: "out",
			method: ownCap(label, longestText),
			target: undefined,
			origin,
			...(client === undefined ? {} : { client: ownCap(client, longestText) }),
			now: performance.now(),
		});
	}
}
