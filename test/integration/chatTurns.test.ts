/** Turns of the chat over real servers; only the model and the user are scripted. */
import { describe, expect, it } from "vitest";
import { TurnQuestions } from "../../src/surfaces/chat/turnQuestions.ts";
import type { TurnEvent } from "../../src/surfaces/chat/turnEvents.ts";
import { InlineQuestions } from "../../src/features/elicitation/inline.ts";
import { answerAll } from "../../src/features/tools/approval.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { boxOf, play, type ScriptedModel, type Step, type Told } from "../unit/surfaces/chat/scripted.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { faultyConfig, packageConfig, smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** Plays a turn with the running servers of the host. */
async function turn(
	host: TestHost,
	steps: readonly Step[],
	user = new User({ kind: "allow" }),
	more: Told = {},
): Promise<{ readonly model: ScriptedModel; readonly events: readonly TurnEvent[] }> {
	return play(steps, [], user, { box: boxOf(host.host.registry), ...more });
}

function calls(log: string): readonly unknown[] {
	return messagesOf(readReceived(log), "tools/call").map(({ params }) => params);
}

describe("a turn over real servers", () => {
	it("asks about a tool that declares itself read-only; after a denial, nothing reaches the server (TOL-06, BLT-37)", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		const session = await host.run("small", smallConfig("modern", log));
		await expect.poll(() => session.tools.get("echo")?.annotations?.readOnlyHint).toBe(true);
		const user = new User({ kind: "deny" });
		const steps = [{ calls: [{ name: "small_echo", arguments: { text: "hi" } }] }, { text: "ok" }];
		await turn(host, steps, user);
		expect([user.asked.length, calls(log)]).toEqual([1, []]);
		await turn(host, steps, new User({ kind: "allow" }));
		expect(calls(log)).toMatchObject([{ name: "echo", arguments: { text: "hi" } }]);
	});

	it("makes exactly one call per approval, with 20 at once and every answer given repeatedly (TOL-11)", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		const session = await host.run("small", smallConfig("modern", log));
		await expect.poll(() => session.tools.get("echo")).toBeDefined();
		const texts = Array.from({ length: 20 }, (_, index) => `number ${index}`);
		const all = texts.map((text) => ({ name: "small_echo", arguments: { text } }));
		const { model } = await turn(host, [{ calls: all }, { text: "ok" }], new User(() => undefined), {
			onEvent: (event) => {
				if (event.type !== "group") return;
				event.group.questions[7]?.decision.answer({ kind: "allow" });
				for (let click = 0; click < 20; click++) {
					event.group.questions[7]?.decision.answer({ kind: "allow" });
					answerAll(event.group, { kind: "deny" });
				}
			},
		});
		expect(calls(log)).toMatchObject([{ arguments: { text: "number 7" } }]);
		expect(model.results(1).map((result) => result === "number 7")).toEqual(texts.map((_, index) => index === 7));
	});

	it("never runs a call twice when its server crashes during it; the model learns that the outcome is unknown (TOL-19)", async () => {
		await using host = new TestHost();
		const log = host.path("faulty.log");
		const session = await host.run("faulty", faultyConfig("crashLater", log));
		await expect.poll(() => session.tools.get("crash")).toBeDefined();
		const { model } = await turn(host, [{ calls: [{ name: "faulty_crash" }] }, { text: "I will look first." }]);
		expect(model.results(1)[0]).toMatch(/tools\/call crash may have taken effect/);
		// It restarts automatically, and does not receive the call again.
		await expect.poll(() => session.state.kind).toBe("running");
		await expect.poll(() => session.tools.get("echo")).toBeDefined();
		expect(calls(log)).toHaveLength(1);
	});

	it("cancels one long call and notifies its server, while the other continues", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		const session = await host.run("small", smallConfig("modern", log));
		await expect.poll(() => session.tools.get("slow")).toBeDefined();
		const both = [
			{ name: "small_slow", arguments: { steps: 1000, stepMs: 50 } },
			{ name: "small_slow", arguments: { steps: 3, stepMs: 10 } },
		];
		const { model, events } = await turn(host, [{ calls: both }, { text: "ok" }], undefined, {
			onEvent: ({ ...event }) => {
				if (event.type !== "call" || event.event.type !== "progress") return;
				if (event.place.number === 1) event.event.run.cancel();
			},
		});
		expect(model.results(1)[0]).toContain("cancelled this call while it ran");
		expect(model.results(1)[1]).not.toContain("cancelled");
		expect(events.some((event) => event.type === "call" && event.event.type === "progress")).toBe(true);
		await expect.poll(() => messagesOf(readReceived(log), "notifications/cancelled").length).toBe(1);
	});

	it("shows the server's log messages during its call", async () => {
		await using host = new TestHost();
		const session = await host.run("small", smallConfig("modern"));
		await expect.poll(() => session.tools.get("echo")).toBeDefined();
		const { events } = await turn(host, [
			{ calls: [{ name: "small_echo", arguments: { text: "hi" } }] },
			{ text: "ok" },
		]);
		const logged = events.flatMap((event) =>
			event.type === "call" && event.event.type === "log" ? [event.event.line] : [],
		);
		expect(logged.join()).toContain("echo hi");
	});

	it("offers a tool that appears during the turn from the next answer on (TOL-18)", async () => {
		await using host = new TestHost();
		const session = await host.run("small", smallConfig("modern"));
		await expect.poll(() => session.tools.get("change")).toBeDefined();
		const added = (): Promise<void> => expect.poll(() => session.tools.get("added-1")).toBeDefined();
		const { model } = await turn(host, [
			{ calls: [{ name: "small_change", arguments: { what: "tools" } }] },
			{ calls: [{ name: "small_echo", arguments: { text: "wait" } }], before: added },
			{ text: "ok" },
		]);
		const offered = model.requests.map(({ options }) => options.tools?.some(({ name }) => name === "small_added-1"));
		// On a machine that stalls at the right moment the second answer already has it.
		expect([offered[0], offered.at(-1), offered.length]).toEqual([false, true, 3]);
	});

	it("runs a task: its progress is shown, and its questions are asked in the turn", async () => {
		await using host = new TestHost();
		const inline = new InlineQuestions();
		const places: boolean[] = [];
		host.answerWith({
			createMessage: () => Promise.reject(new Error("Nobody asks for a completion.")),
			elicit: async (session, _params, { during }) => {
				places.push(inline.placeOf(session, during) !== undefined);
				return { action: "accept", content: { interpretation: "snake" } };
			},
		});
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		await expect.poll(() => session.tools.get("simulate-research-query")).toBeDefined();
		using questions = new TurnQuestions(inline, () => undefined);
		const args = { topic: "python", ambiguous: true };
		const { model, events } = await turn(
			host,
			[{ calls: [{ name: "everything_simulate-research-query", arguments: args }] }, { text: "ok" }],
			undefined,
			{ onEvent: (event) => questions.follow(event) },
		);
		expect(model.results(1)[0]).toContain("python (snake)");
		expect(places).toEqual([true]);
		const told = events.flatMap((event) =>
			event.type === "call" && event.event.type === "progress" ? [event.event.progress.message] : [],
		);
		expect(told).toContain("Gathering sources...");
	});
});
