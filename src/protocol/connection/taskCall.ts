import {
	RELATED_TASK_META_KEY,
	specTypeSchemas,
	type CallToolResult,
	type Task,
	type Tool,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ServerFacts } from "../connection.ts";
import { ofCall } from "../wireTap.ts";
import { toolResultSchema } from "./answerSchemas.ts";
import { requestOptions } from "./requests.ts";
import { TaskPolling, type TaskContext } from "./taskPolling.ts";

/** How long the server is asked to keep a task and its result, in milliseconds; no call runs longer. */
const keepMs = 60 * 60 * 1000;

/**
 * Whether a tool can only be called as a task (revision 2025-11-25, "Tasks"). From 2026-07-28 on the server decides for each
 * call, and a tool's definition says nothing about it.
 * @throws HostError `protocol` when the server does not offer the tasks that its tool asks for.
 */
export function runsAsTask(tool: Tool | undefined, { capabilities, era }: ServerFacts): boolean {
	if (era === "modern" || tool?.execution?.taskSupport !== "required") return false;
	if (capabilities.tasks?.requests?.tools?.call !== undefined) return true;
	throw new HostError(
		"protocol",
		`The tool ${oneLine(tool.name, 80)} runs only as a task, but its server does not declare tasks. Only the server's author can fix that.`,
	);
}

/**
 * Calls a tool as a task: creates it, asks for its state until it has ended, and fetches the result. Aborting withdraws it.
 * @throws HostError as `Connection.callTool`.
 */
export async function callAsTask(context: TaskContext, name: string, args: JsonObject): Promise<CallToolResult> {
	const { requests, control, nature } = context;
	const params = ofCall({ name, arguments: { ...args }, task: { ttl: keepMs } }, control.call);
	const { task } = await requests.run(
		control,
		(client) =>
			client.request({ method: "tools/call", params }, specTypeSchemas.CreateTaskResult, requestOptions(control)),
		nature,
	);
	const ending = new AbortController();
	const signal = AbortSignal.any([control.signal, ending.signal]);
	const running = new RunningTask({ ...context, control: { ...control, signal } }, task);
	try {
		return await running.result();
	} catch (error) {
		if (control.signal.aborted) running.polling.cancel();
		throw error;
	} finally {
		// The result of a task that ended without one may still be waited for.
		ending.abort();
	}
}

/** The `_meta` that ties an answer to the task in which it was asked for; nothing where there is none. */
export function relatedTaskOf(meta: JsonObject | undefined): JsonObject | undefined {
	const related = meta?.[RELATED_TASK_META_KEY];
	return isJsonObject(related) ? { [RELATED_TASK_META_KEY]: related } : undefined;
}

/** A task between its creation and its result. */
class RunningTask {
	readonly polling: TaskPolling;
	private readonly context: TaskContext;
	private task: Task;

	constructor(context: TaskContext, task: Task) {
		this.context = context;
		this.polling = new TaskPolling(context, task.taskId);
		this.task = task;
	}

	async result(): Promise<CallToolResult> {
		const { polling } = this;
		let fetching: Promise<CallToolResult> | undefined;
		let isFetched = false;
		for (;;) {
			polling.note({ statusMessage: this.task.statusMessage, pollMs: this.task.pollInterval });
			switch (this.task.status) {
				case "working":
					break;
				case "input_required":
					// The question to the user comes on the stream of the awaited result (specification, "Tasks").
					fetching ??= this.fetch().finally(() => (isFetched = true));
					break;
				case "completed":
					return fetching ?? this.fetch();
				case "failed":
					return this.failure(fetching ?? this.fetch());
				case "cancelled":
					throw new HostError("protocol", `The server cancelled the task${polling.said}.`);
			}
			await Promise.race([polling.pause(), ...(fetching === undefined ? [] : [fetching])]);
			if (isFetched && fetching !== undefined) return fetching;
			const control = requestOptions(this.context.control);
			this.task = await polling.ask((client, params) =>
				client.request({ method: "tasks/get", params }, specTypeSchemas.GetTaskResult, control),
			);
		}
	}

	private fetch(): Promise<CallToolResult> {
		const control = requestOptions(this.context.control);
		return this.polling.ask((client, params) =>
			client.request({ method: "tasks/result", params }, toolResultSchema, control),
		);
	}

	/** The result of a failed task says more than its state, where the server has one. */
	private async failure(result: Promise<CallToolResult>): Promise<CallToolResult> {
		try {
			return { ...(await result), isError: true };
		} catch (error) {
			if (!HostError.is(error)) throw error;
			throw new HostError("protocol", `The task failed${this.polling.said}.`, { cause: error });
		}
	}
}
