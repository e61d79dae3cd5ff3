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
import type { ConnectionHandlers, ServerFacts } from "../connection.ts";
import type { TaskReference } from "../followedTask.ts";
import { ofCall } from "../wireTap.ts";
import { toolResultSchema } from "./answerSchemas.ts";
import { requestOptions } from "./requests.ts";
import { TaskPolling, type TaskContext } from "./taskPolling.ts";

/** How long the server is asked to keep a task and its result, in milliseconds: a window may be closed meanwhile. */
const keepMs = 24 * 60 * 60 * 1000;

/**
 * Whether a tool is called as a task (revision 2025-11-25, "Tasks"): one that can only be called so, or one that can be and
 * that the user wants called so. From 2026-07-28 on the server decides for each call, and a tool's definition says nothing about it.
 * @throws HostError `protocol` when the server does not offer the tasks that its tool asks for.
 */
export async function runsAsTask(
	tool: Tool | undefined,
	{ capabilities, era }: ServerFacts,
	handlers: Pick<ConnectionHandlers, "wantsTask">,
): Promise<boolean> {
	const support = era === "modern" ? undefined : tool?.execution?.taskSupport;
	if (tool === undefined || (support !== "required" && support !== "optional")) return false;
	const isOffered = capabilities.tasks?.requests?.tools?.call !== undefined;
	if (support === "optional") return isOffered && (await handlers.wantsTask?.(tool.name)) === true;
	if (isOffered) return true;
	throw new HostError(
		"protocol",
		`The tool ${oneLine(tool.name, 80)} runs only as a task, but its server does not declare tasks. Only the server's author can fix that.`,
	);
}

/**
 * Calls a tool as a task: creates it, asks for its state until it has ended, and fetches the result. Aborting: see
 * `TaskPolling.abandon`.
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
	const { taskId, ttl } = task;
	const call = { tool: name, arguments: args, createdAt: Date.now(), ...(ttl === null ? {} : { ttlMs: ttl }) };
	using polling = new TaskPolling(context, { ...call, taskId, kind: "2025-11-25" });
	return await new RunningTask(polling, task).end();
}

/** Follows a task of an earlier connection in the same way. */
export async function followAgain(context: TaskContext, reference: TaskReference): Promise<CallToolResult> {
	using polling = new TaskPolling(context, reference);
	return await new RunningTask(polling).end();
}

/** The `_meta` that ties an answer to the task in which it was requested; nothing if there is none. */
export function relatedTaskOf(meta: JsonObject | undefined): JsonObject | undefined {
	const related = meta?.[RELATED_TASK_META_KEY];
	return isJsonObject(related) ? { [RELATED_TASK_META_KEY]: related } : undefined;
}

/** A task between its creation and its result. */
class RunningTask {
	private readonly polling: TaskPolling;
	private readonly context: TaskContext;
	/** Undefined before it was asked for. */
	private task: Task | undefined;

	constructor(polling: TaskPolling, task?: Task) {
		this.context = polling.inner;
		this.polling = polling;
		this.task = task;
	}

	/** The result of the task, whose state is asked for until it has ended. */
	async end(): Promise<CallToolResult> {
		try {
			const result = await this.result();
			this.polling.isOver();
			return result;
		} catch (error) {
			this.polling.abandon(error);
			throw error;
		}
	}

	private async result(): Promise<CallToolResult> {
		const { polling } = this;
		let fetching: Promise<CallToolResult> | undefined;
		let isFetched = false;
		for (;;) {
			const { status, statusMessage, pollInterval } = (this.task ??= await this.state());
			polling.note({ statusMessage, pollMs: pollInterval });
			if (status === "failed" || status === "cancelled") polling.isOver();
			switch (status) {
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
					throw new HostError("protocol", `The server cancelled the task${polling.said}.`);
			}
			await Promise.race([polling.pause(), ...(fetching === undefined ? [] : [fetching])]);
			if (isFetched && fetching !== undefined) return fetching;
			this.task = undefined;
		}
	}

	private state(): Promise<Task> {
		const control = requestOptions(this.context.control);
		return this.polling.ask((client, params) =>
			client.request({ method: "tasks/get", params }, specTypeSchemas.GetTaskResult, control),
		);
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
