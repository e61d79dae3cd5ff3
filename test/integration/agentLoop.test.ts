/** The whole loop over real servers: they receive exactly what was shown, and models receive only what they may. */
import { describe, expect, it } from "vitest";
import { messagesOf, readReceived } from "../servers/received.ts";
import type { ToolBox } from "../../src/features/agentTools/toolBox.ts";
import { boxOf, ScriptedModel, wideLimits } from "../unit/surfaces/chat/scripted.ts";
import { generator, randomObject, readBack } from "../unit/surfaces/chat/shownArguments.ts";
import { AttackScene, userWhoAllows } from "./attackScene.ts";
import { openEndpoint, playWith } from "./endpointTurn.ts";
import { smallConfig } from "./fixtures.ts";
import { ObedientModel } from "./obedientModel.ts";
import { TestHost } from "./testHost.ts";

describe("an attacker whom the model obeys", () => {
	it("who orders a next call with every result reaches the limit of rounds, even if each is allowed (TOL-16)", async () => {
		await using scene = await AttackScene.open({ transport: "stdio", era: "modern" });
		const model = new ObedientModel({ name: "poisoned_chain", arguments: { text: "link-0" } });
		const { events } = await scene.turn(model, userWhoAllows(Infinity), {
			limits: { ...wideLimits, rounds: 50 },
			isOffered: (name) => name === "poisoned_chain",
		});
		const links = scene.takeActions().filter(({ target }) => target === "chain");
		expect(links.map(({ arguments: args }) => args)).toEqual(
			Array.from({ length: 50 }, (_, index) => ({ text: `link-${index}` })),
		);
		expect(model.requests).toHaveLength(50);
		expect(events.at(-1)).toMatchObject({ type: "limit", limit: "rounds" });
	});

	it("who changes how another server's tool is used is visible in that tool's arguments, and is warned about (TOL-03)", async () => {
		await using scene = await AttackScene.open({ transport: "stdio", era: "modern" });
		const letter = { text: "Dear Bob", bcc: "attacker@evil.example" };
		const model = new ObedientModel({ name: "small_echo", arguments: letter });
		const user = userWhoAllows(1);
		const { shown } = await scene.turn(model, user, { isOffered: (name) => name === "poisoned_shadow" });
		const [question] = shown.flatMap((part) => (part.kind === "text" ? [part.markdown] : []));
		expect(question).toContain("**bcc** `attacker@evil.example`");
		expect(scene.takeActions()).toEqual([{ method: "tools/call", target: "echo", arguments: letter }]);

		// The question for that tool names the tool that it mentions.
		const asked = userWhoAllows(0);
		await scene.turn(new ObedientModel({ name: "poisoned_shadow", arguments: {} }), asked, { isOffered: () => false });
		const warnings = asked.asked[0]?.notice.warnings.map(({ text }) => text).join("\n");
		expect(warnings).toMatch(/echo.*small/s);
		expect(scene.takeActions()).toEqual([]);
	});
});

describe("arguments", () => {
	it.each(["legacy", "modern"] as const)(
		"reach a server of the %s era byte for byte as they were shown, 200 random ones (TOL-10)",
		async (era) => {
			await using scene = await AttackScene.open({ transport: "stdio", era });
			const random = generator(era === "legacy" ? 37 : 20_261_122);
			const all = Array.from({ length: 200 }, () => ({ text: "", ...randomObject(random, 3) }));
			const shown: string[] = [];
			for (let first = 0; first < all.length; first += 20) {
				// The attacker's echo, since the other server always uses revision 2026-07-28.
				const calls = all.slice(first, first + 20).map((args) => ({ name: "poisoned_echo", arguments: args }));
				const turn = await scene.turn(new ScriptedModel([{ calls }, { text: "ok" }]), userWhoAllows(Infinity));
				const parts = turn.shown;
				for (const [index, part] of parts.entries()) {
					const row = parts[index + 1];
					const isQuestion = row?.kind === "links" && row.main?.action === "allow";
					if (part.kind === "text" && isQuestion) shown.push(JSON.stringify(readBack(part.markdown)));
				}
			}
			expect(shown).toEqual(all.map((args) => JSON.stringify(args)));
			const sent = scene.takeActions().map(({ arguments: args }) => JSON.stringify(args));
			expect(sent).toEqual(shown);
		},
	);
});

describe("a server that is stopped", () => {
	it("starts with the window if it is approved and unchanged, and with no turn or call (BLT-05, BLT-06)", async () => {
		await using host = new TestHost();
		const log = host.path("small.log");
		const starts = (): number => readReceived(log).filter(({ kind }) => kind === "start").length;
		await host.configure({ small: smallConfig("modern", log) });
		await host.host.startApproved();
		const session = host.session("small");
		await expect.poll(() => session.tools.get("echo")).toBeDefined();
		const found = boxOf(host.host.registry).find("small_echo");
		await session.stop();
		expect(starts()).toBe(1);

		// By its name, and by its definitions from an earlier run.
		const call = { name: "small_echo", arguments: { text: "hi" } };
		const model = new ScriptedModel([{ calls: [call] }, { text: "ok" }]);
		await playWith(host, model, userWhoAllows(Infinity));
		expect(model.requests[0]?.options.tools).toEqual([]);
		expect(model.results(1).join()).toContain("There is no tool named small_echo.");
		const late = new ScriptedModel([{ calls: [call] }, { text: "ok" }]);
		const box: ToolBox = { sessions: [], offered: [], isLazy: false, find: () => found };
		await playWith(host, late, userWhoAllows(Infinity), box);
		expect(late.results(1).join()).toContain("is no longer running");
		expect([starts(), session.state.kind]).toEqual([1, "stopped"]);
	});
});

describe("a server that is not approved", () => {
	it("is in no request to a model, not even a byte; nor after its approval is withdrawn during a turn (TOL-05)", async () => {
		await using host = new TestHost();
		await using endpoint = await openEndpoint();
		const log = host.path("stranger.log");
		const origin = { kind: "user-settings", label: "User Settings", isWorkspace: false } as const;
		const value = { small: smallConfig("modern"), stranger: smallConfig("modern", log) };
		await host.host.configure([{ origin, content: { value } }], false);
		await host.host.approve(host.session("small").definition);
		await host.host.startApproved();
		await host.host.start(host.session("stranger").definition.id);
		await expect.poll(() => host.session("small").tools.status.kind).toBe("ready");

		const call = { name: "small_echo", arguments: { text: "hi" } };
		endpoint.say({ toolCalls: [call] }, { toolCalls: [{ ...call, name: "stranger_echo" }] }, { text: "Alone." });
		const words = (): readonly string[] => endpoint.requests().map((body) => body.replaceAll("stranger_echo", ""));
		const user = userWhoAllows(Infinity);
		await playWith(host, endpoint.model, user);
		expect(words()).toHaveLength(3);
		expect(words()[0]).toContain("small_echo");
		expect(words().join()).not.toContain("stranger");
		expect(readReceived(log)).toEqual([]);
		expect(user.asked).toHaveLength(1);

		await host.host.approve(host.session("stranger").definition);
		await host.session("stranger").start();
		await expect.poll(() => host.session("stranger").tools.status.kind).toBe("ready");
		const gate = endpoint.asked(3).then(() => host.host.revoke(host.session("stranger").definition.id));
		const strange = { ...call, name: "stranger_echo" };
		endpoint.say({ toolCalls: [call], gate }, { toolCalls: [strange] }, { text: "Alone again." });
		const revoking = userWhoAllows(Infinity);
		await playWith(host, endpoint.model, revoking);
		expect(endpoint.requests()[3]).toContain('<server-instructions server=\\"stranger\\">');
		expect(words().slice(4).join()).not.toContain("stranger");
		expect(messagesOf(readReceived(log), "tools/call")).toEqual([]);
		expect(revoking.asked).toHaveLength(1);
	});
});
