import { describe, expect, test } from "vitest";
import type { Secrets } from "../../../../src/base/storage.ts";
import { KeptTasks, type KeptTask } from "../../../../src/features/tasks/keptTasks.ts";

const day = 24 * 60 * 60 * 1000;

function kept(): {
	readonly tasks: KeptTasks;
	readonly state: Map<string, unknown>;
	readonly values: Map<string, string>;
} {
	const state = new Map<string, unknown>();
	const values = new Map<string, string>();
	const secrets: Secrets = {
		get: async (key) => values.get(key),
		store: async (key, value) => void values.set(key, value),
		delete: async (key) => void values.delete(key),
		keys: async () => [...values.keys()],
	};
	const memento = {
		get: (key: string) => state.get(key) as never,
		update: async (key: string, value: unknown) => void state.set(key, value),
	};
	return { tasks: new KeptTasks(memento, secrets), state, values };
}

function task(key: string, more: Partial<KeptTask> = {}): KeptTask {
	return {
		key,
		taskId: `id of ${key}`,
		kind: "extension",
		tool: "research",
		arguments: { topic: "tides" },
		createdAt: day,
		server: "travel",
		hash: "h",
		account: "",
		...more,
	};
}

describe("the tasks of a workspace", () => {
	test("are kept whole in the key store, and by opaque keys in the state (TSK-09)", async () => {
		const { tasks, state, values } = kept();
		const first = task("a", { ttlMs: 5 });
		await Promise.all([tasks.keep(first), tasks.keep(task("b", { kind: "2025-11-25", account: "ada" }))]);
		expect(await tasks.all(day)).toEqual([first, task("b", { kind: "2025-11-25", account: "ada" })]);
		expect([...state]).toEqual([["mcpHost.tasks", ["a", "b"]]]);
		await tasks.forget("a");
		expect(await tasks.all(day)).toEqual([task("b", { kind: "2025-11-25", account: "ada" })]);
		expect([...values.keys()]).toEqual(["mcpHost.task/b"]);
	});

	test("are fifty at most, the latest, and none of them is older than thirty days (TSK-09)", async () => {
		const { tasks, values } = kept();
		for (let index = 0; index < 52; index++) await tasks.keep(task(`${index}`));
		expect((await tasks.all(day)).map(({ key }) => key)).toEqual(
			Array.from({ length: 50 }, (_, index) => `${index + 2}`),
		);
		expect(values.size).toBe(50);
		expect(await tasks.all(32 * day)).toEqual([]);
	});

	test("are kept without long arguments, and a damaged one is left out (TSK-09)", async () => {
		const { tasks, values } = kept();
		await tasks.keep(task("a", { arguments: { text: "x".repeat(10_000) } }));
		await tasks.keep(task("b"));
		values.set("mcpHost.task/b", `{"taskId":"1"}`);
		expect((await tasks.all(day)).map(({ key, arguments: sent }) => [key, sent])).toEqual([["a", {}]]);
	});
});
