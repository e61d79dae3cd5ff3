import { describe, expect, it } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { knowsNone } from "../../../../src/base/secrets/writer.ts";
import type { Session } from "../../../../src/servers/sessions/session.ts";
import { Examination } from "../../../../src/surfaces/doctor/examination.ts";
import type { DoctorFacts } from "../../../../src/surfaces/doctor/facts.ts";
import { failedFacts, quietProbes } from "../../../view/fixtures/doctorScene.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../../servers/fixtures.ts";

describe("the findings of a server that changes", () => {
	/** An examination that follows servers, by their ids. */
	function following(...first: readonly DoctorFacts[]) {
		let all = first;
		const changed = new Emitter<void>();
		const get = (id: string) => all.find(({ definition: one }) => one.id === id);
		const directory = {
			get sessions() {
				return all as unknown as readonly Session[];
			},
			onDidChange: changed.event,
			get: (id: string) => get(id) as unknown as Session | undefined,
		};
		const examination = new Examination(
			{ factsOf: async (id) => get(id), entryFaults: () => [], probes: quietProbes(), redactor: knowsNone },
			first.map(({ definition: one }) => one.id),
		);
		examination.follow(directory);
		let isOver = false;
		examination.onDidEnd(() => (isOver = true));
		return {
			examination,
			isOver: () => isOver,
			become: (...now: readonly DoctorFacts[]) => {
				all = now;
				changed.fire();
			},
			shown: () => examination.view.servers.map(({ name, origin, state }) => `${name} ${state}, ${origin}`),
		};
	}
	const facts = (name: string, origin = userOrigin, more: Partial<DoctorFacts> = {}) =>
		failedFacts(name, { definition: definition(name, stdioConfig(), origin), ...more });
	const stopped = { state: { kind: "stopped" } } as const;

	it("checks it again under the place to which it was moved", async () => {
		const scene = following(facts("acme"));
		await scene.examination.run();
		expect(scene.shown()).toEqual(["acme failed, User Settings"]);
		scene.become(facts("other"), facts("acme", workspaceOrigin, stopped));
		await expect.poll(scene.shown).toEqual(["acme stopped, .vscode/mcp.json in ws"]);
		expect(scene.isOver()).toBe(false);
	});

	it("checks it again once it stopped, or its definition changed", async () => {
		const scene = following(facts("acme"));
		await scene.examination.run();
		scene.become(facts("acme", userOrigin, stopped));
		await expect.poll(scene.shown).toEqual(["acme stopped, User Settings"]);
		const changed = definition("acme", stdioConfig({ command: "other" }));
		scene.become(failedFacts("acme", { definition: changed, state: { kind: "stopped" } }));
		await expect.poll(() => scene.examination.view.standing).toBe("done");
		expect(scene.isOver()).toBe(false);
	});

	it("leaves out one that was removed, and ends with the last one", async () => {
		const scene = following(facts("acme"), facts("other"));
		await scene.examination.run();
		scene.become(facts("other"));
		expect(scene.shown()).toEqual(["other failed, User Settings"]);
		expect(scene.isOver()).toBe(false);
		scene.become();
		expect(scene.isOver()).toBe(true);
	});

	it("notices a removal during the check", async () => {
		const scene = following(facts("acme"));
		const running = scene.examination.run();
		scene.become();
		await running;
		expect(scene.isOver()).toBe(true);
	});
});
