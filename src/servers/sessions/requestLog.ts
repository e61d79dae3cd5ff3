import { Emitter, type Event } from "../../base/event.ts";
import { HostError } from "../../base/errors.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Progress } from "../../base/progress.ts";

/** How a request ended. `unknown`: the connection ended first, so it may have taken effect or not. */
export type RequestOutcome = "result" | "error" | "cancelled" | "timed-out" | "unknown";

/** One request to a server, from the call to its end. */
export interface LoggedRequest {
	/** Counts from 1 within its server and window. */
	readonly id: number;
	/** Method and object, such as `tools/call bookHotel`. Untrusted text. */
	readonly label: string;
	/** Whether the host made it on its own account, as when it reads a list. */
	readonly isBackground: boolean;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	/** The server's latest word on it, while it runs; untrusted text. */
	readonly progress: Progress | undefined;
	/** Absent while it runs. */
	readonly ended?: { readonly at: number; readonly outcome: RequestOutcome };
}

/** One open request; its carrier ends it. */
export interface OpenRequest {
	note(progress: Progress): void;
	/** Notes the end; only the first counts. `error` is what the request failed with, absent when it has a result. */
	end(error?: unknown): void;
}

/** Ended requests that are kept. */
const maxEnded = 200;

/** The account of one server's requests: each ends in exactly one outcome, and nothing is forgotten while it runs. */
export class RequestLog implements Disposable {
	private readonly open = new Map<number, LoggedRequest>();
	private readonly closed: LoggedRequest[] = [];
	private readonly totals: Record<RequestOutcome, number> = {
		result: 0,
		error: 0,
		cancelled: 0,
		"timed-out": 0,
		unknown: 0,
	};
	private lastId = 0;
	private readonly changed = new Emitter<void>();
	/** A request began, reported progress, or ended. */
	readonly onDidChange: Event<void> = this.changed.event;
	private readonly logged = new Emitter<string>();
	/** The server wrote a line into its log, which may be about any running request. Untrusted text. */
	readonly onDidLog: Event<string> = this.logged.event;

	/** The running ones, oldest first. */
	get running(): readonly LoggedRequest[] {
		return [...this.open.values()];
	}

	/** Those that ended last, oldest first. */
	get ended(): readonly LoggedRequest[] {
		return this.closed;
	}

	/** How many ended in which way, since the window opened. */
	get counts(): Readonly<Record<RequestOutcome, number>> {
		return this.totals;
	}

	/** Opens the account of a request. */
	begin(label: string, isBackground: boolean): OpenRequest {
		const id = ++this.lastId;
		this.open.set(id, { id, label, isBackground, startedAt: Date.now(), progress: undefined });
		this.changed.fire();
		return {
			note: (progress) => {
				const entry = this.open.get(id);
				if (entry === undefined) return;
				this.open.set(id, { ...entry, progress });
				this.changed.fire();
			},
			end: (error) => {
				const entry = this.open.get(id);
				if (entry === undefined) return;
				this.open.delete(id);
				const outcome = outcomeOf(error);
				this.totals[outcome]++;
				this.closed.push({ ...entry, ended: { at: Date.now(), outcome } });
				if (this.closed.length > maxEnded) this.closed.shift();
				this.changed.fire();
			},
		};
	}

	/** Reports log lines of the server to the waiters of a request. */
	log(line: string): void {
		this.logged.fire(line);
	}

	dispose(): void {
		this.changed.dispose();
		this.logged.dispose();
	}
}

function outcomeOf(error: unknown): RequestOutcome {
	if (error === undefined) return "result";
	if (HostError.is(error, "cancelled")) return "cancelled";
	if (HostError.is(error, "timeout")) return "timed-out";
	return HostError.is(error, "outcome-unknown") ? "unknown" : "error";
}
