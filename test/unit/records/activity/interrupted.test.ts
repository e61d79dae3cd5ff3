/** A review that was open when its window closed is reported in the next one (SMP-20). */
import { expect, test } from "vitest";
import { describeInterrupted } from "../../../../src/records/activity/interrupted.ts";
import type { SamplingActivity } from "../../../../src/records/activity/journal/entry.ts";
import { arrival, RecordScene, review } from "./recordScene.ts";

test("it is reported once, in one window, with its server", async () => {
	await using scene = await RecordScene.begin();
	const killed = scene.window();
	const left = arrival();
	killed.log.open(left);
	review(killed.log);
	scene.journals.kill(killed.journal);
	const told: (readonly SamplingActivity[])[] = [];
	const [one, other] = [scene.window(), scene.window()];
	for (const { journal } of [one, other]) journal.onDidInterrupt((steps) => void told.push(steps));
	await one.journal.tidy();
	await other.journal.tidy();
	await one.journal.read();
	expect(told.map((steps) => steps.map(({ id }) => id))).toEqual([[left.id]]);
});

test("the sentence names the servers, and where the requests had gone", () => {
	let last = 0;
	const steps = (server: string, ...models: readonly string[]): readonly SamplingActivity[] => {
		const id = `${++last}`;
		const sent = models.map((model): SamplingActivity => {
			return { kind: "sampling", id, server, serverId: server, phase: "sent", model };
		});
		return [{ kind: "sampling", id, server, serverId: server, phase: "asked" }, ...sent];
	};
	expect(describeInterrupted(steps("weather", "by hand"))).toBe(
		"The review of a sampling request of weather ended when the window was closed or reloaded. Nothing was sent to the server.",
	);
	expect(describeInterrupted([...steps("a", "gpt"), ...steps("a"), ...steps("b", "gpt")])).toBe(
		"3 reviews of sampling requests of a, b ended when the window was closed or reloaded. The activity shows what was sent to gpt. Nothing was sent to the server.",
	);
	expect(describeInterrupted(["a", "b", "c", "d", "e"].flatMap((name) => steps(name)))).toContain(
		"of a, b, c and 2 more",
	);
});
