import { describe, expect, test } from "vitest";
import type { KeyValue } from "../../../src/base/storage.ts";
import { explainAbsence, isSettling } from "../../../src/prompts/absence.ts";
import { groupPrompts, listPrompts, promptTitle, watchPrompts } from "../../../src/prompts/catalog.ts";
import { recentPrompts, rememberPrompt } from "../../../src/prompts/recents.ts";
import { FakeDirectory, FakeSession, planVacation } from "./fakeDirectory.ts";

const greet = { name: "greet" };

/** A store that forgets when the test ends. */
function memory(initial: Readonly<Record<string, unknown>> = {}): KeyValue {
	const values = new Map(Object.entries(initial));
	return {
		get: (key) => values.get(key) as never,
		update: (key, value) => {
			values.set(key, value);
			return Promise.resolve();
		},
	};
}

describe("the catalog", () => {
	test("lists the prompts of running servers in their order, by server and name", async () => {
		const travel = await new FakeSession("travel", [planVacation, greet]).ready();
		const idle = await new FakeSession("idle", [greet]).ready();
		idle.state = { kind: "stopped" };
		const directory = new FakeDirectory(travel, idle);
		expect(listPrompts(directory).map(({ id }) => id)).toEqual(["travel/plan-vacation", "travel/greet"]);
	});

	test("tells servers with the same configured name apart by their unique ids, running or not", async () => {
		const mine = await new FakeSession("travel", [greet], "user-settings").ready();
		const theirs = await new FakeSession("travel", [greet], "mcp-json").ready();
		theirs.state = { kind: "stopped" };
		expect(listPrompts(new FakeDirectory(mine)).map(({ id }) => id)).toEqual(["travel/greet"]);
		const [entry] = listPrompts(new FakeDirectory(mine, theirs));
		expect(entry?.id).toBe("user-settings/travel/greet");
		expect(entry?.key).toBe(listPrompts(new FakeDirectory(mine))[0]?.key);
	});

	test("puts recently used prompts first and shows each once", async () => {
		const travel = await new FakeSession("travel", [planVacation, greet]).ready();
		const notes = await new FakeSession("notes", [greet]).ready();
		const directory = new FakeDirectory(travel, notes);
		const entries = listPrompts(directory);
		const groups = groupPrompts(directory, entries, ["gone\nprompt", entries[2]?.key ?? "", entries[0]?.key ?? ""]);
		expect(groups.map(({ heading, rows }) => [heading, rows.map(({ description }) => description)])).toEqual([
			["recently used", ["notes/greet", "travel/plan-vacation"]],
			["travel", ["travel/greet"]],
		]);
	});

	test("a row always shows the server, whatever the prompt calls itself", async () => {
		const evil = {
			name: "x",
			title: "Sign in to GitHub\u202E\n",
			description: "long ".repeat(200),
		};
		const directory = new FakeDirectory(await new FakeSession("evil", [evil]).ready());
		const [row] = groupPrompts(directory, listPrompts(directory), [])[0]?.rows ?? [];
		expect(row?.label).toBe("Sign in to GitHub\\u202E");
		expect(row?.description).toBe("evil/x");
		expect(row?.detail.length).toBeLessThan(350);
	});

	test("an empty title falls back to the name", () => {
		expect(promptTitle({ name: "greet", title: "  " })).toBe("greet");
		expect(promptTitle(planVacation)).toBe("Plan a Vacation");
	});

	test("watching follows servers that come later and stops when disposed", async () => {
		const travel = await new FakeSession("travel", [greet]).ready();
		const directory = new FakeDirectory(travel);
		let calls = 0;
		const watch = watchPrompts(directory, () => calls++);
		const later = await new FakeSession("later", [greet]).ready();
		directory.change(later);
		expect(calls).toBe(1);
		later.prompts.disconnect();
		expect(calls).toBe(2);
		travel.prompts.disconnect();
		expect(calls).toBe(2);
		watch.dispose();
		directory.change(travel);
		void later.prompts.connect(() => Promise.resolve({ items: [greet] }));
		expect(calls).toBe(2);
	});
});

describe("recently used prompts", () => {
	test("the latest first, each once, a bounded number", async () => {
		const store = memory();
		for (const key of ["a", "b", "a", ..."cdefghijklm".split("")]) await rememberPrompt(store, key);
		expect(recentPrompts(store)).toEqual("mlkjihgfed".split(""));
	});

	test("what another version stored does no harm", () => {
		expect(recentPrompts(memory({ "mcpHost.recentPrompts": { a: 1 } }))).toEqual([]);
		expect(recentPrompts(memory({ "mcpHost.recentPrompts": ["a", 1, null] }))).toEqual(["a"]);
	});
});

describe("explaining that there is no prompt", () => {
	const kinds = (directory: FakeDirectory): readonly string[] =>
		explainAbsence(directory).remedies.map(({ kind }) => kind);

	test("nothing configured: the demo", () => {
		expect(explainAbsence(new FakeDirectory()).message).toBe("No MCP server is configured.");
		expect(kinds(new FakeDirectory())).toEqual(["demo"]);
	});

	test("nothing running: start one; the demo is offered unless it is there", () => {
		const idle = new FakeSession("idle", []);
		idle.state = { kind: "stopped" };
		expect(explainAbsence(new FakeDirectory(idle)).message).toBe("No MCP server is running.");
		expect(kinds(new FakeDirectory(idle))).toEqual(["start", "demo"]);
		const demo = new FakeSession("travel", [], "demo");
		demo.state = { kind: "stopped" };
		expect(kinds(new FakeDirectory(demo))).toEqual(["start"]);
	});

	test("a list that failed is not an empty one", async () => {
		const broken = new FakeSession("broken", []);
		void broken.prompts.connect(() => Promise.reject(new Error("out\nof order")));
		await broken.prompts.refresh();
		const { message, remedies } = explainAbsence(new FakeDirectory(broken));
		expect(message).toBe('The prompts of "broken" could not be read. out of order');
		expect(remedies[0]).toEqual({ kind: "log", title: "Show Log", server: broken.definition.id });
		const empty = await new FakeSession("empty", []).ready();
		expect(explainAbsence(new FakeDirectory(empty)).message).toBe("None of the running servers offers prompts.");
	});

	test("a server that starts or a list that loads may still bring some", async () => {
		const starting = await new FakeSession("starting", []).ready();
		expect(isSettling(new FakeDirectory(starting))).toBe(false);
		starting.state = { kind: "starting" };
		expect(isSettling(new FakeDirectory(starting))).toBe(true);
		expect(isSettling(new FakeDirectory(new FakeSession("loading", [])))).toBe(true);
	});
});
