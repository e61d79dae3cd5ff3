import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Skill } from "../../../../src/servers/sessions/session.ts";
import { fromEditorUri } from "../../../../src/features/resources/uri.ts";
import { groupKinds, visibleGroups } from "../../../../src/surfaces/tree/nodes.ts";
import { tooltipOf } from "../../../../src/surfaces/tree/tooltip.ts";
import { listed, writeSkill } from "../../../servers/skillLibrary.ts";
import { TreeScene } from "./treeScene.ts";

let scene: TreeScene;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

const office = writeSkill("office/pdf", "Read the form first.\n", { "a.md": "more" });
const pdf: Skill = office.entry;

describe("the skills of a server", () => {
	test("are a group of their own after the prompts, where the server offers them (SKL-01)", async () => {
		await scene.travel.run({ tools: [] });
		expect(visibleGroups(scene.travel)).not.toContain("skills");
		await scene.travel.run({ prompts: [], skills: [] });
		expect(visibleGroups(scene.travel)).toContain("skills");
		expect(groupKinds.indexOf("skills")).toBe(groupKinds.indexOf("prompts") + 1);
	});

	test("open their SKILL.md, and say in the hover whose they are, how much they have and its digest (SKL-03)", async () => {
		await scene.travel.run({ skills: [pdf] });
		const [row] = scene.rows("skills");
		const view = scene.view(row);
		expect(view).toMatchObject({ label: "pdf", description: "", context: "skill", spoken: "pdf, skill" });
		expect(view.command).toBeUndefined();
		expect(fromEditorUri(view.file ?? expect.fail())).toMatchObject({ uri: pdf.uri });
		const text = tooltipOf(row ?? expect.fail())?.replaceAll("\\", "");
		const { digest } = listed(pdf.uri, office.files[pdf.uri] ?? "");
		for (const part of ["Does pdf.", "From the MCP server: travel", "Files: 2", `Digest of SKILL.md: ${digest}`]) {
			expect(text).toContain(part);
		}
	});

	test("of the same name say where they are (SKL-04)", async () => {
		const other: Skill = writeSkill("home/pdf", "Other.\n").entry;
		await scene.travel.run({ skills: [pdf, other] });
		const descriptions = scene.rows("skills").map((row) => scene.view(row).description);
		expect(descriptions).toEqual([pdf.uri, other.uri]);
	});

	test.each([
		["made as they are asked for", { resources: "dynamic" } as const, /does not list its files/],
		[
			"of too many files",
			{ resources: Array.from({ length: 513 }, (_, index) => listed(`skill://office/pdf/${index}`, "")) },
			/513 files. The limit is 512 files/,
		],
		[
			"too large",
			{ resources: [{ ...listed(pdf.uri, ""), size: 16 * 1024 * 1024 + 1 }] },
			/16777217 bytes. The limit is 16777216 bytes/,
		],
	])("that are %s cannot be used, and say why (SKL-08, SKL-09)", async (_, more, why) => {
		await scene.travel.run({ skills: [{ ...pdf, ...more }] });
		const [row] = scene.rows("skills");
		expect(scene.view(row).description).toBe("cannot be used");
		expect(tooltipOf(row ?? expect.fail())?.replaceAll("\\", "")).toMatch(why);
	});

	test("with the most files and bytes that are allowed can be used (SKL-08)", async () => {
		const resources = Array.from({ length: 512 }, (_, index) => ({
			...listed(`skill://office/pdf/${index}`, ""),
			size: 32 * 1024,
		}));
		await scene.travel.run({ skills: [{ ...pdf, resources }] });
		expect(scene.view(scene.rows("skills")[0]).description).toBe("");
	});
});
