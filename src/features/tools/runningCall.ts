import type { JsonObject } from "../../base/json.ts";
import type { FollowedTask } from "../../protocol/followedTask.ts";
import type { ToolCall } from "./approval.ts";

/** A call that its server is carrying out, which the user may end alone. */
export class RunningCall {
	readonly call: ToolCall;
	/** The arguments exactly as they are sent, which the user may have edited. */
	readonly sent: JsonObject;
	private readonly whole: AbortSignal;
	private readonly controller = new AbortController();
	private readonly onWholeAborted = (): void => this.controller.abort(this.whole.reason);
	private madeId: string | undefined;
	private isAlone = false;
	private hasEnded = false;
	private isLeftToTask = false;
	/** The task that the server made of the call, once it did. */
	task: FollowedTask | undefined;

	/** `whole` ends the call as a part of something larger, such as a turn. */
	constructor(call: ToolCall, sent: JsonObject, whole: AbortSignal) {
		this.call = call;
		this.sent = sent;
		this.whole = whole;
		// Not `AbortSignal.any`: collecting its joined signals costs more than the rest of a call.
		if (whole.aborted) this.onWholeAborted();
		else whole.addEventListener("abort", this.onWholeAborted, { once: true });
	}

	/** Opaque; used in the link that ends it. Few calls ever have one. */
	get id(): string {
		return (this.madeId ??= crypto.randomUUID());
	}

	/** Aborted when the call or all that it belongs to is cancelled, while it runs. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Whether the user, and nothing else, ended this call. */
	get isCancelledAlone(): boolean {
		return this.isAlone;
	}

	/** Whether the server has answered, or nobody waits for it any more. */
	get isOver(): boolean {
		return this.hasEnded;
	}

	/** Ends this call alone. False when it has ended already. */
	cancel(): boolean {
		if (this.hasEnded || this.signal.aborted) return false;
		this.isAlone = true;
		this.controller.abort();
		return true;
	}

	/** Whether its task goes on although the call is over. */
	get isContinued(): boolean {
		return this.isLeftToTask;
	}

	/** Ends the wait for the result alone: the task goes on. False when the call has ended already, or is no task. */
	continueInBackground(): boolean {
		if (this.hasEnded || this.signal.aborted || this.task === undefined) return false;
		this.isLeftToTask = true;
		this.task.leave();
		return true;
	}

	/** The server has answered, or nobody waits for it any more. */
	end(): void {
		this.hasEnded = true;
		this.whole.removeEventListener("abort", this.onWholeAborted);
	}
}

/** The calls of this window that a link ends, as long as they run. */
export class RunningCalls {
	private readonly runs = new Map<string, RunningCall>();

	add(run: RunningCall): void {
		for (const [id, { isOver }] of this.runs) if (isOver) this.runs.delete(id);
		this.runs.set(run.id, run);
	}

	/** A call that may be over by now; undefined for one that is unknown or long over. */
	get(id: string): RunningCall | undefined {
		return this.runs.get(id);
	}
}
