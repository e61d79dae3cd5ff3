import { describe, expect, test } from "vitest";
import { Arrangements } from "../../../../src/surfaces/tree/arrangements.ts";
import { memory } from "./treeScene.ts";

describe("the user's arrangement of resources", () => {
	test("is empty at first", () => {
		const arrangements = new Arrangements(memory());
		expect(arrangements.layoutOf("a")).toBeUndefined();
		expect(arrangements.of("a", "resources")).toEqual({ filter: "", sort: "server" });
	});

	test("is chosen for all servers, or for one", () => {
		const arrangements = new Arrangements(memory());
		arrangements.choose({ layout: "tree" });
		arrangements.choose({ layout: "list", sort: "name" }, "a");
		expect([arrangements.layoutOf("a"), arrangements.layoutOf("b"), arrangements.layoutOf()]).toEqual([
			"list",
			"tree",
			"tree",
		]);
		expect([arrangements.sortOf("a"), arrangements.sortOf("b")]).toEqual(["name", "server"]);
		arrangements.choose({ layout: "tree" });
		expect(arrangements.layoutOf("a")).toBe("tree");
		expect(arrangements.sortOf("a")).toBe("name");
		expect(arrangements.of("a", "prompts").sort).toBe("server");
	});

	test("is remembered; filters are not", () => {
		const state = memory();
		const before = new Arrangements(state);
		before.choose({ layout: "tree" });
		before.choose({ sort: "priority" }, "a");
		before.setFilter("a", "resources", "x");
		const after = new Arrangements(state);
		expect(after.layoutOf("a")).toBe("tree");
		expect(after.of("a", "resources")).toEqual({ filter: "", sort: "priority" });
	});

	test("is remembered of two windows, whichever chooses last", () => {
		const state = memory();
		const [one, other] = [new Arrangements(state), new Arrangements(state)];
		one.choose({ sort: "name" }, "a");
		other.choose({ sort: "priority" }, "b");
		const after = new Arrangements(state);
		expect([after.sortOf("a"), after.sortOf("b")]).toEqual(["name", "priority"]);
	});

	test.each([undefined, 7, [], { a: 1 }, { a: { layout: "cards", sort: {} } }])("is empty if %j was stored", (kept) => {
		const state = memory();
		void state.update("mcpHost.tree.resources", kept);
		expect(new Arrangements(state).layoutOf("a")).toBeUndefined();
		expect(new Arrangements(state).sortOf("a")).toBe("server");
	});

	test("is announced for its group, and a filter only when it changes", () => {
		const arrangements = new Arrangements(memory());
		const told: object[] = [];
		arrangements.onDidChange((change) => told.push(change));
		arrangements.setFilter("a", "tools", "x");
		arrangements.setFilter("a", "tools", "x");
		arrangements.setFilter("a", "prompts", "");
		arrangements.choose({ sort: "name" });
		expect(told).toEqual([
			{ server: "a", group: "tools" },
			{ server: undefined, group: "resources" },
		]);
	});
});
