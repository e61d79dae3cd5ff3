import { Emitter } from "../../../../src/base/event.ts";
import type { TaskRow } from "../../../../src/features/tasks/runningTasks.ts";

/** A list of tasks that the test writes. */
export class ListedTasks {
	all: TaskRow[] = [];
	private readonly changed = new Emitter<TaskRow | undefined>();
	readonly onDidChange = this.changed.event;

	get(key: string): TaskRow | undefined {
		return this.all.find((task) => task.key === key);
	}

	/** Shows these from now on. */
	set(...tasks: readonly TaskRow[]): void {
		this.all = [...tasks];
		this.changed.fire(undefined);
	}

	/** One task says something else. */
	change(task: TaskRow): void {
		this.all = this.all.map((one) => (one.key === task.key ? task : one));
		this.changed.fire(task);
	}

	async forget(key: string): Promise<void> {
		this.set(...this.all.filter((task) => task.key !== key));
	}
}

/** A task of the server `server`. */
export function taskRow(key: string, more: Partial<TaskRow> = {}): TaskRow {
	const reference = { tool: "research", arguments: { topic: "tides" }, createdAt: 0 };
	return {
		key,
		server: "user-settings/travel",
		reference,
		state: "followed",
		statusMessage: undefined,
		end: undefined,
		...more,
	};
}
