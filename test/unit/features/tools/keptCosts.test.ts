/** The cost of servers for models is known in the next window too (REG-15). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { Store } from "../../../../src/base/store/store.ts";
import { KeptCosts } from "../../../../src/features/tools/keptCosts.ts";
import { ToolCosts } from "../../../../src/features/tools/toolCosts.ts";
import { FakeDirectory, FakeSession } from "../resources/fakeSession.ts";
import { tool } from "./toolSession.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), "mcp-host-costs-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A window in which a server may run. */
function windowWith(session: FakeSession) {
	const store = new Store({ folder, onProblem: () => undefined });
	const directory = new FakeDirectory(session);
	const costs = new ToolCosts(directory, { current: 10_000, onDidChange: new Emitter<void>().event });
	const kept = new KeptCosts(costs, directory, store.journal("costs"));
	const close = (): void => {
		for (const one of [kept, costs, store]) one.dispose();
	};
	return { kept, costs, store, close };
}

test("the cost of a server from its last run is known to the next window, for that definition only", async () => {
	const session = new FakeSession("travel");
	const first = windowWith(session);
	expect(first.kept.of(session.definition)).toBeUndefined();
	await session.run({ tools: [tool("search"), tool("book")] });
	await expect.poll(() => first.kept.of(session.definition)).toBeGreaterThan(10);
	const tokens = first.costs.of(session)?.tokens;
	expect(first.kept.of(session.definition)).toBe(tokens);
	session.setState({ kind: "stopped" });
	await expect.poll(() => first.costs.of(session)).toBeUndefined();
	expect(first.kept.of(session.definition)).toBe(tokens);
	first.close();

	const stopped = new FakeSession("travel");
	const second = windowWith(stopped);
	expect(second.kept.of(stopped.definition)).toBe(tokens);
	expect(second.kept.inWords(stopped.definition)).toMatch(/^~\d+ tokens$/);
	const changed = Object.assign(new FakeSession("travel"), {
		definition: { ...stopped.definition, hash: "another" },
	});
	expect(second.kept.of(changed.definition)).toBeUndefined();
	second.close();
});

test.each([1, null, {}, { hash: 1, tokens: "many" }, { tokens: 5 }])(
	"invalid stored costs are ignored: %j",
	(value) => {
		const session = new FakeSession("travel");
		const { kept, store, close } = windowWith(session);
		store.journal("costs").put(session.definition.id, value);
		expect(kept.of(session.definition)).toBeUndefined();
		close();
	},
);

test("of very many servers those that ran longest ago are forgotten", async () => {
	const session = new FakeSession("travel");
	const { kept, store, close } = windowWith(session);
	const journal = store.journal("costs");
	journal.write(Array.from({ length: 520 }, (_, index) => ({ key: `s${index}`, value: { hash: "h", tokens: 1 } })));
	await session.run({ tools: [tool("search")] });
	await expect.poll(() => kept.of(session.definition)).toBeGreaterThan(0);
	expect(journal.lines).toHaveLength(500);
	expect(journal.get("s0")).toBeUndefined();
	close();
});
