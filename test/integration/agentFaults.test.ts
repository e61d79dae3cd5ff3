/** Turns in which something disappears: every call ends exactly once, and nothing is done twice (TOL-18, TOL-19). */
import { rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../src/surfaces/chat/turnEvents.ts";
import { messagesOf, processesOf, readReceived } from "../servers/received.ts";
import type { ScriptedStep } from "../servers/scriptedModel.ts";
import { boxOf, play, unpaired } from "../unit/surfaces/chat/scripted.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { openEndpoint, playWith } from "./endpointTurn.ts";
import { scriptConfig, smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** The ids of the places of events of one kind; each must be there once. */
function placesOf(events: readonly TurnEvent[], type: "finished" | "decided" | "started"): readonly string[] {
	return events.flatMap((event) => {
		if (event.type === "finished") return type === "finished" ? [event.place.id] : [];
		return event.type === "call" && event.event.type === type ? [event.place.id] : [];
	});
}

describe("a turn", () => {
	it("whose server is killed in 12 parallel calls ends each once, and repeats none", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		const session = await host.run("small", smallConfig("modern", log));
		await expect.poll(() => session.tools.get("slow")).toBeDefined();
		const calls = Array.from({ length: 12 }, (_, index) => ({
			name: "small_slow",
			arguments: { steps: 1000 + index, stepMs: 20 },
		}));
		const received = (): number => messagesOf(readReceived(log), "tools/call").length;
		let isKilled = false;
		const { model, events, record } = await play([{ calls }, { text: "ok" }], [], new User({ kind: "allow" }), {
			box: boxOf(host.host.registry),
			onEvent: (event) => {
				if (event.type !== "call" || event.event.type !== "progress" || received() < calls.length) return;
				// Progress that arrived before may be shown only now.
				if (isKilled) return;
				isKilled = true;
				const [pid = 0] = processesOf(readReceived(log));
				process.kill(pid, "SIGKILL");
			},
		});
		const results = model.results(1);
		expect(results).toHaveLength(12);
		// Whatever the tool's annotations are, its effects before the end are unknown.
		const unknown = "tools/call slow may have taken effect. Check before you repeat it.";
		for (const result of results) expect(result).toBe(`small: The server was killed by SIGKILL. ${unknown}`);
		for (const type of ["started", "decided", "finished"] as const) {
			const places = placesOf(events, type);
			expect([places.length, new Set(places).size]).toEqual([12, 12]);
		}
		expect(unpaired(record.messages)).toEqual([]);
		// Restarted automatically, it receives none of them.
		await expect.poll(() => session.tools.get("echo")).toBeDefined();
		expect(received()).toBe(12);
	});

	it("whose tool is removed while the user is asked calls nothing, and no longer offers it", async () => {
		await using host = new TestHost();
		const [file, log] = [host.path("tools.json"), host.path("changing.log")];
		const tools = ["keep", "remove"].map((name) => ({ name, inputSchema: { type: "object" } }));
		const say = (count: number): void => writeFileSync(file, JSON.stringify({ tools: tools.slice(0, count) }));
		say(2);
		const script = resolve(import.meta.dirname, "../servers/changingServer.ts");
		const session = await host.run("changing", scriptConfig(script, "--file", file, "--log", log));
		await expect.poll(() => session.tools.items).toHaveLength(2);
		const user = new User(({ call, decision }) => {
			if (call.entry.tool.name !== "remove") return { kind: "allow" };
			say(1);
			const subscription = session.tools.onDidChange(() => {
				if (session.tools.get("remove") !== undefined) return;
				subscription.dispose();
				decision.answer({ kind: "allow" });
			});
			return undefined;
		});
		const calls = [{ name: "changing_remove" }, { name: "changing_keep" }];
		const steps = [{ calls }, { calls: [{ name: "changing_remove" }] }, { text: "ok" }];
		const { model, events } = await play(steps, [], user, { box: boxOf(host.host.registry) });
		expect(model.results(1)).toEqual([expect.stringContaining("no longer exists"), "keep answered"]);
		expect(model.requests.map(({ options }) => options.tools?.length)).toEqual([2, 1, 1]);
		expect(model.results(2).join()).toContain("It no longer exists");
		expect(messagesOf(readReceived(log), "tools/call").map(({ params }) => params)).toMatchObject([{ name: "keep" }]);
		expect(new Set(placesOf(events, "finished")).size).toBe(3);
		rmSync(file);
	});

	it.each<[when: string, step: ScriptedStep]>([
		["in its words", { text: "I will look", cut: true }],
		["after a call that was whole", { toolCalls: [{ name: "small_echo", arguments: { text: "hi" } }], cut: true }],
	])("whose model's endpoint dies %s makes no call, and requests no second answer", async (_when, step) => {
		await using host = new TestHost();
		await using endpoint = await openEndpoint();
		const log = host.path("small.log");
		const session = await host.run("small", smallConfig("modern", log));
		await expect.poll(() => session.tools.get("echo")).toBeDefined();
		endpoint.say(step, step);
		const user = new User({ kind: "allow" });
		const { events, record } = await playWith(host, endpoint.model, user);
		expect(record.ending).toBe("failed");
		expect(events.filter(({ type }) => type === "failed")).toHaveLength(1);
		expect([user.asked.length, messagesOf(readReceived(log), "tools/call")]).toEqual([0, []]);
		expect(unpaired(record.messages)).toEqual([]);
		// Once any text arrived, it is not asked again.
		expect(endpoint.requests()).toHaveLength(1);
	});
});
