import type { RequestId } from "@modelcontextprotocol/client";
import type { Era } from "../../protocol/connection.ts";
import type { Asker } from "../../protocol/wireTap.ts";
import type { Exchange, ExchangeChild, ExchangeOutcome } from "./exchange.ts";
import { ExchangeClock } from "./exchangeClock.ts";
import type { HeldBody } from "./keptBodies.ts";

/** Single children of one kind and label; later ones are counted in the last one. */
const mostAlike = 20;
/** Children of one exchange that are kept. */
const mostChildren = 200;

const waiting: ExchangeOutcome = { kind: "waiting" };
const waitingForUser: ExchangeOutcome = { kind: "waiting", on: "user" };

/** The messages and headers that are kept of an exchange or a child. */
export interface HeldContents {
	request?: HeldBody | undefined;
	response?: HeldBody | undefined;
	requestHeaders?: Readonly<Record<string, string>> | undefined;
	responseHeaders?: Headers | undefined;
	/** The form for a model. */
	told?: HeldBody | undefined;
}

/** A child while it is recorded. */
export interface ChildRecord extends HeldContents {
	kind: ExchangeChild["kind"];
	label: string;
	startedAt: number;
	/** NaN if it has no end yet. */
	endedAt: number;
	count: number;
	bytesOut: number;
	bytesIn: number;
	status?: number;
	isSignIn?: boolean;
	outcome: ExchangeOutcome | undefined;
}

/** The facts about an exchange when it begins. */
export interface ExchangeStart {
	readonly generation: number;
	readonly transport: Exchange["transport"];
	readonly era: Era | undefined;
	readonly kind: Exchange["kind"];
	readonly direction: Exchange["direction"];
	readonly method: string;
	readonly target: string | undefined;
	readonly origin: Asker;
	readonly client?: string;
	/** On the clock of `performance.now`, as all times of a record. */
	readonly now: number;
}

/**
 * An exchange while it is recorded: a few numbers and references, converted for display when it is viewed.
 *
 * One record serves several exchanges in sequence. Collecting objects that are kept for a while and then dropped costs
 * the most, more than writing these numbers.
 */
export class ExchangeRecord implements HeldContents {
	id = 0;
	server = "";
	request?: HeldBody | undefined;
	response?: HeldBody | undefined;
	requestHeaders?: Readonly<Record<string, string>> | undefined;
	responseHeaders?: Headers | undefined;
	told?: HeldBody | undefined;
	generation = 0;
	transport: Exchange["transport"] = "stdio";
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
	/** When the last one of a burst arrived. */
	lastAt = Number.NaN;
	/** The state of the last answer on the wire, while the call continues. */
	answer: ExchangeOutcome | undefined;
	readonly clock = new ExchangeClock();
	private serverName = "";
	private kind: Exchange["kind"] = "request";
	private direction: Exchange["direction"] = "out";
	private label = "";
	private target: string | undefined;
	private origin: Asker = "host";
	private client: string | undefined;
	private startedAt = Number.NaN;
	/** The first request that was sent for it: the exchange itself, unless there are more. */
	private readonly first = newChild("request", "", Number.NaN);
	/** Without that one; undefined if there are none. */
	private others: ChildRecord[] | undefined;
	private alike: Map<string, number> | undefined;
	private dropped = 0;

	/** Serves another exchange from now on, of the server with that id and name. */
	begin(id: number, server: string, serverName: string, start: ExchangeStart): void {
		this.id = id;
		this.server = server;
		this.serverName = serverName;
		this.generation = start.generation;
		this.transport = start.transport;
		this.era = start.era;
		this.kind = start.kind;
		this.direction = start.direction;
		this.label = start.method;
		this.target = start.target;
		this.origin = start.origin;
		this.client = start.client;
		this.startedAt = start.now;
		this.lastAt = start.now;
		this.clock.begin(start.now);
		this.outcome = waiting;
		this.answer = undefined;
		this.bytesOut = 0;
		this.bytesIn = 0;
		this.wires = 0;
		this.rpcId = undefined;
		this.protocolVersion = undefined;
		this.request = undefined;
		this.response = undefined;
		this.told = undefined;
	}

	/**
	 * Whether its record may serve another exchange: it has ended and was only one answered request, so that nothing else
	 * refers to it.
	 */
	get isFree(): boolean {
		return this.others === undefined && this.wires === 1 && !this.isWaiting && !this.clock.isAway;
	}

	get isWaiting(): boolean {
		return this.outcome === waiting;
	}

	/** Whether an answer is waited for here: a server that asks need not wait for one. */
	get isAwaited(): boolean {
		return this.isWaiting && this.direction === "out";
	}

	/** Its label and its subject. A call's label is split when it is viewed; no other method of ours has a space. */
	get parts(): readonly [method: string, target: string | undefined] {
		const { label, target, direction } = this;
		const space = target === undefined && direction === "out" ? label.indexOf(" ") : -1;
		return space === -1 ? [label, target] : [label.slice(0, space), label.slice(space + 1)];
	}

	get method(): string {
		return this.parts[0];
	}

	/** All for which contents may be kept. */
	get holders(): readonly HeldContents[] {
		return [this, this.first, ...(this.others ?? [])];
	}

	/** Ends it; only the first end counts. */
	end(outcome: ExchangeOutcome, now: number): void {
		if (!this.isWaiting) return;
		this.outcome = outcome;
		this.clock.end(now);
	}

	/** Adds a child, or counts it with the last one of its kind and label where there are many. */
	addChild(kind: ChildRecord["kind"], label: string, now: number): ChildRecord {
		const { first } = this;
		if (kind === "request" && this.wires === 1) {
			first.label = label;
			first.startedAt = now;
			first.endedAt = Number.NaN;
			first.bytesIn = 0;
			first.outcome = undefined;
			return first;
		}
		this.others ??= [];
		// The requests of an exchange are separate children.
		const isOne = kind === "request" || kind === "round" || kind === "retry";
		const count = isOne ? 0 : this.countAlike(`${kind} ${label}`);
		const last =
			count > mostAlike ? this.others.findLast((child) => child.kind === kind && child.label === label) : undefined;
		if (last !== undefined) {
			last.count++;
			last.endedAt = now;
			return last;
		}
		const child = newChild(kind, label, now);
		if (this.others.length < mostChildren) this.others.push(child);
		else this.dropped++;
		return child;
	}

	/** The child that a view names by its `bodyId`. */
	child(bodyId: string): ChildRecord | undefined {
		return bodyId === "0" ? this.first : this.others?.[Number(bodyId) - 1];
	}

	private countAlike(key: string): number {
		this.alike ??= new Map();
		// If there are more kinds than children, none is kept any more.
		if (this.alike.size >= mostChildren && !this.alike.has(key)) return 1;
		const count = (this.alike.get(key) ?? 0) + 1;
		this.alike.set(key, count);
		return count;
	}

	/** Its current display form. */
	view(now: number): Exchange {
		const { others = [], startedAt } = this;
		const outcome = this.isWaiting && this.clock.isAsking ? waitingForUser : this.outcome;
		const [method, target] = this.parts;
		const children = others.map((child, index) => childView(child, index + 1, startedAt));
		return {
			id: this.id,
			server: this.server,
			serverName: this.serverName,
			generation: this.generation,
			transport: this.transport,
			...(this.era === undefined ? {} : { era: this.era }),
			...(this.protocolVersion === undefined ? {} : { protocolVersion: this.protocolVersion }),
			kind: this.kind,
			direction: this.direction,
			method,
			...(target === undefined ? {} : { target }),
			origin: this.origin,
			...(this.client === undefined ? {} : { client: this.client }),
			startedAt: Math.round(performance.timeOrigin + startedAt),
			durations: this.clock.durations(this.isWaiting ? now : this.lastAt),
			bytesOut: this.bytesOut,
			bytesIn: this.bytesIn,
			outcome,
			children:
				this.wires > 1
					? [childView(this.first, 0, startedAt), ...children].sort((one, other) => one.at - other.at)
					: children,
			childrenDropped: this.dropped,
			count: this.count,
			hasBodies: hasContents(this),
			...(this.rpcId === undefined ? {} : { rpcId: this.rpcId }),
		};
	}
}

function newChild(kind: ChildRecord["kind"], label: string, startedAt: number): ChildRecord {
	return { kind, label, startedAt, endedAt: Number.NaN, count: 1, bytesOut: 0, bytesIn: 0, outcome: undefined };
}

function childView(child: ChildRecord, index: number, since: number): ExchangeChild {
	const { kind, label, startedAt, endedAt, count, bytesOut, bytesIn, status, isSignIn, outcome } = child;
	return {
		kind,
		at: startedAt - since,
		label,
		count,
		...(Number.isNaN(endedAt) ? {} : { ms: endedAt - startedAt }),
		...(bytesOut === 0 ? {} : { bytesOut }),
		...(bytesIn === 0 ? {} : { bytesIn }),
		...(status === undefined ? {} : { status }),
		...(isSignIn === true ? { isSignIn } : {}),
		...(outcome === undefined ? {} : { outcome }),
		...(hasContents(child) ? { bodyId: String(index) } : {}),
	};
}

function hasContents({ request, response, told, requestHeaders }: HeldContents): boolean {
	return [request, response, told].some((body) => body?.content !== undefined) || requestHeaders !== undefined;
}
