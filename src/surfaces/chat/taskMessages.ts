import { HostError } from "../../base/errors.ts";
import type { ModelMessage } from "../../models/model.ts";
import type { RunningTasks, TaskRow } from "../../features/tasks/runningTasks.ts";
import { callOf, nameOfTask } from "../../features/tasks/taskResult.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";

/** The first characters of a task's key that identify it in a message, as in the names of commits. */
const shortKey = 8;

/** The message that sends the result of a task to the model; the user may add to it. */
export function taskQueryOf({ key }: Pick<TaskRow, "key">, words = "Continue with this result."): string {
	return `@mcp /task ${key.slice(0, shortKey)} ${words}`;
}

/** A task whose result goes to the model, and what the user wrote beside it. */
export interface TaskTurn {
	readonly title: string;
	/** The user's words. */
	readonly text: string;
	/** The messages of the turn: the result before the user's message, as one, since many models refuse two in a row. */
	before(messages: readonly ModelMessage[]): readonly ModelMessage[];
	/** The model has the result: the task need not be kept. */
	sent(): Promise<void>;
}

/**
 * Reads what was typed after `/task`: the beginning of a task's key, and any text.
 * @throws HostError `invalid` when it names no task that has a result.
 */
export async function resolveTaskTurn(
	tasks: Pick<RunningTasks, "all" | "forget">,
	directory: SessionDirectory,
	prompt: string,
	fit: (content: readonly ModelMessage["content"][number][]) => ModelMessage["content"],
): Promise<TaskTurn> {
	const [, key = "", words = ""] = /^\s*(\S+)\s*([\s\S]*)$/.exec(prompt) ?? [];
	const found = key === "" ? [] : tasks.all.filter((task) => task.key.startsWith(key));
	const [task, ...others] = found;
	if (task === undefined || others.length > 0)
		throw new HostError("invalid", "No task has this number. Choose “Send to Model…” at a task in Running Tasks.");
	if (task.end === undefined) throw new HostError("invalid", "This task has not ended yet.");
	const title = nameOfTask(task, directory);
	const text = (value: string) => ({ type: "text", text: value }) as const;
	const head = `The task ${title}, which was started by an earlier call with ${JSON.stringify(task.reference.arguments)}, has ended.`;
	const call = await callOf(directory, task);
	const content =
		task.end.kind === "failed"
			? [text(`${head} It failed: ${task.end.message}`)]
			: [
					text(`${head} ${task.end.result.isError === true ? "It reported an error:" : "It returned:"}`),
					...fit(call?.outcome.result.forModel ?? []),
				];
	return {
		title,
		text: words.trim() || "Continue with this result.",
		before: ([first, ...others]) => [{ role: "user", content: [...content, ...(first?.content ?? [])] }, ...others],
		sent: () => tasks.forget(task.key),
	};
}
