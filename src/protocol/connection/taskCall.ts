import {
	ProtocolError,
	RELATED_TASK_META_KEY,
	specTypeSchemas,
	type CallToolResult,
	type Client,
	type Task,
	type Tool,
} from "@modelcontextprotocol/client";
import { setTimeout as delay } from "node:timers/promises";
import { HostError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { oneLine } from "../../base/text.ts";
import type { RequestControl, ServerFacts } from "../connection.ts";
import { ofCall } from "../wireTap.ts";
import { requestOptions, type RequestNature, type Requests } from "./requests.ts";
import { toolResultSchema } from "./answerSchemas.ts";

/** How long the server is asked to keep a task and its result, in milliseconds; no call runs longer. */
const keepMs = 60 * 60 * 1000;
/** How often a task is asked for where the server does not say, and what a server may ask for, in milliseconds. */
const pollMs = { usual: 1000, shortest: 100, longest: 30_000 };
/** Waiting times between attempts to reach a server that is away while its task runs, in milliseconds. */
const patience = [500, 1000, 2000, 4000, 8000];
/** How long the withdrawal of a task may take, in milliseconds. */
const cancelMs = 5000;

/**
 * Whether a tool can only be called as a task (revision 2025-11-25, "Tasks").
 * @throws HostError `protocol` when the server does not offer the tasks that its tool asks for.
 */
export function runsAsTask(tool: Tool | undefined, { capabilities, era }: ServerFacts): boolean {
	if (tool?.execution?.taskSupport !== "required") return false;
	if (era === "legacy" && capabilities.tasks?.requests?.tools?.call !== undefined) return true;
	throw new HostError(
		"protocol",
		`The tool ${oneLine(tool.name, 80)} runs only as a task, but its server does not declare tasks. Only the server's author can fix that.`,
	);
}

/**
 * Calls a tool as a task: creates it, asks for its state until it has ended, and fetches the result. A lost session or a
 * broken connection does not end it: the same task is asked for again. Aborting withdraws it.
 * @throws HostError as `Connection.callTool`.
 */
export async function callAsTask(
	requests: Requests,
	name: string,
	args: JsonObject,
	control: RequestControl,
	nature: RequestNature,
): Promise<CallToolResult> {
	const params = ofCall({ name, arguments: { ...args }, task: { ttl: keepMs } }, control.call);
	const { task } = await requests.run(
		control,
		(client) =>
			client.request({ method: "tools/call", params }, specTypeSchemas.CreateTaskResult, requestOptions(control)),
		nature,
	);
	const ending = new AbortController();
	const signal = AbortSignal.any([control.signal, ending.signal]);
	const running = new RunningTask(requests, task, { ...control, signal }, nature);
	try {
		return await running.result();
	} catch (error) {
		if (control.signal.aborted) running.cancel();
		throw error;
	} finally {
		// The result of a task that ended without one may still be waited for.
		ending.abort();
	}
}

/** The `_meta` that ties an answer to the task in which it was requested; nothing if there is none. */
export function relatedTaskOf(meta: JsonObject | undefined): JsonObject | undefined {
	const related = meta?.[RELATED_TASK_META_KEY];
	return isJsonObject(related) ? { [RELATED_TASK_META_KEY]: related } : undefined;
}

/** A task between its creation and its result. */
class RunningTask {
	private readonly requests: Requests;
	private readonly control: RequestControl;
	private readonly nature: RequestNature;
	private readonly params: { readonly taskId: string };
	private task: Task;
	private polls = 0;

	constructor(requests: Requests, task: Task, control: RequestControl, nature: RequestNature) {
		this.requests = requests;
		this.control = control;
		this.nature = nature;
		this.params = ofCall({ taskId: task.taskId }, control.call);
		this.task = task;
	}

	async result(): Promise<CallToolResult> {
		let fetching: Promise<CallToolResult> | undefined;
		let isFetched = false;
		for (;;) {
			this.report();
			switch (this.task.status) {
				case "working":
					break;
				case "input_required":
					// The question to the user arrives on the stream of the awaited result (specification, "Tasks").
					fetching ??= this.fetch().finally(() => (isFetched = true));
					break;
				case "completed":
					return fetching ?? this.fetch();
				case "failed":
					return this.failure(fetching ?? this.fetch());
				case "cancelled":
					throw new HostError("protocol", `The server cancelled the task${this.said}.`);
			}
			await Promise.race([this.wait(this.pause), ...(fetching === undefined ? [] : [fetching])]);
			if (isFetched && fetching !== undefined) return fetching;
			const control = requestOptions(this.control);
			this.task = await this.insist(({ client, params }) =>
				client.request({ method: "tasks/get", params }, specTypeSchemas.GetTaskResult, control),
			);
		}
	}

	/** Withdraws the task; nobody waits for it. */
	cancel(): void {
		const control = { signal: AbortSignal.timeout(cancelMs) };
		const { params } = this;
		void this.requests
			.run(control, (client) =>
				client.request({ method: "tasks/cancel", params }, specTypeSchemas.CancelTaskResult, requestOptions(control)),
			)
			.catch(() => undefined);
	}

	private fetch(): Promise<CallToolResult> {
		const control = requestOptions(this.control);
		return this.insist(({ client, params }) =>
			client.request({ method: "tasks/result", params }, toolResultSchema, control),
		);
	}

	/** Asks about the task; a server that cannot be reached for a moment has not lost it. */
	private async insist<T>(
		ask: (to: { readonly client: Client; readonly params: { readonly taskId: string } }) => Promise<T>,
	): Promise<T> {
		for (let attempt = 0; ; attempt++) {
			try {
				return await this.requests.run(this.control, (client) => ask({ client, params: this.params }));
			} catch (error) {
				if (!HostError.is(error)) throw error;
				const pause = patience[attempt];
				const isAway = error.code === "not-connected" && this.requests.isOpen;
				if (!isAway || pause === undefined) throw this.lost(error);
				await this.wait(pause);
			}
		}
	}

	/** The result of a failed task says more than its state, where the server has one. */
	private async failure(result: Promise<CallToolResult>): Promise<CallToolResult> {
		try {
			return { ...(await result), isError: true };
		} catch (error) {
			if (!HostError.is(error)) throw error;
			throw new HostError("protocol", `The task failed${this.said}.`, { cause: error });
		}
	}

	/** The result of the call when nothing more can be learned about its task. */
	private lost(error: HostError): HostError {
		const isForgotten = error.cause instanceof ProtocolError;
		if (!isForgotten && error.code !== "not-connected") return error;
		const what = isForgotten ? "no longer knows the task" : "no longer reports the state of the task";
		const message = `The server ${what}${this.said}. ${error.message}`;
		if (this.nature.mayHaveEffect !== true) return new HostError(error.code, message, { cause: error });
		return new HostError("outcome-unknown", `${message} The tool may have completed.`, {
			cause: error,
		});
	}

	private async wait(ms: number): Promise<void> {
		const { signal } = this.control;
		await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
	}

	private report(): void {
		const { statusMessage } = this.task;
		this.control.onProgress?.({
			progress: ++this.polls,
			...(statusMessage === undefined ? {} : { message: oneLine(statusMessage, 500) }),
		});
	}

	private get pause(): number {
		return Math.min(Math.max(this.task.pollInterval ?? pollMs.usual, pollMs.shortest), pollMs.longest);
	}

	/** The server's last words on the task, to be put behind a sentence. */
	private get said(): string {
		const { statusMessage } = this.task;
		return statusMessage === undefined || statusMessage === ""
			? ""
			: ` (${oneLine(withoutTerminal(statusMessage), 300)})`;
	}
}
