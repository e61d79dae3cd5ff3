import { ProtocolError, type Client } from "@modelcontextprotocol/client";
import { setTimeout as delay } from "node:timers/promises";
import { HostError, StoppedHere } from "../../base/errors.ts";
import type { Event } from "../../base/event.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { oneLine } from "../../base/text.ts";
import type { ConnectionHandlers, RequestControl } from "../connection.ts";
import { FollowedTask, LeftRunning, ServerGone, type TaskReference } from "../followedTask.ts";
import { ofCall } from "../wireTap.ts";
import { requestOptions, type RequestNature, type Requests } from "./requests.ts";
import { emptyAnswerSchema } from "./taskShapes.ts";

/** How often a task is asked for where the server does not say, and what a server may ask for, in milliseconds. */
const pollMs = { usual: 1000, shortest: 100, longest: 30_000 };
/** Waiting times between attempts to reach a server that is away while its task runs, in milliseconds. */
const patience = [500, 1000, 2000, 4000, 8000];
/** How long the withdrawal of a task may take, in milliseconds. */
const cancelMs = 5000;

/** The state of a task that the host asks for, in either revision. */
export interface PolledState {
	readonly statusMessage: string | undefined;
	/** How long to wait before the next request for the state, in milliseconds; undefined where the server does not say. */
	readonly pollMs: number | undefined;
}

/** The inputs of a call that became a task. */
export interface TaskContext {
	readonly requests: Requests;
	readonly control: RequestControl;
	readonly nature: RequestNature;
	/** The ids of tasks whose server says that their state changed; each is asked for at once. */
	readonly onChanged?: Event<string>;
	readonly handlers: Pick<ConnectionHandlers, "onTask" | "wantsTask">;
}

/**
 * Asks for the state of one task until its caller has what it wants. A lost session or a broken connection does not end the
 * task: the same one is asked for again.
 */
export class TaskPolling implements Disposable {
	private readonly context: TaskContext;
	private readonly task: FollowedTask;
	private readonly ending = new AbortController();
	private polls = 0;
	private state: PolledState = { statusMessage: undefined, pollMs: undefined };

	/** Its own requests end with the wait for the result, whose signal is that of its context. */
	constructor(context: TaskContext, reference: TaskReference) {
		this.task = new FollowedTask(reference);
		const { control } = context;
		const signal = AbortSignal.any([control.signal, this.ending.signal, this.task.stopped]);
		this.context = { ...context, control: { ...control, signal } };
		context.handlers.onTask?.(this.task);
		control.onTask?.(this.task);
	}

	/** The inputs, with the signal of everything that is done for this task. */
	get inner(): TaskContext {
		return this.context;
	}

	/** Takes note of a state, and shows it as progress of the call. */
	note(state: PolledState): void {
		this.state = state;
		const { statusMessage } = state;
		this.task.note(statusMessage);
		this.context.control.onProgress?.({
			progress: ++this.polls,
			...(statusMessage === undefined ? {} : { message: oneLine(statusMessage, 500) }),
		});
	}

	/**
	 * Sends a request about the task. A server that cannot be reached for a moment has not lost it.
	 * @throws HostError `outcome-unknown` when the server no longer knows the task of a call that may have had an effect.
	 */
	async ask<T>(send: (client: Client, params: { readonly taskId: string }) => Promise<T>): Promise<T> {
		const { requests, control } = this.context;
		const params = ofCall({ taskId: this.taskId }, control.call);
		for (let attempt = 0; ; attempt++) {
			try {
				return await requests.run(control, (client) => send(client, params));
			} catch (error) {
				if (!HostError.is(error)) throw error;
				const pause = patience[attempt];
				const isAway = error.code === "not-connected" && requests.isOpen;
				if (!isAway || pause === undefined) throw this.lost(error);
				await this.wait(pause);
			}
		}
	}

	/** Resolves when the state is worth another request: after the server's interval, or when the server says that it changed. */
	async pause(): Promise<void> {
		const ended = new AbortController();
		const changed = Promise.withResolvers<void>();
		const listening = this.context.onChanged?.((taskId) => taskId === this.taskId && changed.resolve());
		const ms = Math.min(Math.max(this.state.pollMs ?? pollMs.usual, pollMs.shortest), pollMs.longest);
		try {
			await Promise.race([this.wait(ms, ended.signal), changed.promise]);
		} finally {
			ended.abort();
			listening?.dispose();
		}
	}

	/** The task has ended, or its server no longer knows it. */
	isOver(): void {
		this.task.finish("over");
	}

	/**
	 * Nobody waits for the result any more. The task is cancelled, unless it is over, its server went away, or it outlived the
	 * time of a call: then it goes on, and can be followed again.
	 */
	abandon(error: unknown): void {
		if (this.task.end !== undefined) return;
		const { signal } = this.context.control;
		const reason: unknown = signal.aborted ? signal.reason : error;
		const isLeft =
			reason instanceof LeftRunning ||
			reason instanceof ServerGone ||
			HostError.is(reason, "timeout") ||
			(!(reason instanceof StoppedHere) && (isAway(reason) || !this.context.requests.isOpen));
		if (isLeft) return this.task.finish("left");
		this.cancel();
		this.task.finish("over");
	}

	[Symbol.dispose](): void {
		this.ending.abort();
	}

	/** Sends `tasks/cancel`; nobody waits for its answer. */
	private cancel(): void {
		const control = { signal: AbortSignal.timeout(cancelMs) };
		const request = { method: "tasks/cancel", params: ofCall({ taskId: this.taskId }, this.context.control.call) };
		void this.context.requests
			.run(control, (client) => client.request(request, emptyAnswerSchema, requestOptions(control)))
			.catch(() => undefined);
	}

	/** The server's last words on the task, to follow a sentence; empty if there are none. */
	get said(): string {
		const { statusMessage } = this.state;
		return statusMessage === undefined || statusMessage === ""
			? ""
			: ` (${oneLine(withoutTerminal(statusMessage), 300)})`;
	}

	/** The error of the call when nothing more can be learned about its task. */
	private lost(error: HostError): HostError {
		const isForgotten = error.cause instanceof ProtocolError;
		if (isForgotten) this.task.finish("over");
		if (!isForgotten && error.code !== "not-connected") return error;
		const what = isForgotten ? "no longer knows the task" : "no longer reports the state of the task";
		const message = `The server ${what}${this.said}. ${error.message}`;
		if (this.context.nature.mayHaveEffect !== true) return new HostError(error.code, message, { cause: error });
		return new HostError("outcome-unknown", `${message} The tool may have completed.`, { cause: error });
	}

	private get taskId(): string {
		return this.task.reference.taskId;
	}

	private async wait(ms: number, ended?: AbortSignal): Promise<void> {
		const { signal } = this.context.control;
		const until = ended === undefined ? signal : AbortSignal.any([signal, ended]);
		await delay(ms, undefined, { signal: until }).catch(() => signal.throwIfAborted());
	}
}

/** Whether the server could not be reached: what runs there goes on. */
function isAway(error: unknown): boolean {
	if (!HostError.is(error)) return false;
	return error.code === "not-connected" || (error.code === "outcome-unknown" && isAway(error.cause));
}
