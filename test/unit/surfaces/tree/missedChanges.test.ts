import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MissedChanges } from "../../../../src/surfaces/tree/missedChanges.ts";
import { nodeId, type TreeNode } from "../../../../src/surfaces/tree/nodes.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";

const session = new FakeSession("travel");
const server = session.definition.id;
const tools: TreeNode = { kind: "group", id: nodeId(server, "tools"), server, session, group: "tools" };
const travel: TreeNode = { kind: "server", id: nodeId(server), server, session };

/** The repeated announcements. */
let again: (readonly TreeNode[] | undefined)[];
let changes: MissedChanges;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
	again = [];
	changes = new MissedChanges();
	changes.onDidMiss((nodes) => again.push(nodes));
});
afterEach(() => {
	changes.dispose();
	vi.useRealTimers();
});

describe("a change of a row (UI-31)", () => {
	test("that overlaps with loading the rows below it is announced once more, and not again", () => {
		changes.asked(tools);
		vi.advanceTimersByTime(10);
		changes.announced([travel, tools]);
		vi.advanceTimersByTime(5000);
		expect(again).toEqual([[tools]]);
		changes.announced(again[0]);
		vi.advanceTimersByTime(5000);
		expect(again).toHaveLength(1);
	});

	test("after which the editor asks again has not been missed", () => {
		changes.asked(tools);
		changes.announced([tools]);
		vi.advanceTimersByTime(200);
		changes.asked(tools);
		vi.advanceTimersByTime(5000);
		expect(again).toEqual([]);
	});

	test("whose rows arrived long ago, or were never requested, is announced once", () => {
		changes.asked(tools);
		vi.advanceTimersByTime(2000);
		changes.announced([tools, travel]);
		vi.advanceTimersByTime(5000);
		expect(again).toEqual([]);
	});

	test("of all servers is one of the whole tree", () => {
		changes.asked(undefined);
		changes.asked(tools);
		changes.announced([tools]);
		changes.announced(undefined);
		vi.advanceTimersByTime(5000);
		expect(again).toEqual([undefined]);
	});

	test("is forgotten with the tree", () => {
		changes.asked(tools);
		changes.announced([tools]);
		changes.dispose();
		vi.advanceTimersByTime(5000);
		expect(again).toEqual([]);
	});
});
