import { Emitter, type Event } from "../base/event.ts";
import { HostError, StoppedHere } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";

/** Identifies a task at its server. The id may be all that is needed to read and steer it: it is a secret. */
export interface TaskReference {
	readonly taskId: string;
	/** Whose messages it speaks: those of revision 2025-11-25, or of the extension of 2026-07-28. */
	readonly kind: "2025-11-25" | "extension";
	/** The tool whose call it is. */
	readonly tool: string;
	readonly arguments: JsonObject;
	/** When it was created, by the clock of this machine, in milliseconds since the epoch. */
	readonly createdAt: number;
	/** How long its server keeps it, in milliseconds; undefined where it does not say. */
	readonly ttlMs?: number | undefined;
}

/** How following a task ended: the task itself is `over`, or it goes on and nobody follows it any more. */
export type FollowingEnd = "over" | "left";

/** A task while its state is asked for. */
export class FollowedTask {
	readonly reference: TaskReference;
	private readonly changed = new Emitter<void>();
	private readonly stopping = new AbortController();
	private words: string | undefined;
	private ending: FollowingEnd | undefined;
	/** Its status message changed, or following it ended. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(reference: TaskReference) {
		this.reference = reference;
	}

	/** The server's latest word on it; untrusted text. */
	get statusMessage(): string | undefined {
		return this.words;
	}

	/** Undefined while it is followed. */
	get end(): FollowingEnd | undefined {
		return this.ending;
	}

	/** Aborted when nobody waits for the result here any more. */
	get stopped(): AbortSignal {
		return this.stopping.signal;
	}

	/** Ends the wait for its result; the task goes on. */
	leave(): void {
		this.stopping.abort(new LeftRunning());
	}

	/** Ends the wait for its result, and asks the server to cancel it. */
	cancel(): void {
		this.stopping.abort(new StoppedHere(`tools/call ${this.reference.tool} was cancelled.`));
	}

	note(statusMessage: string | undefined): void {
		if (statusMessage === undefined || statusMessage === this.words) return;
		this.words = statusMessage;
		this.changed.fire();
	}

	finish(end: FollowingEnd): void {
		if (this.ending !== undefined) return;
		this.ending = end;
		this.changed.fire();
	}
}

/** Ends the wait for the result of a task that goes on. */
export class LeftRunning extends HostError {
	constructor() {
		super("cancelled", "The task continues in the background.");
	}
}

/** Aborts a request because its server disconnected; its outcome is unknown. */
export class ServerGone extends Error {
	readonly reason: HostError;

	constructor(reason: HostError) {
		super(reason.message);
		this.reason = reason;
	}
}
