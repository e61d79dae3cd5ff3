/**
 * The kind of a question; one word of ours per kind. A `form` is one that the user opened for themselves: it is never
 * pending.
 */
export type DecisionKind = "start" | "tool" | "sampling" | "elicitation" | "url" | "form";

/**
 * Why a decision ended without the user: none of them is consent. `completed`: the server reports that the subject is
 * done, such as a visit to a page that the user agreed to. `stopped`: the call in which the server asked was stopped
 * here.
 */
export type LapseReason = "closed" | "cancelled" | "stopped" | "server-gone" | "expired" | "shutdown" | "completed";

/** How a decision ended: with the user's answer, or without. */
export type Settled<T> =
	| { readonly by: "user"; readonly answer: T }
	| { readonly by: "lapse"; readonly reason: LapseReason };

/** Who asks for what: the fixed frame around every question. The texts may come from a server and are untrusted. */
export interface DecisionSubject {
	readonly kind: DecisionKind;
	/** The server's configured name, never what it calls itself. */
	readonly server: string;
	/** The server's id, which distinguishes it from another one with the same name. */
	readonly serverId?: string;
	/** The question, in a few words. */
	readonly title: string;
	/** The call or turn that caused it; absent when the server asks independently. */
	readonly during?: string;
	/** The reference of its exchange in the trace; absent if nothing is recorded. */
	readonly exchange?: string;
	/** It is asked in a chat as well, where it stays open when its panel is closed. */
	readonly isInline?: boolean;
	/** It is asked in no chat of ours, but beside the app of its server, or for another agent. */
	readonly isElsewhere?: boolean;
	/** For a tool call: its subject. */
	readonly call?: CallSummary;
}

/** The text of a list about a tool call; all of it fit to show as plain text. */
export interface CallSummary {
	/** The first argument, in a few words; how many more there are. */
	readonly about: string;
	/** The sent data, one line for each argument, and the server's text about the tool. */
	readonly exactly: string;
	/**
	 * The smallest place that shows all that a user must see before they allow it with one key or one click: its row in a
	 * list, the chat in which it is asked, or only the form with all of its arguments.
	 */
	readonly fitsIn: CallPlaceSize;
}

/** Places from the smallest to the largest. */
export type CallPlaceSize = "row" | "chat" | "form";

/** A question put to a user. It settles exactly once; every later attempt is refused and changes nothing. */
export class Decision<T> {
	readonly id: string = crypto.randomUUID();
	readonly subject: DecisionSubject;
	/** Resolves when the decision ends; never rejects. */
	readonly settled: Promise<Settled<T>>;
	private readonly no: { readonly answer: T } | undefined;
	private readonly resolve: (settled: Settled<T>) => void;
	private result: Settled<T> | undefined;
	private expiry: { readonly ms: number; readonly timer: NodeJS.Timeout } | undefined;

	/** `no` is the answer by which the user refuses without viewing the question; absent if there is none. */
	constructor(subject: DecisionSubject, no?: NoInfer<T>) {
		this.no = no === undefined ? undefined : { answer: no };
		this.subject = subject;
		const { promise, resolve } = Promise.withResolvers<Settled<T>>();
		this.settled = promise;
		this.resolve = resolve;
	}

	/** How it ended, or undefined while the user is waited for. */
	get outcome(): Settled<T> | undefined {
		return this.result;
	}

	/** Whether the user can refuse without looking at the question. */
	get canRefuse(): boolean {
		return this.no !== undefined;
	}

	/** Records that the user refused. False when the decision had already ended, or cannot be refused so. */
	refuse(): boolean {
		return this.no !== undefined && this.answer(this.no.answer);
	}

	/** Records the user's answer. False when the decision had already ended. */
	answer(answer: T): boolean {
		return this.settle({ by: "user", answer });
	}

	/** Ends the decision without the user. False when it had already ended. */
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

	/** Ends the decision as `expired` when the user has done nothing with it for so long, in milliseconds. */
	expireAfter(ms: number): void {
		clearTimeout(this.expiry?.timer);
		if (this.result !== undefined) return;
		this.expiry = { ms, timer: setTimeout(() => this.lapse("expired"), ms) };
	}

	/** The user is active: the time after which it expires restarts. */
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

const endings: Readonly<Record<LapseReason, (server: string) => string>> = {
	closed: () => "You closed the panel without answering.",
	cancelled: (server) => `${server} cancelled the request, or the call that it belongs to has ended.`,
	stopped: (server) => `The call that the request of ${server} belongs to was stopped.`,
	"server-gone": (server) => `${server} stopped before you answered.`,
	expired: () => "The time to answer ran out.",
	shutdown: () => "MCP Host was shut down before you answered.",
	completed: (server) => `${server} reports that this is done.`,
};

/** The end of a question without the user, for its panel. */
export function describeLapse(reason: LapseReason, server: string): string {
	const ending = endings[reason](server);
	return reason === "completed" ? ending : `${ending} Nothing was sent to the server.`;
}
