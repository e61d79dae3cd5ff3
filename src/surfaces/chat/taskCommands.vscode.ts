import * as vscode from "vscode";
import { guarded, type Commands } from "../../base/commands.ts";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { notices } from "../../base/notices.vscode.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { RunningTasks, TaskRow } from "../../features/tasks/runningTasks.ts";
import type { TaskChoices } from "../../features/tasks/taskChoices.ts";
import { callOf, nameOfTask } from "../../features/tasks/taskResult.ts";
import type { FinishedCalls, RememberedCall } from "../../features/tools/results/finishedCalls.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import { taskQueryOf } from "./taskMessages.ts";

type TaskCommand =
	| "mcpHost.cancelTask"
	| "mcpHost.forgetTask"
	| "mcpHost.showTaskResult"
	| "mcpHost.useTaskResult"
	| "mcpHost.callAsTask"
	| "mcpHost.callDirectly";

/** The dependencies of what users do with tasks. */
export interface TaskCommandServices {
	readonly tasks: RunningTasks;
	readonly taskChoices: TaskChoices;
	readonly directory: SessionDirectory;
	/** Remembers the result for the editor that shows it. */
	readonly calls: FinishedCalls;
	readonly openResult: (call: RememberedCall) => Promise<void>;
}

const gone = "This task is no longer in the list.";

/** Announces each task that ended after its call, and makes the commands of its row, `{task}`. */
export function wireTasks(services: TaskCommandServices): Disposable & { readonly commands: Commands<TaskCommand> } {
	const { tasks } = services;
	const named = (argument: unknown): TaskRow | undefined => {
		const { task } = isJsonObject(argument) ? argument : {};
		return typeof task === "string" ? tasks.get(task) : undefined;
	};
	const listening = tasks.onDidEnd((task) => void announce(services, task));
	const withTask = (run: (task: TaskRow) => unknown) => async (argument: unknown) => {
		const task = named(argument);
		if (task === undefined) return void showInformation(gone);
		await run(task);
	};
	/** Of the row of a tool, `{server, tool}`. */
	const choose = (asTask: boolean) => async (argument: unknown) => {
		const { server, tool } = isJsonObject(argument) ? argument : {};
		const name = isJsonObject(tool) ? tool["name"] : tool;
		if (typeof server === "string" && typeof name === "string") await services.taskChoices.choose(server, name, asTask);
	};
	const commands = guarded<TaskCommand>(
		{
			"mcpHost.cancelTask": withTask(({ key }) => {
				if (!tasks.cancel(key)) void showInformation("The server of this task is not running. Start it, then cancel.");
			}),
			"mcpHost.forgetTask": withTask(({ key }) => tasks.forget(key)),
			"mcpHost.showTaskResult": withTask((task) => showResult(services, task)),
			"mcpHost.useTaskResult": withTask((task) => useResult(task)),
			"mcpHost.callAsTask": choose(true),
			"mcpHost.callDirectly": choose(false),
		},
		(error) => void showError(messageOf(error)),
	);
	return { commands, dispose: () => listening.dispose() };
}

async function announce(services: TaskCommandServices, task: TaskRow): Promise<void> {
	const { directory, tasks } = services;
	const name = withoutIcons(nameOfTask(task, directory));
	const show = "Show Result";
	const use = "Send to Model…";
	const over = (): string | undefined => (tasks.get(task.key) === undefined ? gone : undefined);
	const ask = (): Promise<string | undefined> =>
		task.end?.kind === "failed"
			? showError(`The task ${name} failed: ${oneLine(task.end.message, 300)}`, "Dismiss")
			: showInformation(`The task ${name} has ended.`, show, use);
	const answer = await notices.ask(`task ${task.key}`, over, ask);
	if (answer === show) await showResult(services, task);
	else if (answer === use) await useResult(task);
	else if (answer !== undefined) await tasks.forget(task.key);
}

/** Opens the result; the task stays in the list until it is removed there or sent to the model. */
async function showResult({ directory, calls, openResult }: TaskCommandServices, task: TaskRow): Promise<void> {
	if (task.end?.kind === "failed") return void showError(oneLine(task.end.message, 1000));
	const call = await callOf(directory, task);
	if (call === undefined) return void showInformation("The server of this task was removed.");
	const kept = calls.get(calls.add(call, "byHand", task.key));
	if (kept !== undefined) await openResult(kept);
}

/** Writes a message with the result into the chat, which the user sends. */
async function useResult(task: TaskRow): Promise<void> {
	const options = { query: taskQueryOf(task), isPartialQuery: true };
	await vscode.commands.executeCommand("workbench.action.chat.open", options);
}
