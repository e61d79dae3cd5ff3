import { Emitter, type Event } from "../../base/event.ts";
import { toDisposable, type Disposable } from "../../base/lifecycle.ts";

/**
 * What a person is asked for; one word of ours per kind. A `form` is one
 * that the person opened for themselves: it is never pending.
 */
export type DecisionKind = "start" | "tool" | "sampling" | "elicitation" | "url" | "form";

/**
 * Why a decision ended without the person: none of them is consent. `completed`: the server says that what the person was
 * asked about is done, such as a visit to a page that they agreed to. `stopped`: the call in which the server asked was
 * stopped here.
 */
export type LapseReason = "closed" | "cancelled" | "stopped" | "server-gone" | "expired" | "shutdown" | "completed";

/** How a decision ended: the person's answer, or a lapse. */
export type Settled<T> =
	| { readonly by: "person"; readonly answer: T }
	| { readonly by: "lapse"; readonly reason: LapseReason };

/** Who asks for what: the fixed frame around every question. The texts may come from a server and are untrusted. */
export interface DecisionSubject {
	readonly kind: DecisionKind;
	/** The server's configured name, never what it calls itself. */
	readonly server: string;
	/** The server's id, by which it is told from another that is configured under the same name. */
	readonly serverId?: string;
	/** What is asked, in a few words. */
	readonly title: string;
	/** During which call or turn it came up; absent when the server asks on its own. */
	readonly during?: string;
	/** It is asked in a chat as well, where it stays open when its panel is closed. */
	readonly isInline?: boolean;
	/** Of a tool call: what it is about. */
	readonly call?: CallSummary;
}

/** What a list says of a tool call; all of it fit to show as plain text. */
export interface CallSummary {
	/** The first argument, in a few words; how many more there are. */
	readonly about: string;
	/** What is sent, one line for each argument, and what its server says of the tool. */
	readonly exactly: string;
	/**
	 * The smallest place that shows all that a person must see before they allow it with one key or one click: its row in a
	 * list, the chat in which it is asked, or only the form with all of its arguments.
	 */
	readonly fitsIn: CallPlaceSize;
}

/** Places from the smallest to the largest. */
export type CallPlaceSize = "row" | "chat" | "form";

/** The kinds of what a server asks by a request of its own; a tool is what a model asks to run, and a start a person's. */
const requestKinds: ReadonlySet<DecisionKind> = new Set(["sampling", "elicitation", "url"]);

/** Whether the server itself asks, so that the person may refuse all of its kind together. */
export function isServerRequest({ kind }: DecisionSubject): boolean {
	return requestKinds.has(kind);
}

/** Tells the server that asks from every other; by its name where a subject holds no id. */
export function askerOf({ server, serverId }: DecisionSubject): string {
	return serverId ?? server;
}

/** A question put to a person. It settles exactly once; every later attempt is refused and changes nothing. */
export class Decision<T> {
	readonly id: string = crypto.randomUUID();
	readonly subject: DecisionSubject;
	/** Resolves when the decision ends; never rejects. */
	readonly settled: Promise<Settled<T>>;
	private readonly no: { readonly answer: T } | undefined;
	private readonly resolve: (settled: Settled<T>) => void;
	private result: Settled<T> | undefined;
	private expiry: { readonly ms: number; readonly timer: NodeJS.Timeout } | undefined;

	/** `no` is the answer by which the person refuses without looking at the question; absent where there is none. */
	constructor(subject: DecisionSubject, no?: NoInfer<T>) {
		this.no = no === undefined ? undefined : { answer: no };
		this.subject = subject;
		const { promise, resolve } = Promise.withResolvers<Settled<T>>();
		this.settled = promise;
		this.resolve = resolve;
	}

	/** How it ended, or undefined while the person is waited for. */
	get outcome(): Settled<T> | undefined {
		return this.result;
	}

	/** Whether the person can refuse without looking at the question. */
	get canRefuse(): boolean {
		return this.no !== undefined;
	}

	/** Records that the person refused. False when the decision had already ended, or cannot be refused so. */
	refuse(): boolean {
		return this.no !== undefined && this.answer(this.no.answer);
	}

	/** Records the person's answer. False when the decision had already ended. */
	answer(answer: T): boolean {
		return this.settle({ by: "person", answer });
	}

	/** Ends the decision without the person. False when it had already ended. */
	lapse(reason: LapseReason): boolean {
		return this.settle({ by: "lapse", reason });
	}

	/** Ends the decision when the signal is aborted, with the reason `cancelled` unless another is given. */
	lapseOn(signal: AbortSignal, reason: LapseReason = "cancelled"): void {
		if (signal.aborted) {
			this.lapse(reason);
			return;
		}
		const onAbort = (): void => void this.lapse(reason);
		signal.addEventListener("abort", onAbort, { once: true });
		void this.settled.then(() => signal.removeEventListener("abort", onAbort));
	}

	/** Ends the decision as `expired` when the person has done nothing with it for so long, in milliseconds. */
	expireAfter(ms: number): void {
		clearTimeout(this.expiry?.timer);
		if (this.result !== undefined) return;
		this.expiry = { ms, timer: setTimeout(() => this.lapse("expired"), ms) };
	}

	/** The person is at it: the time after which it expires begins anew. */
	touch(): void {
		if (this.expiry !== undefined) this.expireAfter(this.expiry.ms);
	}

	private settle(result: Settled<T>): boolean {
		if (this.result !== undefined) return false;
		this.result = result;
		clearTimeout(this.expiry?.timer);
		this.resolve(result);
		return true;
	}
}

/** A decision in the list, without the type of its answer. */
export interface PendingDecision {
	readonly id: string;
	readonly subject: DecisionSubject;
	/** Whether it can be refused from the list. */
	readonly canRefuse: boolean;
	/** Brings the question before the person, who asked to see it. */
	reveal(): void;
	/** Refuses it for the person; false when it had already ended, or cannot be refused so. */
	refuse(): boolean;
}

type Entry = PendingDecision & { lapse(reason: LapseReason): boolean };

function entryOf<T>(decision: Decision<T>, reveal: () => void): Entry {
	return {
		id: decision.id,
		subject: decision.subject,
		canRefuse: decision.canRefuse,
		reveal,
		refuse: () => decision.refuse(),
		lapse: (reason) => decision.lapse(reason),
	};
}

/** Everything that waits for the person in this window, oldest first. Feeds the Pending view and the status bar. */
export class PendingDecisions implements Disposable {
	private readonly entries = new Map<string, Entry>();
	/** What rules answer; waits for nobody. */
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
	 * Takes note of a request that a rule of the person's answers, until it settles or is listed after all. It waits for
	 * nobody and is in no list, but ends with its server, and with everything of its server that the person refuses.
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

	/** What the person may refuse by its server: all that waits, and what rules answer just now. */
	get stoppable(): readonly PendingDecision[] {
		return [...this.entries.values(), ...this.unlisted.values()];
	}

	/**
	 * Refuses for the person every request of a server (see `askerOf`) that waits or that a rule answers; returns how many
	 * those were. There is no counterpart: nothing approves several at once (SMP-13).
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

const endings: Readonly<Record<LapseReason, (server: string) => string>> = {
	closed: () => "You closed the panel without answering.",
	cancelled: (server) => `${server} withdrew the request, or what it belongs to has ended.`,
	stopped: (server) => `The call in which ${server} asked was stopped.`,
	"server-gone": (server) => `${server} stopped before you answered.`,
	expired: () => "The time to answer ran out.",
	shutdown: () => "MCP Host was shut down before you answered.",
	completed: (server) => `${server} says that it is done.`,
};

/** What happened to a question that ended without the person, for its panel. */
export function describeLapse(reason: LapseReason, server: string): string {
	const ending = endings[reason](server);
	return reason === "completed" ? ending : `${ending} Nothing was sent to the server.`;
}
