import { Emitter, type Event } from "../../base/event.ts";
import { HostError, StoppedHere } from "../../base/errors.ts";
import type { Decision, DecisionSubject } from "./decision.ts";
import { askerOf, type PendingDecisions } from "./pendingDecisions.ts";
import { RequestRefusal } from "../../base/refusal.ts";

/** Why a question is shown: its turn has come, or the user asked to see it. */
export type ShowReason = "turn" | "asked";

/** A question that waits and that the user has not before them. */
export interface Unseen {
	readonly id: string;
	readonly subject: DecisionSubject;
	/** Resolves when it ends. */
	readonly settled: Promise<unknown>;
	/** Shows it, because the user asked to see it. */
	reveal(): void;
}

interface Entry extends Unseen {
	readonly server: string;
	readonly lane: string;
	readonly isOpen: () => boolean;
	/** It is listed but not shown automatically yet. */
	isHeld: boolean;
	/** It is before the user, in a panel or in a chat. */
	isSeen: boolean;
	readonly show: (reason: ShowReason) => void;
}

/** How a question enters the queue. */
export interface Entrance {
	/** Its own place, such as a chat, where it waits for no other place's questions. */
	readonly place?: string;
	/** How long it is only listed, before it is shown automatically, in milliseconds (ELC-05). */
	readonly heldMs?: number;
	/** After how long without the user's doing it expires, in milliseconds; 0 is never. */
	readonly expiresMs?: number;
}

/** The session of the server that asks, as far as its end ends its questions. */
export interface AskingSession {
	readonly state: { readonly kind: string };
}

/** How many questions of one server may wait for the user at a time (SMP-01). */
export const limitPerServer = 20;

/**
 * The place of unexpected questions, such as those that servers ask independently: it is announced instead of opened.
 */
export const unasked = "unasked";

/**
 * Shows the questions of all servers to the user one at a time: of each server in the order of arrival, the servers in
 * turn. The others wait in the list of pending decisions, from which the user may take any. Questions that are asked
 * during a user's call do not wait behind those that servers ask independently.
 */
export class DecisionQueue {
	private readonly pending: PendingDecisions;
	private readonly entries: Entry[] = [];
	private readonly shown = new Map<string, Entry>();
	/** When each server last had its turn; the one that waited longest is next. */
	private readonly lastTurns = new Map<string, number>();
	private turn = 0;
	private readonly changed = new Emitter<void>();
	/** A question was added, removed or shown, or is no longer held back. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(pending: PendingDecisions) {
		this.pending = pending;
	}

	/**
	 * The waiting questions that are not shown, in their order: the servers in turn. Without those that are held back,
	 * and those of a server that has one shown, whose next follows automatically.
	 */
	get unseen(): readonly Unseen[] {
		const busy = new Set(this.entries.filter(({ isSeen }) => isSeen).map(({ server }) => server));
		const waiting = this.entries.filter((entry) => isReady(entry) && !entry.isSeen && !busy.has(entry.server));
		const order: Entry[] = [];
		const turns = new Map(this.lastTurns);
		// One that has its turn already, but was only announced, comes before all others.
		for (const entry of this.shown.values()) if (waiting.includes(entry)) turns.set(entry.server, -1);
		while (waiting.length > 0) {
			const next = nextOf(waiting, turns);
			if (next === undefined) break;
			waiting.splice(waiting.indexOf(next), 1);
			order.push(next);
			turns.set(next.server, this.turn + order.length);
		}
		return order;
	}

	/** How many questions of a server (see `askerOf`) wait, those before the user among them. */
	waitingOf(server: string): number {
		return this.entries.filter((entry) => entry.server === server && entry.isOpen()).length;
	}

	/**
	 * Lists a question and shows it when its turn comes.
	 * @throws RequestRefusal `limit` when too many questions of its server wait already.
	 */
	enter<T>(decision: Decision<T>, show: (reason: ShowReason) => void, entrance: Entrance = {}): void {
		const { place, heldMs = 0, expiresMs = 0 } = entrance;
		const { id, subject, settled } = decision;
		const server = askerOf(subject);
		if (this.waitingOf(server) >= limitPerServer) throw queueIsFull();
		const entry: Entry = {
			id,
			subject,
			settled,
			server,
			lane: place ?? (subject.during === undefined ? unasked : "during-call"),
			isOpen: () => decision.outcome === undefined,
			isHeld: heldMs > 0,
			isSeen: false,
			show,
			reveal: () => this.show(entry, "asked"),
		};
		this.entries.push(entry);
		this.pending.add(decision, () => entry.reveal());
		if (expiresMs > 0) decision.expireAfter(expiresMs);
		const release = (): void => {
			entry.isHeld = false;
			this.next(entry.lane);
			this.changed.fire();
		};
		const timer = heldMs > 0 ? setTimeout(release, heldMs) : undefined;
		void settled.then(() => this.leave(entry, timer));
		this.next(entry.lane);
		this.changed.fire();
	}

	/** Takes note of a request that a rule answers, so that the user can refuse it with all others of its server. */
	noteUnasked<T>(decision: Decision<T>): void {
		this.pending.addUnlisted(decision);
	}

	private leave(entry: Entry, timer: NodeJS.Timeout | undefined): void {
		clearTimeout(timer);
		this.entries.splice(this.entries.indexOf(entry), 1);
		if (this.shown.get(entry.lane) === entry) this.shown.delete(entry.lane);
		this.next(entry.lane);
		this.changed.fire();
	}

	private next(lane: string): void {
		if (this.shown.has(lane)) return;
		const entry = nextOf(
			this.entries.filter((waiting) => waiting.lane === lane && isReady(waiting)),
			this.lastTurns,
		);
		if (entry === undefined) return;
		this.shown.set(lane, entry);
		this.lastTurns.set(entry.server, ++this.turn);
		this.show(entry, "turn");
	}

	private show(entry: Entry, reason: ShowReason): void {
		if (!entry.isOpen()) return;
		const isBefore = reason === "asked" || entry.lane !== unasked;
		const isNews = isBefore && !entry.isSeen;
		entry.isSeen ||= isBefore;
		entry.show(reason);
		if (isNews) this.changed.fire();
	}
}

/** The refusal of a request for which there is no room; the message is for the server's author. */
export function queueIsFull(): RequestRefusal {
	return new RequestRefusal(
		-32603,
		"limit",
		`${limitPerServer} requests from this server are already waiting for the user`,
	);
}

function isReady(entry: Entry): boolean {
	return !entry.isHeld && entry.isOpen();
}

/** The first of the server that waited longest for its turn. */
function nextOf(waiting: readonly Entry[], turns: ReadonlyMap<string, number>): Entry | undefined {
	const turnOf = ({ server }: Entry): number => turns.get(server) ?? 0;
	return waiting.length === 0
		? undefined
		: waiting.reduce((best, other) => (turnOf(other) < turnOf(best) ? other : best));
}

/**
 * Ends a question when its request ends, with the reason: withdrawn, stopped here with its call, or the server
 * disconnected.
 */
export function lapseWithRequest<T>(decision: Decision<T>, session: AskingSession, signal: AbortSignal): void {
	const onAbort = (): void => {
		// When a connection breaks, its requests are aborted just before the session's state says so.
		queueMicrotask(() => {
			const isGone = HostError.is(signal.reason, "not-connected") || session.state.kind !== "running";
			const isStopped = signal.reason instanceof StoppedHere;
			decision.lapse(isGone ? "server-gone" : isStopped ? "stopped" : "cancelled");
		});
	};
	if (signal.aborted) {
		onAbort();
		return;
	}
	signal.addEventListener("abort", onAbort, { once: true });
	void decision.settled.then(() => signal.removeEventListener("abort", onAbort));
}
