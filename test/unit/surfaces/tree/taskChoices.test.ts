import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TreeScene, tool } from "./treeScene.ts";

let scene: TreeScene;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
const optional = tool("research", { execution: { taskSupport: "optional" } });

test("a tool that can be called as a task has the choice in its menu, which is remembered (TSK-15)", async () => {
	await scene.travel.run({ tools: [optional, tool("plain")] }, { capabilities, era: "legacy" });
	const views = (): readonly string[][] =>
		scene.rows("tools").map((row) => {
			const { context, description } = scene.view(row);
			return [context, description];
		});
	expect(views()).toEqual([
		["tool no-task", ""],
		["tool", ""],
	]);
	scene.settle();
	scene.announced.length = 0;
	await scene.taskChoices.choose(scene.id, "research", true);
	expect(views()[0]).toEqual(["tool as-task", "called as a task"]);
	expect(scene.announced.length).toBeGreaterThan(0);
	expect(scene.taskChoices.wantsTask(scene.travel, "research")).toBe(true);
	expect(scene.taskChoices.wantsTask(scene.travel, "plain")).toBe(false);
	await scene.taskChoices.choose(scene.id, "research", false);
	expect(views()[0]).toEqual(["tool no-task", ""]);
});

test("a tool of a server without tasks, or of 2026-07-28, has no such choice (TSK-15)", async () => {
	await scene.travel.run({ tools: [optional] }, { era: "legacy" });
	expect(scene.rows("tools").map((row) => scene.view(row).context)).toEqual(["tool"]);
	await scene.travel.run({ tools: [optional] }, { capabilities, era: "modern" });
	expect(scene.rows("tools").map((row) => scene.view(row).context)).toEqual(["tool"]);
});
