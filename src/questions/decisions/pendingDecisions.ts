import { Emitter, type Event } from "../../base/event.ts";
import { toDisposable, type Disposable } from "../../base/lifecycle.ts";
import type { Decision, DecisionKind, DecisionSubject, LapseReason, Settled } from "./decision.ts";

/** The kinds of what a server asks by a request of its own; a tool is what a model asks to run, and a start a user's. */
const requestKinds: ReadonlySet<DecisionKind> = new Set(["sampling", "elicitation", "url"]);

/** Whether the server itself asks, so that the user may refuse all of its kind together. */
export function isServerRequest({ kind }: DecisionSubject): boolean {
	return requestKinds.has(kind);
}

/** Distinguishes the requesting server from every other; by its name if a subject has no id. */
export function askerOf({ server, serverId }: DecisionSubject): string {
	return serverId ?? server;
}

/** A decision in the list, without the type of its answer. */
export interface PendingDecision {
	readonly id: string;
	readonly subject: DecisionSubject;
	/** Resolves when it ends; never rejects. */
	readonly settled: Promise<Settled<unknown>>;
	/** Whether it can be refused from the list. */
	readonly canRefuse: boolean;
	/** Brings the question before the user, who asked to see it. */
	reveal(): void;
	/** Refuses it for the user; false when it had already ended, or cannot be refused so. */
	refuse(): boolean;
}

type Entry = PendingDecision & { lapse(reason: LapseReason): boolean };

function entryOf<T>(decision: Decision<T>, reveal: () => void): Entry {
	return {
		id: decision.id,
		subject: decision.subject,
		settled: decision.settled,
		canRefuse: decision.canRefuse,
		reveal,
		refuse: () => decision.refuse(),
		lapse: (reason) => decision.lapse(reason),
	};
}

/** Everything that waits for the user in this window, oldest first. Feeds the Pending view and the status bar. */
export class PendingDecisions implements Disposable {
	private readonly entries = new Map<string, Entry>();
	/** Requests that rules answer; they wait for nobody. */
	private readonly unlisted = new Map<string, Entry>();
	private readonly changed = new Emitter<void>();
	private isDisposed = false;
	readonly onDidChange: Event<void> = this.changed.event;

	get all(): readonly PendingDecision[] {
		return [...this.entries.values()];
	}

	/** Lists a decision until it settles. `reveal` must show the question without answering it. */
	add<T>(decision: Decision<T>, reveal: () => void): Disposable {
		// Nobody will be asked any more, and a server must not wait for ever.
		if (this.isDisposed) decision.lapse("shutdown");
		if (decision.outcome !== undefined) return toDisposable(() => undefined);
		this.unlisted.delete(decision.id);
		this.entries.set(decision.id, entryOf(decision, reveal));
		this.changed.fire();
		const removal = toDisposable(() => {
			if (this.entries.delete(decision.id)) this.changed.fire();
		});
		void decision.settled.then(() => removal.dispose());
		return removal;
	}

	/**
	 * Takes note of a request that a rule of the user's answers, until it settles or is listed after all. It waits for
	 * nobody and is in no list, but ends with its server, and with everything of its server that the user refuses.
	 */
	addUnlisted<T>(decision: Decision<T>): void {
		if (this.isDisposed) decision.lapse("shutdown");
		if (decision.outcome !== undefined) return;
		this.unlisted.set(
			decision.id,
			entryOf(decision, () => undefined),
		);
		void decision.settled.then(() => this.unlisted.delete(decision.id));
	}

	/** The requests that the user may refuse by their server: all waiting ones, and those that rules are answering. */
	get stoppable(): readonly PendingDecision[] {
		return [...this.entries.values(), ...this.unlisted.values()];
	}

	/**
	 * Refuses for the user every request of a server (see `askerOf`) that waits or that a rule answers; returns how many
	 * there were. There is no counterpart: nothing approves several at once (SMP-13).
	 */
	refuseServer(server: string): number {
		const refused = this.stoppable.filter(
			(entry) => askerOf(entry.subject) === server && isServerRequest(entry.subject) && entry.refuse(),
		);
		return refused.length;
	}

	/** Ends every pending decision that a server (see `askerOf`) asked for, because the server is gone. */
	lapseServer(server: string): void {
		for (const entry of [...this.entries.values(), ...this.unlisted.values()]) {
			if (askerOf(entry.subject) === server) entry.lapse("server-gone");
		}
	}

	dispose(): void {
		this.isDisposed = true;
		for (const entry of [...this.entries.values(), ...this.unlisted.values()]) entry.lapse("shutdown");
		this.entries.clear();
		this.unlisted.clear();
		this.changed.dispose();
	}
}
