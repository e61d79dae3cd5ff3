import { describe, expect, it } from "vitest";
import { Comparisons } from "../../../../src/permissions/pinning/comparisons.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { book, listed, PinScene, serving } from "./scene.ts";

const retitled = (name: string): Tool => ({ ...book, name, title: "New" });

describe("a comparison", () => {
	it("shows both versions, and accepts exactly what it shows, despite later changes (TOL-02)", async () => {
		const travel = await serving("travel", [book]);
		using scene = new PinScene([travel]);
		const comparisons = new Comparisons(scene.pins);
		expect(comparisons.ofTool(travel, listed(travel))).toBeUndefined();
		await scene.pins.accept(travel, listed(travel));
		expect(comparisons.ofTool(travel, listed(travel))).toBeUndefined();

		await travel.run({ tools: [{ ...book, description: "Shown." }] });
		const comparison = comparisons.ofTool(travel, listed(travel));
		expect(comparison?.before).toContain("The guest gets a mail.");
		expect(comparison?.after).toContain("Shown.");
		await travel.run({ tools: [{ ...book, description: "Newer." }] });
		expect(comparisons.get(comparison?.id ?? "")?.after).toContain("Shown.");
		await comparison?.accept();
		expect(scene.pins.stateOf(travel, listed(travel))).toMatchObject({
			changes: [{ before: "Shown.", after: "Newer." }],
		});
	});

	it("of the same two versions is the same, of others another", async () => {
		const travel = await serving("travel", [book]);
		using scene = new PinScene([travel]);
		const comparisons = new Comparisons(scene.pins);
		await scene.pins.accept(travel, listed(travel));
		await travel.run({ tools: [{ ...book, title: "One" }] });
		const one = comparisons.ofTool(travel, listed(travel))?.id;
		expect(comparisons.ofTool(travel, structuredClone(listed(travel)))?.id).toBe(one);
		await travel.run({ tools: [{ ...book, title: "Two" }] });
		expect(comparisons.ofTool(travel, listed(travel))?.id).not.toBe(one);
	});

	it("of instructions shows and accepts them", async () => {
		const travel = await serving("travel", [], { instructions: "Be kind." });
		using scene = new PinScene([travel]);
		const comparisons = new Comparisons(scene.pins);
		await travel.run({}, { instructions: "Be quick." });
		const comparison = comparisons.ofInstructions(travel);
		expect([comparison?.before, comparison?.after]).toEqual([
			"Instructions for models\n  Be kind.\n",
			"Instructions for models\n  Be quick.\n",
		]);
		await travel.run({}, { instructions: "Be evil." });
		await comparison?.accept();
		expect(scene.pins.instructionsOf(travel)).toBeUndefined();
		await travel.run({}, { instructions: "Be quick." });
		expect(scene.pins.instructionsOf(travel)).toBe("Be quick.");
	});

	it("contains all changes at a server", async () => {
		const find = { ...book, name: "find" };
		const travel = await serving("travel", [book, find, { ...book, name: "never approved" }], { instructions: "A" });
		using scene = new PinScene([travel]);
		await scene.pins.accept(travel, listed(travel));
		await scene.pins.accept(travel, listed(travel, "find"));
		await travel.run(
			{ tools: ["book", "find", "never approved"].map((name) => retitled(name)) },
			{ instructions: "B" },
		);
		const all = new Comparisons(scene.pins).ofServer(travel);
		expect(all.map(({ name }) => name)).toEqual(["Instructions", "book", "find"]);
	});

	it("shows that no difference is visible", async () => {
		const travel = await serving("travel", [{ ...book, description: "One. Two." }]);
		using scene = new PinScene([travel]);
		await scene.pins.accept(travel, listed(travel));
		await travel.run({ tools: [{ ...book, description: "One.  Two." }] });
		const comparison = new Comparisons(scene.pins).ofTool(travel, listed(travel));
		expect(comparison?.after).toBe(`${comparison?.before}\nThe two differ only in spaces and line ends.\n`);
	});

	it("expires after many others, and can no longer be accepted", async () => {
		const tools = Array.from({ length: 60 }, (_, index) => ({ ...book, name: `tool${index}` }));
		const travel = await serving("travel", tools);
		using scene = new PinScene([travel]);
		for (const tool of travel.tools.items) await scene.pins.accept(travel, tool);
		await travel.run({ tools: tools.map(({ name }) => retitled(name)) });
		const comparisons = new Comparisons(scene.pins);
		const ids = comparisons.ofServer(travel).map((changed) => changed.compare()?.id ?? "");
		expect(ids.map((id) => comparisons.get(id) === undefined).filter(Boolean)).toHaveLength(10);
		expect(comparisons.get(ids.at(-1) ?? "")).toBeDefined();
	});
});
