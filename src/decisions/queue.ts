import { HostError } from "../base/errors.ts";
import type { Session } from "../servers/session.ts";
import type { Decision, PendingDecisions } from "./decision.ts";
import { RequestRefusal } from "./refusal.ts";

/** Why a question is shown: its turn has come, or the person asked to see it. */
export type ShowReason = "turn" | "asked";

interface Entry {
	readonly server: string;
	readonly lane: Lane;
	readonly isOpen: () => boolean;
	readonly show: (reason: ShowReason) => void;
}

/** Questions that come up during a call of the person's do not wait behind those that servers ask on their own. */
type Lane = "during-call" | "unasked";

/** How many questions of one server may wait for the person at a time (security.md SMP-01). */
const limitPerServer = 20;

/**
 * Brings the questions of all servers before the person one at a time: of each server in the order of arrival, the
 * servers in turn. The others wait in the list of pending decisions, from which the person may take any.
 */
export class DecisionQueue {
	private readonly pending: PendingDecisions;
	private readonly entries: Entry[] = [];
	private readonly shown = new Map<Lane, Entry>();
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
	enter<T>(decision: Decision<T>, show: (reason: ShowReason) => void): void {
		const { server, during } = decision.subject;
		if (this.entries.filter((entry) => entry.server === server).length >= limitPerServer) {
			throw new RequestRefusal(-32603, "limit", `${limitPerServer} requests of this server already wait for the user`);
		}
		const entry: Entry = {
			server,
			lane: during === undefined ? "unasked" : "during-call",
			isOpen: () => decision.outcome === undefined,
			show,
		};
		this.entries.push(entry);
		this.pending.add(decision, () => show("asked"));
		void decision.settled.then(() => this.leave(entry));
		this.next(entry.lane);
	}

	private leave(entry: Entry): void {
		this.entries.splice(this.entries.indexOf(entry), 1);
		if (this.shown.get(entry.lane) === entry) this.shown.delete(entry.lane);
		this.next(entry.lane);
	}

	private next(lane: Lane): void {
		if (this.shown.has(lane)) return;
		const waiting = this.entries.filter((entry) => entry.lane === lane && entry.isOpen());
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
