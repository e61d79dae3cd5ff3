import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { codeBlock, escapeMarkdown } from "../../base/markdown.ts";
import { timeOfDay } from "../../base/shownTime.ts";
import { cap, oneLine } from "../../base/text.ts";
import type { RunningTasks, TaskRow } from "../../features/tasks/runningTasks.ts";
import { describeTask, nameOfTask } from "../../features/tasks/taskResult.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { nodeId, type TaskNode, type TasksNode } from "./nodes.ts";
import { errorIcon, type NodeIcon, type NodeView } from "./view.ts";

/** The tasks that the tree shows. */
export type TasksOfTree = Pick<RunningTasks, "all" | "get" | "onDidChange">;

interface Services {
	readonly tasks: TasksOfTree;
	readonly directory: { readonly sessions: readonly Session[] };
}

/** *Running Tasks*: the row above the servers, as long as there is a task, and a row below it for each. */
export class TaskRows implements Disposable {
	private readonly services: Services;
	private readonly rows = new Map<string, TaskNode>();
	private readonly changed = new Emitter<TasksNode | TaskNode | undefined>();
	private readonly listening: Disposable;
	private top: TasksNode | undefined;
	/** The row that has other texts, or other rows below it; undefined when the outermost rows are other ones. */
	readonly onDidChange: Event<TasksNode | TaskNode | undefined> = this.changed.event;

	constructor(services: Services) {
		this.services = services;
		this.listening = services.tasks.onDidChange((task) => this.announce(task));
	}

	/** The outermost rows, with *Running Tasks* first if there are any. */
	above<T>(rows: readonly T[]): readonly (T | TasksNode)[] {
		const [first] = this.children();
		if (first === undefined) this.top = undefined;
		// A group has a session, which no row of tasks needs: that of its first task takes its place.
		else {
			const { server, session, group } = first;
			this.top ??= { kind: "running-tasks", id: nodeId("", "tasks"), server, session, group };
		}
		return this.top === undefined ? rows : [this.top, ...rows];
	}

	/** The rows of the tasks whose servers are configured. Each stays the same object, by which the editor knows it. */
	children(): readonly TaskNode[] {
		const { tasks, directory } = this.services;
		const all = tasks.all.flatMap((task) => {
			const session = directory.sessions.find(({ definition }) => definition.id === task.server);
			return session === undefined ? [] : [this.rowOf(task, session)];
		});
		const shown = new Set(all.map(({ task }) => task));
		for (const key of this.rows.keys()) if (!shown.has(key)) this.rows.delete(key);
		return all;
	}

	parent(node: TasksNode | TaskNode): TasksNode | undefined {
		return node.kind === "task" ? this.top : undefined;
	}

	view(node: TasksNode | TaskNode): NodeView {
		if (node.kind === "running-tasks") {
			const count = this.children().length;
			const texts = { label: "Running Tasks", description: `${count}`, spoken: `Running Tasks, ${count}` };
			return { ...texts, icon: { id: "server-process" }, context: node.kind, isCollapsible: true, startsOpen: true };
		}
		const task = this.services.tasks.get(node.task);
		if (task === undefined) return { label: "", description: "", icon: undefined, context: "", isCollapsible: false };
		const label = nameOfTask(task, { get: () => node.session });
		const description = oneLine(describeTask(task, node.session), 200);
		return {
			label,
			description,
			icon: iconOf(task),
			context: `task ${task.state}`,
			isCollapsible: false,
			spoken: `${label}, ${description}`,
			...(task.end === undefined
				? {}
				: { command: { id: "mcpHost.showTaskResult", title: "Show Result", argument: { task: node.task } } }),
		};
	}

	/** Explains a task: the server's words whole, and the arguments of its call. */
	tooltip(node: TaskNode): string | undefined {
		const task = this.services.tasks.get(node.task);
		if (task === undefined) return undefined;
		const { tool, arguments: sent, createdAt } = task.reference;
		const words = task.end?.kind === "failed" ? task.end.message : task.statusMessage;
		return [
			`**${escapeMarkdown(oneLine(tool, 100))}** · ${escapeMarkdown(oneLine(node.session.definition.name, 60))}`,
			...(words === undefined ? [] : [escapeMarkdown(cap(words, 1500))]),
			codeBlock(cap(JSON.stringify(sent, undefined, 2), 3000), "json"),
			`Started: ${timeOfDay(createdAt)}`,
		].join("\n\n");
	}

	dispose(): void {
		this.listening.dispose();
		this.changed.dispose();
	}

	private rowOf({ key, server }: TaskRow, session: Session): TaskNode {
		const known = this.rows.get(key);
		if (known?.session === session) return known;
		const row: TaskNode = { kind: "task", id: nodeId("", "tasks", key), server, session, group: "tools", task: key };
		this.rows.set(key, row);
		return row;
	}

	private announce(task: TaskRow | undefined): void {
		if (task !== undefined) {
			const row = this.rows.get(task.key);
			if (row !== undefined) this.changed.fire(row);
			return;
		}
		const isShown = this.top !== undefined;
		const isNeeded = this.children().length > 0;
		if (isShown === isNeeded) {
			if (this.top !== undefined) this.changed.fire(this.top);
		} else this.changed.fire(undefined);
	}
}

function iconOf({ state, end }: TaskRow): NodeIcon {
	if (state === "waiting") return { id: "debug-pause" };
	if (state !== "ended") return { id: "loading~spin" };
	return end?.kind === "failed" || end?.result.isError === true ? errorIcon : { id: "pass" };
}
