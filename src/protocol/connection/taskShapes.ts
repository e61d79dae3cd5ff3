import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";

const statuses = ["working", "input_required", "completed", "failed", "cancelled"] as const;

/** The states of a task (extension "Tasks", "Task Status"). */
export type TaskStatus = (typeof statuses)[number];

/** A task of the extension `io.modelcontextprotocol/tasks` as far as the host uses it ("Tasks", `DetailedTask`). */
export interface ExtensionTask {
	readonly taskId: string;
	readonly status: TaskStatus;
	readonly statusMessage: string | undefined;
	/** The interval that the server suggests, in milliseconds. */
	readonly pollMs: number | undefined;
	/** How long the server keeps it, in milliseconds. */
	readonly ttlMs: number | undefined;
	/** The requests that wait for an answer, by their keys; empty unless the status is `input_required`. */
	readonly inputRequests: JsonObject;
	/** The result of a completed task, as sent. */
	readonly result: unknown;
	/** The error of a failed task, as sent. */
	readonly error: unknown;
}

/**
 * Reads a task; a member that cannot be read is left out. Without an id or a known status there is no task, only the problem, in
 * a sentence. An answer about the task `asked` needs no id.
 */
export function readTask(value: unknown, asked?: string): ExtensionTask | { readonly problem: string } {
	const { statusMessage, pollIntervalMs, ttlMs, inputRequests, result, error, ...named } = isJsonObject(value)
		? value
		: {};
	const taskId = named["taskId"] ?? asked;
	const status = statuses.find((one) => one === named["status"]);
	if (typeof taskId !== "string" || taskId === "") return { problem: "It is not a task with an id." };
	if (status === undefined) {
		const words =
			typeof named["status"] === "string" ? `the unknown status “${oneLine(named["status"], 60)}”` : "no status";
		return { problem: `It is a task with ${words}.` };
	}
	return {
		taskId,
		status,
		statusMessage: typeof statusMessage === "string" ? statusMessage : undefined,
		pollMs: typeof pollIntervalMs === "number" ? pollIntervalMs : undefined,
		ttlMs: typeof ttlMs === "number" ? ttlMs : undefined,
		inputRequests: status === "input_required" && isJsonObject(inputRequests) ? inputRequests : {},
		result,
		error,
	};
}

/** The answer to `tasks/get` about a task. */
export function taskSchema(asked: string): StandardSchemaV1<unknown, ExtensionTask> {
	const validate = (answer: unknown): StandardSchemaV1.Result<ExtensionTask> => {
		const task = readTask(answer, asked);
		return "problem" in task ? { issues: [{ message: task.problem }] } : { value: task };
	};
	return { "~standard": { version: 1, vendor: "mcp-host", validate } };
}

/** The params of `notifications/tasks/status` (revision 2025-11-25), of which the host needs the id only. */
export const taskStatusSchema: StandardSchemaV1<unknown, { readonly taskId: string }> = {
	"~standard": {
		version: 1,
		vendor: "mcp-host",
		validate(params) {
			const taskId = isJsonObject(params) ? params["taskId"] : undefined;
			return typeof taskId === "string" ? { value: { taskId } } : { issues: [{ message: "It names no task." }] };
		},
	},
};

/** An answer that says no more than that the request was taken. */
export const emptyAnswerSchema: StandardSchemaV1<unknown, unknown> = {
	"~standard": { version: 1, vendor: "mcp-host", validate: (value) => ({ value }) },
};
