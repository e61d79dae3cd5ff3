import type { RequestId } from "@modelcontextprotocol/client";
import type { Era } from "../protocol/connection/connection.ts";
import type { Asker } from "../protocol/wireTap.ts";
import type { Exchange, ExchangeChild, ExchangeOutcome } from "./exchange.ts";
import { ExchangeClock } from "./exchangeClock.ts";
import type { HeldBody } from "./keptBodies.ts";

/** Children of one kind and label that stand alone; those that follow are counted in the last one. */
const mostAlike = 20;
/** Children of one exchange that are kept. */
const mostChildren = 200;

const waiting: ExchangeOutcome = { kind: "waiting" };

/** What messages and headers are kept of an exchange or a child. */
export interface HeldContents {
	request?: HeldBody | undefined;
	response?: HeldBody | undefined;
	requestHeaders?: Readonly<Record<string, string>> | undefined;
	responseHeaders?: Headers | undefined;
}

/** A child while it is recorded. */
export interface ChildRecord extends HeldContents {
	readonly kind: ExchangeChild["kind"];
	readonly label: string;
	readonly startedAt: number;
	endedAt?: number;
	count: number;
	bytesOut: number;
	bytesIn: number;
	status?: number;
	isSignIn?: boolean;
	outcome?: ExchangeOutcome;
}

/** What is known of an exchange when it begins. */
export interface ExchangeStart {
	readonly id: number;
	readonly server: string;
	readonly serverName: string;
	readonly generation: number;
	readonly transport: Exchange["transport"];
	readonly era: Era | undefined;
	readonly kind: Exchange["kind"];
	readonly direction: Exchange["direction"];
	readonly method: string;
	readonly target: string | undefined;
	readonly origin: Asker;
	/** On the clock of `performance.now`, as all times of a record. */
	readonly now: number;
}

/** An exchange while it is recorded: a few numbers and references, made into what is shown when somebody looks. */
export class ExchangeRecord implements HeldContents {
	readonly start: ExchangeStart;
	readonly clock: ExchangeClock;
	readonly children: ChildRecord[] = [];
	request?: HeldBody | undefined;
	response?: HeldBody | undefined;
	requestHeaders?: Readonly<Record<string, string>> | undefined;
	responseHeaders?: Headers | undefined;
	generation: number;
	transport: Exchange["transport"];
	era: Era | undefined;
	protocolVersion: string | undefined;
	outcome: ExchangeOutcome = waiting;
	bytesOut = 0;
	bytesIn = 0;
	count = 1;
	rpcId: RequestId | undefined;
	revision = 0;
	/** The requests that were sent for it. */
	wires = 0;
	/** When the last one of a burst came. */
	lastAt: number;
	/** What the last answer on the wire said, while the call goes on. */
	answer: ExchangeOutcome | undefined;
	private alike: Map<string, number> | undefined;
	private dropped = 0;

	constructor(start: ExchangeStart) {
		this.start = start;
		this.clock = new ExchangeClock(start.now);
		this.generation = start.generation;
		this.transport = start.transport;
		this.era = start.era;
		this.lastAt = start.now;
	}

	get isWaiting(): boolean {
		return this.outcome === waiting;
	}

	/** Ends it; only the first end counts. */
	end(outcome: ExchangeOutcome, now: number): void {
		if (!this.isWaiting) return;
		this.outcome = outcome;
		this.clock.end(now);
	}

	/** Adds a child, or counts it with the last one of its kind and label where there are many. */
	addChild(kind: ChildRecord["kind"], label: string, now: number): ChildRecord {
		// The requests of an exchange stand one by one.
		const isOne = kind === "request" || kind === "round" || kind === "retry";
		const count = isOne ? 0 : this.countAlike(`${kind} ${label}`);
		const last =
			count > mostAlike ? this.children.findLast((child) => child.kind === kind && child.label === label) : undefined;
		if (last !== undefined) {
			last.count++;
			last.endedAt = now;
			return last;
		}
		const child: ChildRecord = { kind, label, startedAt: now, count: 1, bytesOut: 0, bytesIn: 0 };
		if (this.children.length < mostChildren) this.children.push(child);
		else this.dropped++;
		return child;
	}

	private countAlike(key: string): number {
		this.alike ??= new Map();
		const count = (this.alike.get(key) ?? 0) + 1;
		this.alike.set(key, count);
		return count;
	}

	/** What is shown of it now. */
	view(now: number): Exchange {
		const { start, outcome } = this;
		return {
			id: start.id,
			server: start.server,
			serverName: start.serverName,
			generation: this.generation,
			transport: this.transport,
			...(this.era === undefined ? {} : { era: this.era }),
			...(this.protocolVersion === undefined ? {} : { protocolVersion: this.protocolVersion }),
			kind: start.kind,
			direction: start.direction,
			method: start.method,
			...(start.target === undefined ? {} : { target: start.target }),
			origin: start.origin,
			startedAt: Math.round(performance.timeOrigin + start.now),
			durations: this.clock.durations(this.isWaiting ? now : this.lastAt),
			bytesOut: this.bytesOut,
			bytesIn: this.bytesIn,
			outcome,
			children: this.children
				.map((child, index) => childView(child, index, start.now))
				// One request on the wire is the exchange itself.
				.filter(({ kind }) => kind !== "request" || this.wires > 1),
			childrenDropped: this.dropped,
			count: this.count,
			hasBodies: hasContents(this),
			...(this.rpcId === undefined ? {} : { rpcId: this.rpcId }),
		};
	}
}

function childView(child: ChildRecord, index: number, since: number): ExchangeChild {
	const { kind, label, startedAt, endedAt, count, bytesOut, bytesIn, status, isSignIn, outcome } = child;
	return {
		kind,
		at: startedAt - since,
		label,
		count,
		...(endedAt === undefined ? {} : { ms: endedAt - startedAt }),
		...(bytesOut === 0 ? {} : { bytesOut }),
		...(bytesIn === 0 ? {} : { bytesIn }),
		...(status === undefined ? {} : { status }),
		...(isSignIn === true ? { isSignIn } : {}),
		...(outcome === undefined ? {} : { outcome }),
		...(hasContents(child) ? { bodyId: String(index) } : {}),
	};
}

function hasContents({ request, response, requestHeaders }: HeldContents): boolean {
	return request?.content !== undefined || response?.content !== undefined || requestHeaders !== undefined;
}
