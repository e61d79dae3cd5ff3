/** A review that was open when its window closed is reported in the next one (SMP-20). */
import { expect, test } from "vitest";
import { describeInterrupted } from "../../../../src/records/activity/interrupted.ts";
import type { SamplingEntry } from "../../../../src/records/activity/samplingRecord.ts";
import { arrival, RecordScene, review } from "./recordScene.ts";

test("it is reported once, in one window, with its server", async () => {
	await using scene = await RecordScene.begin();
	const killed = scene.window();
	const left = arrival();
	killed.log.open(left);
	review(killed.log);
	scene.kill(killed);
	const told: (readonly SamplingEntry[])[] = [];
	const [one, other] = [scene.window(), scene.window()];
	for (const { log } of [one, other]) log.onDidInterrupt((entries) => void told.push(entries));
	await one.log.tidy();
	await other.log.tidy();
	await one.log.read();
	expect(told.map((entries) => entries.map(({ id }) => id))).toEqual([[left.id]]);
});

test("the sentence names the servers, and where the requests had gone", () => {
	const entry = (server: string, ...models: readonly string[]): SamplingEntry => ({
		...arrival(),
		server,
		attempts: models.map((name) => ({ at: 1, model: { id: name, name }, request: [] })),
	});
	expect(describeInterrupted([entry("weather")])).toBe(
		"The review of a sampling request of weather ended when the window was closed or reloaded. Nothing was sent to the server.",
	);
	expect(describeInterrupted([entry("a", "gpt"), entry("a"), entry("b", "gpt")])).toBe(
		"3 reviews of sampling requests of a, b ended when the window was closed or reloaded. The log shows what was sent to gpt. Nothing was sent to the server.",
	);
	expect(describeInterrupted(["a", "b", "c", "d", "e"].map((name) => entry(name)))).toContain("of a, b, c and 2 more");
});
