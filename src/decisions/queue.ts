import { HostError } from "../base/errors.ts";
import type { Session } from "../servers/session.ts";
import { askerOf, type Decision, type PendingDecisions } from "./decision.ts";
import { RequestRefusal } from "./refusal.ts";

/** Why a question is shown: its turn has come, or the person asked to see it. */
export type ShowReason = "turn" | "asked";

interface Entry {
	readonly server: string;
	readonly lane: string;
	readonly isOpen: () => boolean;
	/** It is listed but not shown by itself yet. */
	isHeld: boolean;
	readonly show: (reason: ShowReason) => void;
}

/** How a question enters the queue. */
export interface Entrance {
	/** Its place of its own, such as a chat, where it waits for no other place's questions. */
	readonly place?: string;
	/** How long it is listed only, before it is shown by itself, in milliseconds (security.md ELC-05). */
	readonly heldMs?: number;
}

/** How many questions of one server may wait for the person at a time (security.md SMP-01). */
const limitPerServer = 20;

/**
 * Brings the questions of all servers before the person one at a time: of each server in the order of arrival, the
 * servers in turn. The others wait in the list of pending decisions, from which the person may take any. Questions that
 * come up during a call of the person's do not wait behind those that servers ask on their own.
 */
export class DecisionQueue {
	private readonly pending: PendingDecisions;
	private readonly entries: Entry[] = [];
	private readonly shown = new Map<string, Entry>();
	/** When each server last had its turn; the one that waited longest is next. */
	private readonly lastTurns = new Map<string, number>();
	private turn = 0;

	constructor(pending: PendingDecisions) {
		this.pending = pending;
	}

	/**
	 * Lists a question and shows it when its turn comes.
	 * @throws RequestRefusal `limit` when too many questions of its server wait already.
	 */
	enter<T>(decision: Decision<T>, show: (reason: ShowReason) => void, { place, heldMs = 0 }: Entrance = {}): void {
		const { during } = decision.subject;
		const server = askerOf(decision.subject);
		if (this.entries.filter((entry) => entry.server === server).length >= limitPerServer) {
			throw new RequestRefusal(-32603, "limit", `${limitPerServer} requests of this server already wait for the user`);
		}
		const entry: Entry = {
			server,
			lane: place ?? (during === undefined ? "unasked" : "during-call"),
			isOpen: () => decision.outcome === undefined,
			isHeld: heldMs > 0,
			show,
		};
		this.entries.push(entry);
		this.pending.add(decision, () => show("asked"));
		const release = (): void => {
			entry.isHeld = false;
			this.next(entry.lane);
		};
		const timer = heldMs > 0 ? setTimeout(release, heldMs) : undefined;
		void decision.settled.then(() => this.leave(entry, timer));
		this.next(entry.lane);
	}

	private leave(entry: Entry, timer: NodeJS.Timeout | undefined): void {
		clearTimeout(timer);
		this.entries.splice(this.entries.indexOf(entry), 1);
		if (this.shown.get(entry.lane) === entry) this.shown.delete(entry.lane);
		this.next(entry.lane);
	}

	private next(lane: string): void {
		if (this.shown.has(lane)) return;
		const waiting = this.entries.filter((entry) => entry.lane === lane && !entry.isHeld && entry.isOpen());
		const [first, ...others] = waiting;
		if (first === undefined) return;
		const entry = others.reduce((best, other) => (this.lastTurn(other) < this.lastTurn(best) ? other : best), first);
		this.shown.set(lane, entry);
		this.lastTurns.set(entry.server, ++this.turn);
		entry.show("turn");
	}

	private lastTurn({ server }: Entry): number {
		return this.lastTurns.get(server) ?? 0;
	}
}

/** Ends a question when the request behind it ends, and tells a server that withdrew it from one that is gone. */
export function lapseWithRequest<T>(decision: Decision<T>, session: Session, signal: AbortSignal): void {
	const onAbort = (): void => {
		// When a connection breaks, its requests are aborted just before the session's state says so.
		queueMicrotask(() => {
			const isGone = HostError.is(signal.reason, "not-connected") || session.state.kind !== "running";
			decision.lapse(isGone ? "server-gone" : "cancelled");
		});
	};
	if (signal.aborted) {
		onAbort();
		return;
	}
	signal.addEventListener("abort", onAbort, { once: true });
	void decision.settled.then(() => signal.removeEventListener("abort", onAbort));
}
