import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tooltipOf } from "../../../../src/surfaces/tree/tooltip.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";
import { tool, TreeScene } from "./treeScene.ts";

let scene: TreeScene;
beforeEach(() => {
	vi.useFakeTimers();
	scene = new TreeScene();
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

/** The inspected part of a GIF. */
const gif = Buffer.from("GIF89a\x10\0\x10\0\0\0\0", "latin1").toString("base64");
const picture = { icons: [{ src: `data:image/gif;base64,${gif}`, mimeType: "image/gif" }] };

/** The server runs with these tools, the first of which the user approved as `before`. */
async function change(before: ReturnType<typeof tool>, ...after: readonly ReturnType<typeof tool>[]): Promise<void> {
	await scene.travel.run({ tools: [before] });
	await scene.definitions.accept(scene.travel, before);
	await scene.travel.run({ tools: after });
	scene.settle();
}

describe("a tool that changed since the user approved it (TOL-02)", () => {
	it("is marked in its row, in words, icon and menu, and so is its server", async () => {
		await change(tool("book", { title: "Book" }), tool("book", { title: "Book!", ...picture }), tool("find"));
		const [row, other] = scene.rows("tools");
		expect(scene.view(row)).toMatchObject({
			label: "Book!",
			description: "changed",
			icon: { id: "diff-modified", color: "list.warningForeground" },
			picture: undefined,
			context: "tool changed",
			spoken: "Book!, tool, changed, book",
		});
		expect(scene.view(other)).toMatchObject({ icon: { id: "symbol-method" }, context: "tool" });
		expect(scene.view(scene.server())).toMatchObject({
			description: "1 tool changed",
			context: "server-running of-user changed",
		});
	});

	it("shows in its tooltip what changed", async () => {
		await change(tool("book"), tool("book", { description: "New.", title: "Book" }));
		const [row] = scene.rows("tools");
		const text = row && tooltipOf(row, { definitions: scene.definitions });
		expect(text).toContain("**Changed since you approved it:** title, description.");
	});

	it("loses its marks when the change is accepted, and only rows with other text are redrawn", async () => {
		await change(tool("book"), tool("book", { title: "Book" }), tool("find"));
		// The requests of the window.
		scene.picture();
		scene.announced.length = 0;
		const [row] = scene.rows("tools");
		if (row?.kind !== "tool") throw new Error("There is no tool.");
		await scene.definitions.accept(scene.travel, row.tool);
		scene.settle();
		expect(scene.announced.flat().map((node) => node?.id)).toEqual([scene.server().id, row.id]);
		expect(scene.view(row)).toMatchObject({ description: "book", context: "tool" });
		expect(scene.view(scene.server()).description).not.toContain("changed");
	});
});

describe("instructions that changed", () => {
	it("are shown in the row and the tooltip of the server", async () => {
		await scene.travel.run({}, { instructions: "Be kind." });
		await scene.travel.run({}, { instructions: "Be quick." });
		scene.settle();
		expect(scene.view(scene.server()).description).toBe("instructions changed");
		const text = tooltipOf(scene.server(), { definitions: scene.definitions });
		expect(text).toContain("**Its instructions changed since you approved them.**");
	});

	it("are shown before tools that changed, of which models at least receive the change", async () => {
		await scene.travel.run({ tools: [tool("book")] }, { instructions: "Be kind." });
		const [row] = scene.rows("tools");
		if (row?.kind !== "tool") throw new Error("There is no tool.");
		await scene.definitions.accept(scene.travel, row.tool);
		await scene.travel.run({ tools: [tool("book", { title: "Book!" })] }, { instructions: "Be quick." });
		scene.settle();
		const { description, spoken } = scene.view(scene.server());
		expect(description).toBe("instructions changed");
		expect(spoken).toContain("instructions changed, 1 tool changed");
	});
});

describe("a tool that users should check", () => {
	it("is marked in its row, with the reason in its tooltip (TOL-07, TOL-08)", async () => {
		await scene.travel.run({ tools: [tool("rеad", { title: "Read", ...picture }), tool("fine", picture)] });
		const [row, other] = scene.rows("tools");
		expect(scene.view(row)).toMatchObject({
			description: "lookalike name",
			icon: { id: "warning", color: "list.warningForeground" },
			picture: undefined,
		});
		expect(row && tooltipOf(row, { definitions: scene.definitions })?.replaceAll("\\", "")).toContain(
			'- Its name contains letters from another alphabet and can be mistaken for "read".',
		);
		expect(scene.view(other).picture).toBeDefined();
	});

	it("is marked when another server causes it, and minor remarks are in the tooltip only (TOL-04)", async () => {
		await scene.travel.run({ tools: [tool("read_file")] });
		scene.settle();
		scene.picture();
		const other = new FakeSession("other");
		scene.directory.set(scene.travel, other);
		await other.run({ tools: [tool("read_file")] });
		scene.settle();
		const [row] = scene.rows("tools");
		expect(scene.view(row)).toMatchObject({ description: "", icon: { id: "symbol-method" } });
		expect(row && tooltipOf(row, { definitions: scene.definitions })).toContain("is also offered by");
		scene.announced.length = 0;
		await other.run({ tools: [tool("READ_FILE")] });
		scene.settle();
		expect(scene.announced.flat().map((node) => node?.id)).toContain(row?.id);
		expect(scene.view(row).description).toBe("lookalike name");
	});
});
