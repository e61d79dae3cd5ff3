import { describe, expect, it } from "vitest";
import { definitionText } from "../../../../src/permissions/pinning/definitionText.ts";
import { fieldTexts } from "../../../../src/permissions/pinning/toolFields.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { book, listed, PinScene, serving } from "./scene.ts";

/** Many times the usual time; quadratic work takes minutes. */
const patience = 60_000;
const megabytes = 5_000_000;

const text = (tool: Tool): string => definitionText({ name: tool.name, fields: Object.fromEntries(fieldTexts(tool)) });

describe("a definition made to be slow", () => {
	it.each<[what: string, tool: Partial<Tool>]>([
		["5 MB of hidden characters", { description: "\u{E0041}".repeat(megabytes / 2) }],
		["5 MB of blanks", { description: `a${" ".repeat(megabytes)}b` }],
		["5 MB of blanks and ends of sentences", { description: ".  ".repeat(megabytes / 3) }],
		["5 MB of ends of lines", { description: "\n".repeat(megabytes) }],
		["5 MB of joiners", { description: "\u200D\uFE0F".repeat(megabytes / 2) }],
		["5 MB in one word", { description: "x".repeat(megabytes) }],
		["5 MB of a name", { name: "сору".repeat(megabytes / 4) }],
		["5 MB of names of tools", { description: "read_file2 ".repeat(megabytes / 11) }],
		["100,000 properties", { inputSchema: manyProperties(100_000) }],
	])("with %s is processed in bounded time", { timeout: patience }, async (_what, more) => {
		const tool: Tool = { ...book, ...more };
		const travel = await serving("travel", [tool]);
		const files = await serving("files", [book]);
		using scene = new PinScene([travel, files]);
		await scene.pins.accept(travel, listed(travel, tool.name));
		expect(scene.pins.stateOf(travel, listed(travel, tool.name)).kind).toBe("same");
		for (const { text: said } of scene.pins.warningsOf(travel, listed(travel, tool.name))) {
			expect(said.length).toBeLessThan(1000);
		}
		expect(text(tool).length).toBeLessThan(1_500_000);
	});

	it("is shown as long", async () => {
		const tool: Tool = { ...book, description: "x".repeat(300_000) };
		const travel = await serving("travel", [tool]);
		using scene = new PinScene([travel]);
		expect(scene.pins.warningsOf(travel, listed(travel))).toMatchObject([{ word: "very long", isNote: true }]);
	});
});

describe("10,000 tools", () => {
	it("are checked in every row and call at little cost", { timeout: patience }, async () => {
		const tools = Array.from({ length: 10_000 }, (_, index) => ({ ...book, name: `tool_${index}` }));
		const travel = await serving("travel", tools);
		const hotels = await serving("hotels", structuredClone(tools));
		using scene = new PinScene([travel, hotels]);
		await scene.pins.accept(travel, listed(travel, "tool_5"));
		for (let round = 0; round < 20; round++) {
			for (const tool of travel.tools.items) {
				const { kind } = scene.pins.stateOf(travel, tool);
				if (kind !== (tool.name === "tool_5" ? "same" : "new")) throw new Error(`${tool.name} is ${kind}`);
				if (scene.pins.warningsOf(travel, tool).length !== 1) throw new Error(`${tool.name} stands alone`);
			}
		}
		expect(scene.pins.changedTools(travel)).toEqual([]);
	});
});

function manyProperties(count: number): Tool["inputSchema"] {
	const names = Array.from({ length: count }, (_, index) => [`property${index}`, { type: "string" }]);
	return { type: "object", properties: Object.fromEntries(names) as NonNullable<Tool["inputSchema"]["properties"]> };
}
