import { describe, expect, test } from "vitest";
import type { TaskRow } from "../../../../src/features/tasks/runningTasks.ts";
import { TaskRows } from "../../../../src/surfaces/tree/taskRows.ts";
import { ListedTasks, taskRow } from "../../features/tasks/listedTasks.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";

async function scene() {
	const travel = new FakeSession("travel");
	await travel.run();
	const tasks = new ListedTasks();
	const rows = new TaskRows({ tasks, directory: { sessions: [travel] } });
	const changes: (string | undefined)[] = [];
	rows.onDidChange((node) => changes.push(node?.kind));
	return { travel, tasks, rows, changes };
}

describe("Running Tasks", () => {
	test("is above the servers as long as there is a task (TSK-12)", async () => {
		const { tasks, rows, changes } = await scene();
		expect(rows.above(["server"])).toEqual(["server"]);
		tasks.set(taskRow("a"), taskRow("of a removed server", { server: "gone" }));
		expect(changes).toEqual([undefined]);
		const [top] = rows.above([]);
		expect(top && rows.view(top)).toMatchObject({ label: "Running Tasks", description: "1", startsOpen: true });
		tasks.set(taskRow("a"), taskRow("b"));
		expect(changes).toEqual([undefined, "running-tasks"]);
		tasks.set();
		expect(changes).toEqual([undefined, "running-tasks", undefined]);
		expect(rows.above([])).toEqual([]);
	});

	test.each<readonly [Partial<TaskRow>, string, string, string]>([
		[{ state: "called" }, "running", "task called", "loading~spin"],
		[{ statusMessage: "Reading\nthe *book*" }, "Reading the *book*", "task followed", "loading~spin"],
		[{ state: "waiting" }, "reconnecting", "task waiting", "debug-pause"],
		[{ state: "ended", end: { kind: "result", result: { content: [] } } }, "completed", "task ended", "pass"],
		[
			{ state: "ended", end: { kind: "result", result: { content: [], isError: true } } },
			"reported an error",
			"task ended",
			"error",
		],
		[{ state: "ended", end: { kind: "failed", message: "Lost." } }, "failed: Lost.", "task ended", "error"],
	])("says how a task is: %j (TSK-12)", async (state, description, context, icon) => {
		const { tasks, rows } = await scene();
		tasks.set(taskRow("a", state));
		const [row] = rows.children();
		const view = row && rows.view(row);
		expect(view).toMatchObject({ label: "travel · research", description, context, icon: { id: icon } });
		expect(view?.command?.id).toBe(state.end === undefined ? undefined : "mcpHost.showTaskResult");
	});

	test("announces a new status message on the row that VS Code knows (TSK-12)", async () => {
		const { tasks, rows, changes } = await scene();
		tasks.set(taskRow("a"));
		const [row] = rows.children();
		tasks.change(taskRow("a", { statusMessage: "Half done" }));
		expect(changes).toEqual([undefined, "task"]);
		expect(rows.children()[0]).toBe(row);
		expect(row && rows.view(row).description).toBe("Half done");
		expect(row && rows.tooltip(row)).toContain("Half done");
	});

	test("says that the server of a task does not run (TSK-12)", async () => {
		const { travel, tasks, rows } = await scene();
		travel.setState({ kind: "stopped" });
		tasks.set(taskRow("a", { state: "waiting" }));
		const [row] = rows.children();
		expect(row && rows.view(row).description).toBe("its server is stopped");
	});
});
