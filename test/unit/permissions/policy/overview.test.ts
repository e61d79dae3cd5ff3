import { describe, expect, it } from "vitest";
import { explain } from "../../../../src/permissions/policy/explain.ts";
import type { GrantScene } from "../../../../src/permissions/grants/grantStatus.ts";
import { overview } from "../../../../src/permissions/overview.ts";
import { tool } from "../../features/tools/toolSession.ts";
import { entryOf, file, own, PolicyScene } from "./scene.ts";

type Entry = Awaited<ReturnType<typeof entryOf>>;

function viewOf(scene: PolicyScene, ...entries: readonly Entry[]): GrantScene {
	const sessions = entries.map(({ session }) => session);
	return {
		directory: { sessions, get: (id) => sessions.find(({ definition }) => definition.id === id) },
		pins: { stateOf: () => scene.pin },
		grants: scene.grants,
		sampling: { useOf: () => undefined, isTrusted: true, isIncomplete: false },
	};
}

describe("the list of rules and grants", () => {
	it("has all rules by their places and in their order, with their problems", async () => {
		const scene = new PolicyScene();
		const lists = [
			own({ decision: "allow", server: "*", tool: "look" }, { decision: "deny", tool: 7 }, { decision: "deny" }),
			file([]),
			file([{ decision: "allow" }, { decision: "ask", tool: "pay" }], "b"),
			file("{", "c"),
		];
		const rows = overview(lists, scene.grants.all, viewOf(scene));
		expect(
			rows.map((row) => (row.kind === "heading" ? row.label : `${row.icon} ${row.label} | ${row.description}`)),
		).toEqual([
			"User Settings",
			"check allow * · look | rule 1",
			"error deny * · 7 | rule 2, which asks because part of it cannot be read",
			"circle-slash deny * · * | rule 3",
			".vscode/mcp-policy.json in b",
			"warning rule 1 | has no effect",
			"question ask * · pay | rule 2",
			".vscode/mcp-policy.json in c",
			"error All rules of this list | asks about every call",
			"error All rules of this list | asks about every call",
		]);
	});

	it("shows for each grant what it covers, how long, since when, and whether it still applies", async () => {
		const scene = new PolicyScene();
		const { grants } = scene;
		const [book, gone, look] = [
			await entryOf("book"),
			await entryOf("gone"),
			await entryOf("look", { server: "library", more: { annotations: { readOnlyHint: true } } }),
		];
		await grants.add(grants.make(book, {}, "tool"), "workspace");
		scene.now += 1000;
		await grants.add(grants.make(gone, { a: 1 }, "arguments"), "session");
		scene.now += 1000;
		await grants.add(grants.make(book, {}, "tool", 500), "session");
		await grants.add(grants.make(look, {}, "read-only"), "always");
		scene.now += 1000;
		const rows = overview([], grants.all, viewOf(scene, book, look));
		const words = rows.map((row) =>
			row.kind === "heading"
				? row.label
				: `${row.icon} ${row.label} | ${row.description?.replace(/, until.*/, "…")} | ${row.detail?.replace(/,? ?(given|ended).*/, "")}`,
		);
		expect(words).toEqual([
			"Trusted servers",
			"shield tools that library calls read-only | always | ",
			"Grants",
			"warning book of travel | in this session… | does not apply: it",
			'warning gone of travel with exactly {"a":1} | in this session | does not apply: the server no longer has this tool ·',
			"check book of travel | in this workspace | ",
		]);
		expect(rows.every((row) => row.kind === "heading" || row.detail?.includes("given"))).toBe(true);
	});

	it("shows for a grant that the tool or the server has changed", async () => {
		const scene = new PolicyScene();
		const { grants } = scene;
		const before = await entryOf("look", { more: { annotations: { readOnlyHint: true } } });
		await grants.add(grants.make(before, {}, "tool"), "always");
		await grants.add(grants.make(before, {}, "read-only"), "always");
		const whys = (...entries: readonly Entry[]): readonly string[] =>
			overview([], grants.all, viewOf(scene, ...entries)).flatMap((row) =>
				row.kind === "row" && row.of?.kind === "grant" ? [row.detail ?? ""] : [],
			);
		expect(whys(before).join()).not.toContain("does not count");
		expect(whys()).toEqual([
			expect.stringContaining("not configured here"),
			expect.stringContaining("not configured here"),
		]);
		const restarted = await entryOf("look", { definition: { hash: "changed" } });
		expect(whys(restarted)).toEqual([
			expect.stringContaining("definition of the server has changed"),
			expect.stringContaining("definition of the server has changed"),
		]);
		before.session.setState({ kind: "stopped" });
		expect(whys(before)[1]).toContain("checked when the server runs");
		await before.session.run({ tools: [tool("look", { more: {} })] });
		expect(whys(before)[1]).toContain("the tool has changed");
		scene.pin = { kind: "changed", changes: [] };
		expect(whys(await entryOf("look", { more: { annotations: { readOnlyHint: true } } }))[1]).toContain(
			"the tool has changed",
		);
	});
});

describe("the explanation of a tool", () => {
	it("names everything that applies to it, with the effect on its calls", async () => {
		const scene = new PolicyScene();
		const { grants } = scene;
		const entry = await entryOf("book");
		await grants.add(grants.make(entry, {}, "tool"), "workspace");
		await grants.add(grants.make(await entryOf("other"), {}, "tool"), "workspace");
		const lists = [
			own(
				{ decision: "allow", server: "travel", tool: "book", arguments: { city: "Rome" } },
				{ decision: "deny", tool: "pay" },
				{ decision: "perhaps" },
			),
			file([{ decision: "deny", destructive: true }]),
		];
		const reasons = explain(entry, lists, grants.all, viewOf(scene, entry));
		expect(reasons.map(({ label, effect }) => `${label} -> ${effect}`)).toEqual([
			"rule 1 of User Settings: allow travel · book · city = Rome -> allows, if nothing stricter matches, depending on the arguments",
			"rule 3 of User Settings: ? * · * -> asks, because part of it cannot be read",
			"rule 1 of .vscode/mcp-policy.json in shop: deny * · * · destructive -> denies",
			"your grant: book of travel, in this workspace -> allows, unless a rule asks",
			"If nothing else decides -> you are asked",
		]);
	});

	it("shows what does not apply, and why", async () => {
		const scene = new PolicyScene();
		scene.pin = { kind: "changed", changes: [] };
		const entry = await entryOf("book", { isOfWorkspace: true });
		await scene.grants.add(scene.grants.make(entry, {}, "tool"), "always");
		const lists = [own({ decision: "allow", server: "*", tool: "*" }), file("nonsense")];
		const effects = explain(entry, lists, scene.grants.all, viewOf(scene, entry)).map(({ effect }) => effect);
		expect(effects).toEqual([
			"has no effect: the workspace defines this server",
			expect.stringMatching(/^ask: /),
			"does not apply: the tool has changed",
			"you are asked, even if a rule or grant allows it",
			"you are asked",
		]);
	});
});
