import { INTERNAL_ERROR, ProtocolError, type CallToolResult } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { TaskReference } from "../followedTask.ts";
import { dataWords, messageIn } from "../http/refusalWords.ts";
import { toolResultSchema } from "./answerSchemas.ts";
import { requestFailure } from "./requestFailure.ts";
import { requestOptions } from "./requests.ts";
import { TaskPolling, type TaskContext } from "./taskPolling.ts";
import { emptyAnswerSchema, readTask, taskSchema, type ExtensionTask } from "./taskShapes.ts";

/** How many inputs a server may ask for in the course of one task. */
const mostInputs = 100;

/** Answers a request that a server puts into a task exactly as the same request outside of a task (extension "Tasks"). */
export type AnswerInput = (key: string, request: Json, signal: AbortSignal) => Promise<object>;

/**
 * Follows a task that a server created in answer to a `tools/call` (extension `io.modelcontextprotocol/tasks`): asks for its
 * state until it has ended, answers each of its input requests once, and returns its result. Aborting: see `TaskPolling.abandon`.
 * @param created The task as the server sent it.
 * @param call The call that it is.
 * @throws HostError as `Connection.callTool`; the error of a refused input request, after the task was cancelled.
 */
export async function followTask(
	context: TaskContext,
	created: JsonObject,
	answer: AnswerInput,
	call: Pick<TaskReference, "tool" | "arguments">,
): Promise<CallToolResult> {
	const task = readTask(created);
	if ("problem" in task)
		throw new HostError("protocol", `Invalid result for tools/call. ${task.problem} The tool may have run.`);
	const { taskId, ttlMs } = task;
	using polling = new TaskPolling(context, { ...call, taskId, kind: "extension", createdAt: Date.now(), ttlMs });
	return await new RunningTask(polling, task, answer).result();
}

/** Follows a task of an earlier connection in the same way. */
export async function followAgain(
	context: TaskContext,
	reference: TaskReference,
	answer: AnswerInput,
): Promise<CallToolResult> {
	using polling = new TaskPolling(context, reference);
	const { taskId } = reference;
	// The first answer says how it is by now.
	const unknown = { taskId, status: "working", pollMs: 0, inputRequests: {}, result: undefined } as const;
	const task = { ...unknown, statusMessage: undefined, ttlMs: undefined, error: undefined };
	return await new RunningTask(polling, task, answer).result();
}

/** A task between its creation and its result. */
class RunningTask {
	private readonly context: TaskContext;
	private readonly polling: TaskPolling;
	private readonly answer: AnswerInput;
	/** The controllers that withdraw input requests, by key, also of past ones: a key is answered once (extension "Tasks"). */
	private readonly inputs = new Map<string, AbortController>();
	/** Rejects when an input request is refused, or cannot be answered. */
	private readonly refused = Promise.withResolvers<never>();
	private task: ExtensionTask;

	constructor(polling: TaskPolling, task: ExtensionTask, answer: AnswerInput) {
		this.context = polling.inner;
		this.polling = polling;
		this.task = task;
		this.answer = answer;
		this.refused.promise.catch(() => undefined);
	}

	async result(): Promise<CallToolResult> {
		try {
			for (;;) {
				this.polling.note(this.task);
				const end = await this.ended();
				if (end !== undefined) return end;
				this.takeInputs(this.task.inputRequests);
				await Promise.race([this.polling.pause(), this.refused.promise]);
				this.task = await Promise.race([this.ask(), this.refused.promise]);
			}
		} catch (error) {
			this.polling.abandon(error);
			throw error;
		} finally {
			this.withdraw(() => true);
		}
	}

	/** The result of the task once it has one. */
	private async ended(): Promise<CallToolResult | undefined> {
		const { status, result, error } = this.task;
		const { said } = this.polling;
		if (isOver(this.task)) this.polling.isOver();
		if (status === "completed") {
			const read = await toolResultSchema["~standard"].validate(result);
			if (read.issues === undefined) return read.value;
			throw new HostError("protocol", "The task completed with an invalid result: it does not follow the protocol.");
		}
		if (status === "failed") throw new HostError("protocol", `The task failed${said}.${errorWords(error)}`);
		if (status === "cancelled") throw new HostError("protocol", `The server cancelled the task${said}.`);
		return undefined;
	}

	private async ask(): Promise<ExtensionTask> {
		const options = requestOptions(this.context.control);
		const task = await this.polling.ask((client, params) =>
			client.request({ method: "tasks/get", params }, taskSchema(this.task.taskId), options),
		);
		if (task.taskId === this.task.taskId) return task;
		throw new HostError("protocol", "The server answered tasks/get with another task. The tool may have completed.");
	}

	/** Begins to answer new input requests, and withdraws those that are no longer in the task. */
	private takeInputs(requests: JsonObject): void {
		this.withdraw((key) => !Object.hasOwn(requests, key));
		for (const [key, request] of Object.entries(requests)) {
			if (this.inputs.has(key) || request === undefined) continue;
			if (this.inputs.size >= mostInputs) {
				const many = `The task asked for more than ${mostInputs} inputs. MCP Host cancelled it.`;
				return this.refused.reject(new HostError("protocol", many));
			}
			const withdrawn = new AbortController();
			this.inputs.set(key, withdrawn);
			const signal = AbortSignal.any([this.context.control.signal, withdrawn.signal]);
			this.answerOne(key, request, signal).catch((error: unknown) => {
				// A withdrawn request needs no answer.
				if (!signal.aborted) this.refused.reject(requestFailure(error, { mayHaveEffect: true, exit: undefined }));
			});
		}
	}

	private async answerOne(key: string, request: Json, signal: AbortSignal): Promise<void> {
		const response = await this.answer(key, request, signal);
		if (signal.aborted) return;
		const options = requestOptions(this.context.control);
		await this.polling.ask((client, params) => {
			const update = { ...params, inputResponses: { [key]: response } };
			return client.request({ method: "tasks/update", params: update }, emptyAnswerSchema, options);
		});
	}

	private withdraw(isGone: (key: string) => boolean): void {
		for (const [key, withdrawn] of this.inputs)
			if (isGone(key)) withdrawn.abort(new Error("The task withdrew its request."));
	}
}

function isOver({ status }: ExtensionTask): boolean {
	return status === "completed" || status === "failed" || status === "cancelled";
}

/** The words of a JSON-RPC error, to follow a sentence; empty if there are none. */
function errorWords(value: unknown): string {
	if (!isJsonObject(value)) return "";
	const { message, code, data } = value;
	const error = new ProtocolError(
		typeof code === "number" ? code : INTERNAL_ERROR,
		typeof message === "string" ? message : "",
		data,
	);
	return ` ${messageIn(error, 1000)} (error ${error.code})${dataWords(error)}`;
}
