import { describe, expect, test } from "vitest";
import { explainAbsence, isSettling } from "../../../../src/servers/sessions/absence.ts";
import { listPrompts, promptTitle, watchPrompts } from "../../../../src/features/prompts/catalog.ts";
import { recentPrompts, rememberPrompt } from "../../../../src/features/prompts/promptMemory.ts";
import { memory } from "./memory.ts";
import { FakeDirectory, FakeSession, planVacation } from "./fakeDirectory.ts";

const greet = { name: "greet" };

describe("the catalog", () => {
	test("lists the prompts of running servers in their order, by server and name", async () => {
		const travel = await new FakeSession("travel", [planVacation, greet]).ready();
		const idle = await new FakeSession("idle", [greet]).ready();
		idle.state = { kind: "stopped" };
		const directory = new FakeDirectory(travel, idle);
		expect(listPrompts(directory).map(({ id }) => id)).toEqual(["travel/plan-vacation", "travel/greet"]);
	});

	test("distinguishes servers with the same configured name by their unique ids, running or not", async () => {
		const mine = await new FakeSession("travel", [greet], "user-settings").ready();
		const theirs = await new FakeSession("travel", [greet], "mcp-json").ready();
		theirs.state = { kind: "stopped" };
		expect(listPrompts(new FakeDirectory(mine)).map(({ id }) => id)).toEqual(["travel/greet"]);
		const [entry] = listPrompts(new FakeDirectory(mine, theirs));
		expect(entry?.id).toBe("user-settings/travel/greet");
		expect(entry?.key).toBe(listPrompts(new FakeDirectory(mine))[0]?.key);
	});

	test("an empty title falls back to the name", () => {
		expect(promptTitle({ name: "greet", title: "  " })).toBe("greet");
		expect(promptTitle(planVacation)).toBe("Plan a Vacation");
	});

	test("watching follows servers that appear later and stops when disposed", async () => {
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
	test("are listed with the latest first, each once, up to a limit", async () => {
		const store = memory();
		for (const key of ["a", "b", "a", ..."cdefghijklm".split("")]) await rememberPrompt(store, key);
		expect(recentPrompts(store)).toEqual("mlkjihgfed".split(""));
	});

	test("data stored by another version is harmless", () => {
		expect(recentPrompts(memory({ "mcpHost.recentPrompts": { a: 1 } }))).toEqual([]);
		expect(recentPrompts(memory({ "mcpHost.recentPrompts": ["a", 1, null] }))).toEqual(["a"]);
	});
});

describe("explaining that there is no prompt", () => {
	const titles = (...sessions: readonly FakeSession[]): readonly string[] =>
		explainAbsence(sessions, "prompts").remedies.map(({ title }) => title);

	test("nothing configured: the demo", () => {
		expect(explainAbsence([], "prompts").message).toBe("No MCP server is configured.");
		expect(titles()).toEqual(["Try the Demo Server", "Add a Server…"]);
	});

	test("nothing running: start one; the demo is offered unless it is there", () => {
		const idle = new FakeSession("idle", []);
		idle.state = { kind: "stopped" };
		expect(explainAbsence([idle], "prompts").message).toBe("No MCP server is running.");
		expect(titles(idle)).toEqual(["Start a Server…", "Try the Demo Server"]);
		const demo = new FakeSession("travel", [], "demo");
		demo.state = { kind: "stopped" };
		expect(titles(demo)).toEqual(["Start a Server…"]);
	});

	test("a list that failed is not an empty one", async () => {
		const broken = new FakeSession("broken", []);
		void broken.prompts.connect(() => Promise.reject(new Error("out\nof order")));
		await broken.prompts.refresh();
		const { message, remedies } = explainAbsence([broken], "prompts");
		expect(message).toBe('The prompts of "broken" could not be read. out of order');
		expect(remedies[0]).toMatchObject({ command: "mcpHost.showLog", argument: { server: broken.definition.id } });
		const empty = await new FakeSession("empty", []).ready();
		expect(explainAbsence([empty], "prompts").message).toBe('The server "empty" offers no prompts.');
		expect(explainAbsence([empty, empty], "prompts").message).toBe("None of the running servers offers prompts.");
	});

	test("a server that starts or a list that loads may still add some", async () => {
		const starting = await new FakeSession("starting", []).ready();
		expect(isSettling([starting], "prompts")).toBe(false);
		starting.state = { kind: "starting" };
		expect(isSettling([starting], "prompts")).toBe(true);
		expect(isSettling([new FakeSession("loading", [])], "prompts")).toBe(true);
	});
});
