import { describe, expect, test } from "vitest";
import type { ActivityEntry } from "../../../../src/records/activity/journal/entry.ts";
import { ClientConsents } from "../../../../src/surfaces/bridge/consents.ts";
import { type ClientProgram, programKey } from "../../../../src/surfaces/bridge/program.ts";
import { httpEntry, httpRows } from "../../../../src/surfaces/bridge/httpRows.ts";
import { questionAbout, shareRows } from "../../../../src/surfaces/bridge/shareList.ts";
import { memoryStore } from "../../base/store/storeFolder.ts";

class Scene {
	readonly asked: ClientProgram[] = [];
	readonly answers: ((answer: boolean | undefined) => void)[] = [];
	readonly notes: ActivityEntry[] = [];
	readonly consents: ClientConsents;
	time = 0;

	constructor(store = memoryStore()) {
		this.consents = new ClientConsents({
			journal: store.journal("agents"),
			notes: { note: (entry) => void this.notes.push(entry) },
			ask: (program) => {
				this.asked.push(program);
				return new Promise((resolve) => this.answers.push(resolve));
			},
			home: "/home/ann",
			now: () => this.time,
		});
	}

	async answer(answer: boolean | undefined): Promise<void> {
		this.answers.shift()?.(answer);
		await Promise.resolve();
		await expect.poll(() => this.consents.waiting.length).toBe(this.answers.length);
	}
}

function program(name: string): ClientProgram {
	return { name, chain: ["/ext/cli.js", `/bin/${name}`], isProven: true };
}

describe("the user's consent to a program (GST-08)", () => {
	test("is asked for once, kept for all windows, noted, and asked for again after it is revoked", async () => {
		const store = memoryStore();
		const scene = new Scene(store);
		const claude = program("claude");
		expect(scene.consents.of(claude)).toBeUndefined();
		void scene.consents.request(claude);
		void scene.consents.request(claude);
		expect(scene.asked).toHaveLength(1);
		await scene.answer(true);
		expect(scene.consents.of(claude)).toBe(true);
		expect(new Scene(store).consents.of(claude)).toBe(true);
		expect(scene.consents.of({ ...claude, chain: ["/ext/cli.js", "/tmp/claude"] })).toBeUndefined();
		void scene.consents.request(claude);
		expect(scene.asked).toHaveLength(1);
		scene.consents.revoke([programKey(claude)]);
		expect(scene.consents.of(claude)).toBeUndefined();
		void scene.consents.request(claude);
		await scene.answer(false);
		expect(scene.consents.of(claude)).toBe(false);
		expect(scene.notes.map((note) => (note.kind === "permission" ? note.event : ""))).toEqual([
			"granted",
			"revoked",
			"refused",
		]);
	});

	test("is not given by a closed question, which does not come again for some minutes", async () => {
		const scene = new Scene();
		void scene.consents.request(program("a"));
		await scene.answer(undefined);
		expect(scene.consents.of(program("a"))).toBeUndefined();
		void scene.consents.request(program("a"));
		expect(scene.asked).toHaveLength(1);
		scene.time = 600_001;
		void scene.consents.request(program("a"));
		expect(scene.asked).toHaveLength(2);
	});

	test("is asked for of three programs at a time, however many names a program tries", async () => {
		const scene = new Scene();
		for (let index = 0; index < 100; index++) void scene.consents.request(program(`name ${index}`));
		expect(scene.asked).toHaveLength(3);
		await scene.answer(false);
		void scene.consents.request(program("next"));
		expect(scene.asked).toHaveLength(4);
	});

	test("is asked for with the claimed name and the real parents, and listed while it waits", async () => {
		const scene = new Scene();
		expect(questionAbout(program("claude"), "/home/ann")).toContain("It was started by: /ext/cli.js ← /bin/claude.");
		expect(questionAbout({ name: "x", chain: [], isProven: false }, "/")).toContain("only a claim");
		void scene.consents.request(program("claude"));
		scene.consents.decide(program("codex"), false);
		const { consents } = scene;
		const state = { isOn: true, clients: 2, whyNot: undefined, consents, home: "/h", handOvers: 0 };
		expect(shareRows(state)).toMatchObject([
			{ label: "Stop Sharing", description: "2 agents are connected" },
			{ label: "Answer claude…", description: "/ext/cli.js ← /bin/claude" },
			{ label: "Hand Over to Agents…" },
			{ label: "Copy Configuration for an Agent" },
			{ label: "Show What May Run", description: "0 allowed, 1 denied" },
		]);
		expect(shareRows({ ...state, whyNot: "no" })[0]?.description).toBe("not shared: no");
		const later = shareRows({ ...state, handOvers: 2 }).map(({ label }) => label);
		expect(later).toContain("Undo Hand-Over…");
		expect(shareRows({ ...state, isOn: false })[0]?.label).toBe("Share the Servers of This Window");
	});

	test("shows HTTP with its address, and why another window has the port (GST-15)", () => {
		expect(httpRows({ port: 0, whyNot: undefined }).map(({ label }) => label)).toEqual(["Add a Key for HTTP…"]);
		const rows = httpRows({ port: 4000, whyNot: undefined });
		expect(rows.map(({ description }) => description)).toEqual(Array(2).fill("http://127.0.0.1:4000/mcp"));
		expect(httpRows({ port: 4000, whyNot: "Port 4000 is in use." })[1]?.description).toBe("Port 4000 is in use.");
		expect(JSON.parse(httpEntry(4000, "k"))).toMatchObject({
			mcpServers: { "mcp-host": { url: "http://127.0.0.1:4000/mcp", headers: { Authorization: "Bearer k" } } },
		});
	});
});
