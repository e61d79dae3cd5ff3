import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TreeNode } from "../../../../src/surfaces/tree/nodes.ts";
import { tooltipOf } from "../../../../src/surfaces/tree/tooltip.ts";
import { TreeScene, tool } from "./treeScene.ts";

let scene: TreeScene;
beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
	await scene.travel.run({ tools: [tool("searchFlights"), tool("view")] }, { instructions: "Search before you book." });
	scene.settle();
	scene.announced.length = 0;
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

const heard = (): string | undefined => scene.view(scene.group("tools")).spoken;
/** The tooltip of a row, without the escapes of Markdown. */
const tooltip = (node: TreeNode | undefined = scene.server()): string =>
	(tooltipOf(node, { costs: scene.costs }) ?? "").replaceAll("\\", "");

describe("the cost of a server's tools", () => {
	test("is on the row of the tools as soon as it is known", () => {
		expect(heard()).toBe("Tools, 2");
		scene.costs.known.set("travel", { offered: 2, tokens: 637, hidden: 0 });
		scene.costs.changed.fire({ server: scene.id });
		scene.settle();
		expect(scene.announced).toEqual([[scene.group("tools")]]);
		expect(heard()).toBe("Tools, 2, ~640 tokens");
		expect(tooltip()).toContain("Its tools cost: ~640 tokens in each request to a model");
		expect(tooltip()).toMatch(/Its instructions cost: ~\d tokens in each request to a model/);
	});

	test("MDL-10: is beside the usage in the turns of this window", () => {
		const bill = { definitions: 12_345, results: 2101, requests: 3, cost: 0.04 };
		const shown = (known: typeof bill | { readonly cost: undefined }): string =>
			(tooltipOf(scene.server(), { bills: { of: () => ({ ...bill, ...known }) } }) ?? "").replaceAll("\\", "");
		const tokens = "~12,000 tokens of definitions and ~2,100 tokens of results in 3 requests of this window's turns";
		expect(shown(bill)).toContain(`Sent to models: ${tokens}, $0.04`);
		expect(shown({ cost: undefined })).toMatch(new RegExp(`Sent to models: ${tokens}$`, "m"));
		expect(tooltip()).not.toContain("Sent to models");
	});

	test("MDL-12: is shown for a tool whose schema models receive in another form", () => {
		const all = [
			{ label: "gemini\u202E at Gemini", keywords: new Set(["type", "enum"]) },
			{ label: "qwen at llama.cpp", keywords: new Set(["pattern"]) },
			{ label: "kimi at Moonshot", keywords: new Set(["$ref", "$defs"]) },
		];
		const odd = tool("odd", {
			inputSchema: { type: "object", properties: { count: { type: ["integer", "null"] } } },
		});
		const node = { ...scene.rows("tools")[0], tool: odd } as TreeNode;
		expect((tooltipOf(node, { refusals: { all } }) ?? "").replaceAll("\\", "")).toContain(
			"Changed for models: geminiu202E at Gemini rejected type and receives them as text",
		);
		expect(tooltipOf(node, { refusals: { all: all.slice(1) } })).not.toContain("Changed for models");
		const again = tool("again", { inputSchema: { type: "object", properties: { a: { $ref: "#" } } } });
		expect(
			(tooltipOf({ ...node, tool: again } as TreeNode, { refusals: { all } }) ?? "").replaceAll("\\", ""),
		).toContain("kimi at Moonshot rejected $ref and receives the referenced schemas inline and the rest as text");
	});

	test("shows that tools are loaded when needed", () => {
		scene.costs.known.set("travel", { offered: 2, tokens: 91_234, hidden: 0 });
		scene.costs.areLazy = true;
		expect(heard()).toBe("Tools, 2, ~91,000 tokens, loaded when needed");
		expect(tooltip()).toContain(
			"Its tools cost: ~91,000 tokens if all are loaded; models load only those that they need",
		);
		expect(tooltip(scene.group("tools")))
			.toBe(`Its tools cost: ~91,000 tokens if all are loaded; models load only those that they need  
Its instructions cost: ~5 tokens in each request to a model`);
		expect(tooltip(scene.rows("tools")[0])).toContain("Offered to models: when they search for it or have used it");
	});

	test("is shown for each tool, or why models are never offered it (TOL-20)", () => {
		scene.costs.hidden.set("view", "its input schema is too large");
		scene.costs.known.set("travel", { offered: 1, tokens: 100, hidden: 1 });
		const [first, second] = scene.rows("tools");
		expect(tooltip(first)).toMatch(
			/Offered to models: yes, in each request.*Cost: ~120 tokens.*Name for models: travel_searchFlights/s,
		);
		expect(scene.view(second).description).toContain("not offered to models");
		expect(tooltip(second)).toContain("Not offered to models: its input schema is too large");
		expect(tooltip()).toContain("Not offered to models: 1 of its tools; see their tooltips for the reason");
	});
});
