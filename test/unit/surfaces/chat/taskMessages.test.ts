import { describe, expect, test } from "vitest";
import type { ModelMessage } from "../../../../src/models/model.ts";
import type { TaskRow } from "../../../../src/features/tasks/runningTasks.ts";
import { resolveTaskTurn, taskQueryOf } from "../../../../src/surfaces/chat/taskMessages.ts";
import { ListedTasks, taskRow } from "../../features/tasks/listedTasks.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";

const said: ModelMessage = { role: "user", content: [{ type: "text", text: "and go on" }] };
const key = "0197f2b4-6d61-7a52";

async function turn(task: Partial<TaskRow>, prompt = `${key.slice(0, 8)} and go on`) {
	const travel = new FakeSession("travel");
	await travel.run();
	const tasks = new ListedTasks();
	tasks.set(taskRow(key, { state: "ended", ...task }));
	const turn = await resolveTaskTurn(tasks, new FakeDirectory(travel), prompt, (content) => content);
	return { turn, tasks };
}

describe("/task", () => {
	test("sends the result with its call and the user's words, and removes the task once the model has it (TSK-13)", async () => {
		const result = { content: [{ type: "text", text: "low at noon" }] } as const;
		const { turn: made, tasks } = await turn({ end: { kind: "result", result: { content: [...result.content] } } });
		expect(made).toMatchObject({ title: "travel · research", text: "and go on" });
		const told = JSON.stringify(made.before([said]));
		for (const part of ["travel · research", "tides", "It returned:", "low at noon", "and go on"])
			expect(told).toContain(part);
		expect(made.before([said])).toHaveLength(1);
		expect(tasks.all).toHaveLength(1);
		await made.sent();
		expect(tasks.all).toEqual([]);
	});

	test("sends why a task failed (TSK-13)", async () => {
		const { turn: made } = await turn({ end: { kind: "failed", message: "Out of paper." } });
		expect(JSON.stringify(made.before([said]))).toContain("It failed: Out of paper.");
	});

	test("is written by a row's command as it is read", async () => {
		const query = taskQueryOf({ key });
		const end = { kind: "failed", message: "x" } as const;
		expect((await turn({ end }, query.replace("@mcp /task ", ""))).turn.text).toBe("Continue with this result.");
	});

	test.each([
		[{}, key, /has not ended yet/],
		[{}, "ffff", /No task has this number/],
		[{}, "", /No task has this number/],
	])("takes no task without a result", async (task, prompt, message) => {
		await expect(turn(task, prompt)).rejects.toThrow(message);
	});
});
