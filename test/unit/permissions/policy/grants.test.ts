import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { CallCover, Grant, Scope } from "../../../../src/permissions/grants/grant.ts";
import { callChoices, lastingChoices, usualChoices } from "../../../../src/permissions/grants/choices.ts";
import type { Grants } from "../../../../src/permissions/grants/grants.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import type { ToolEntry } from "../../../../src/permissions/catalog/catalog.ts";
import { githubToken } from "../../features/sampling/redaction/samples.ts";
import { entryOf, PolicyScene } from "./scene.ts";

const readOnly: Partial<Tool> = { annotations: { readOnlyHint: true } };

/** Grants something because of a call with these arguments. */
async function give(
	grants: Grants,
	entry: ToolEntry,
	scope: Scope,
	kind: CallCover["kind"] = "tool",
	args: JsonObject = {},
	lastsMs?: number,
): Promise<Grant> {
	const grant = grants.make(entry, args, kind, lastsMs);
	await grants.add(grant, scope);
	return grant;
}

describe("a grant", () => {
	it.each<[Scope, boolean, boolean]>([
		["session", false, false],
		["workspace", true, false],
		["always", true, true],
	])(
		"for %s is kept across a restart: %s, applies in another workspace: %s (TOL-12)",
		async (scope, restarted, elsewhere) => {
			const scene = new PolicyScene();
			const entry = await entryOf();
			await give(scene.grants, entry, scope);
			expect(scene.grants.find(entry, { any: 1 })?.scope).toBe(scope);
			expect(scene.openWindow().find(entry, {}) !== undefined).toBe(restarted);
			expect(scene.openWindow("another").find(entry, {}) !== undefined).toBe(elsewhere);
		},
	);

	it("does not apply before it is saved", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf();
		scene.grants.make(entry, {}, "tool");
		expect(scene.grants.find(entry, {})).toBeUndefined();
	});

	it.each<[string, Partial<Tool>]>([
		["title", { title: "Other" }],
		["description", { description: "Other" }],
		["inputSchema", { inputSchema: { type: "object", properties: { more: {} } } }],
		["outputSchema", { outputSchema: { type: "object" } }],
		["annotations", { annotations: { readOnlyHint: true } }],
	])("ends when the tool's %s changes, for any arguments (TOL-02, TOL-12)", async (_field, more) => {
		const scene = new PolicyScene();
		const before = await entryOf("book");
		await give(scene.grants, before, "always");
		await give(scene.grants, before, "always", "arguments", { a: 1 });
		const after = await entryOf("book", { more });
		expect(scene.grants.find(after, { a: 1 })).toBeUndefined();
		expect(scene.grants.find(before, { a: 1 })).toBeDefined();
	});

	it("is for one server as configured, and one tool", async () => {
		const scene = new PolicyScene();
		await give(scene.grants, await entryOf(), "always");
		const others = [
			await entryOf("other"),
			await entryOf("book", { server: "other" }),
			await entryOf("book", { definition: { hash: "changed" } }),
			await entryOf("book", { definition: { id: "mcp-json:/ws/.vscode/mcp.json#travel" } }),
		];
		for (const other of others) expect(scene.grants.find(other, {})).toBeUndefined();
	});

	it("for exact arguments applies to exactly those, in any order of their members", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf();
		await give(scene.grants, entry, "always", "arguments", { city: "Rome", nights: 3 });
		expect(scene.grants.find(entry, { nights: 3, city: "Rome" })).toBeDefined();
		for (const args of [
			{},
			{ city: "Rome" },
			{ city: "Rome", nights: "3" },
			{ city: "Rome\u200B", nights: 3 },
			{ city: "Rome", nights: 3, more: 1 },
		])
			expect(scene.grants.find(entry, args as JsonObject)).toBeUndefined();
	});

	it("ends when it expires", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf();
		const grant = await give(scene.grants, entry, "workspace", "tool", {}, 1000);
		scene.now += 999;
		expect(scene.grants.find(entry, {})).toBeDefined();
		scene.now += 1;
		expect(scene.grants.find(entry, {})).toBeUndefined();
		expect(scene.grants.isExpired(grant)).toBe(true);
		expect(scene.grants.all).toHaveLength(1);
	});

	it("keeps only the beginning of its arguments, without secrets (SEC-03)", async () => {
		const scene = new PolicyScene();
		const args = {
			apiKey: "sk-1",
			deep: { password: "hunter2" },
			url: "https://x/?token=xyzw",
			note: "n".repeat(5000),
		};
		await give(scene.grants, await entryOf(), "always", "arguments", args);
		const stored = scene.folder.disk;
		expect(stored).toContain("apiKey");
		for (const secret of ["sk-1", "hunter2", "xyzw"]) expect(stored).not.toContain(secret);
		expect(stored.length).toBeLessThan(2000);
	});
});

const header = ["Authorization:", "Bearer", "abcdef123456ghij"].join(" ");
it.each<[string, JsonObject]>([
	["a value", { query: githubToken }],
	["a part of a sentence", { text: `use ${githubToken} please` }],
	["a header in a list", { headers: [header] }],
	["a key", { [githubToken]: 1 }],
	["a member of something secret", { credentials: { a: "hunter22hunter", list: ["hunter22hunter"] } }],
	["the rest of one after the cut", { text: `${"x ".repeat(140)}${githubToken}` }],
])("for arguments stores no secret that appears as %s (SEC-03)", async (_what, args) => {
	const { grants } = new PolicyScene();
	const kept = JSON.stringify(grants.make(await entryOf(), { city: "Rome", ...args }, "arguments"));
	expect(kept).toContain("Rome");
	for (const secret of [githubToken.slice(0, 8), "abcdef123456ghij", "hunter22hunter"])
		expect(kept).not.toContain(secret);
});

describe("the trust in a server's read-only tools", () => {
	it.each<[string, Partial<Tool>, boolean]>([
		["a tool that it calls read-only", readOnly, true],
		[
			"one that it calls read-only and destructive (BLT-37)",
			{ annotations: { readOnlyHint: true, destructiveHint: true } },
			false,
		],
		["one without annotations", {}, false],
		["one that it calls not destructive", { annotations: { destructiveHint: false } }, false],
	])("covers %s: %s", async (_what, more, covered) => {
		const scene = new PolicyScene();
		await give(scene.grants, await entryOf("look", { more: readOnly }), "always", "read-only");
		expect(scene.grants.find(await entryOf("other", { more }), {}) !== undefined).toBe(covered);
	});

	it("covers no other server, none whose definition changed, and no read of a resource", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf("look", { more: readOnly });
		await give(scene.grants, entry, "always", "read-only");
		expect(scene.grants.find({ ...entry, perform: () => Promise.reject(new Error()) }, {})).toBeUndefined();
		const changed = await entryOf("look", { more: readOnly, definition: { hash: "changed" } });
		expect(scene.grants.find(changed, {})).toBeUndefined();
		expect(scene.grants.find(await entryOf("look", { more: readOnly, server: "other" }), {})).toBeUndefined();
	});

	it("is offered for such a tool only: a destructive one never represents others", async () => {
		const kinds = async (more: Partial<Tool>): Promise<readonly string[]> => {
			const entry = await entryOf("look", { more });
			return callChoices(entry).map(({ covers }) => covers);
		};
		expect(await kinds(readOnly)).toEqual(["arguments", "tool", "read-only"]);
		expect(await kinds({})).toEqual(["arguments", "tool"]);
		expect(await kinds({ annotations: { readOnlyHint: true, destructiveHint: true } })).toEqual(["arguments", "tool"]);
	});

	it("is offered with the server's name on one line and without icons", async () => {
		const entry = await entryOf("look", { more: readOnly, server: "a\n$(check) b" });
		expect(callChoices(entry).at(-1)?.description).toBe("you trust what a \\$(check) b says");
	});

	it("and every other grant is offered the narrowest and shortest first", async () => {
		const entry = await entryOf();
		expect(callChoices(entry)[0]).toMatchObject({ covers: "arguments" });
		expect(lastingChoices("tool", entry.session.definition)[0]).toMatchObject({ scope: "session" });
		expect(usualChoices.map(({ label }) => label)).toEqual([
			"This Tool in This Session",
			"This Tool in This Workspace",
		]);
	});
});

describe("revoking", () => {
	it("applies at once, here and in another window that reads the same store (TOL-12)", async () => {
		const scene = new PolicyScene();
		const other = scene.openWindow();
		const entry = await entryOf();
		for (const scope of ["session", "workspace", "always"] as const) {
			const { id } = await give(scene.grants, entry, scope);
			expect(scene.grants.find(entry, {})).toBeDefined();
			const revoked = scene.grants.revoke([id]);
			// Before the store has answered.
			expect(scene.grants.find(entry, {})).toBeUndefined();
			await revoked;
			expect(other.find(entry, {})).toBeUndefined();
		}
	});

	it("removes one and keeps the others", async () => {
		const scene = new PolicyScene();
		const [one, two] = [await entryOf("one"), await entryOf("two")];
		const { id } = await give(scene.grants, one, "always");
		await give(scene.grants, two, "always");
		await scene.grants.revoke([id]);
		expect(scene.openWindow().find(one, {})).toBeUndefined();
		expect(scene.openWindow().find(two, {})).toBeDefined();
	});

	it("lasts, although an uninformed window writes its old state back, until a new grant (SEC-09)", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf();
		const grant = await give(scene.grants, entry, "always");
		const old = { key: "", value: grant };
		const unaware = scene.folder.open().journal("grants");
		for (const { key } of unaware.lines) old.key = key;
		await scene.grants.revoke([grant.id]);
		unaware.write([old], true);
		for (const window of [scene.grants, scene.openWindow()]) expect(window.find(entry, {})).toBeUndefined();
		await give(scene.grants, entry, "always");
		expect(scene.openWindow().find(entry, {})).toBeDefined();
	});

	it("does not remove a grant that another window gave meanwhile (SEC-09)", async () => {
		const scene = new PolicyScene();
		const [one, two] = [await entryOf("one"), await entryOf("two")];
		const { id } = await give(scene.grants, one, "always");
		await give(scene.openWindow(), two, "always");
		await scene.grants.revoke([id]);
		expect(scene.grants.find(two, {})).toBeDefined();
	});

	it("and granting are announced", async () => {
		const scene = new PolicyScene();
		let changes = 0;
		scene.policy.onDidChange(() => changes++);
		const { id } = await give(scene.grants, await entryOf(), "session");
		expect(changes).toBe(1);
		await scene.grants.revoke([id]);
		expect(changes).toBeGreaterThan(1);
	});
});

describe("the store", () => {
	it("holds one grant for the same subject, and a limited number in all", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf();
		await give(scene.grants, entry, "always");
		await give(scene.grants, entry, "always");
		expect(scene.grants.all).toHaveLength(1);
		for (let index = 0; index < 510; index++) await give(scene.grants, entry, "session", "arguments", { index });
		expect(scene.grants.all.length).toBeLessThanOrEqual(501);
		expect(scene.grants.find(entry, { index: 509 })).toBeDefined();
	});

	it("keeps a rule that rejects sampling requests, however many grants for calls there are", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf();
		const { definition } = entry.session;
		await scene.grants.set(definition, { kind: "never" }, "session");
		for (let index = 0; index < 510; index++) await give(scene.grants, entry, "session", "arguments", { index });
		expect(scene.grants.about(definition).map(({ covers }) => covers.kind)).toEqual(["never"]);
	});

	it("allows no call by a rule of sampling, and no sampling request by a grant for calls", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf("look", { more: readOnly });
		const { definition } = entry.session;
		const budget = { per: "day", requests: 5 } as const;
		await scene.grants.set(definition, { kind: "auto", budget, coversUnasked: true }, "always");
		expect(scene.grants.find(entry, {})).toBeUndefined();
		await scene.grants.revoke(scene.grants.all.map(({ id }) => id));
		for (const kind of ["tool", "arguments", "read-only"] as const) await give(scene.grants, entry, "always", kind);
		expect(scene.grants.about(definition)).toEqual([]);
	});

	it("grants nothing by damaged entries, and applies the rest (SEC-08)", async () => {
		const entry = await entryOf();
		const good = new PolicyScene().grants.make(entry, {}, "tool");
		const damages: readonly unknown[] = [
			7,
			"text",
			null,
			{},
			[good],
			{ ...good, id: "" },
			{ ...good, server: 7 },
			{ ...good, at: "now" },
			{ ...good, expiresAt: null },
			{ ...good, expiresAt: "never" },
			{ ...good, covers: null },
			{ ...good, covers: { kind: "everything" } },
			{ ...good, covers: { kind: "tool", tool: "book" } },
			{ ...good, covers: { ...good.covers, kind: "arguments" } },
			{ ...good, definition: undefined, covers: { kind: "read-only" } },
			{ ...good, covers: { kind: "auto", coversUnasked: true } },
			{ ...good, covers: { kind: "toString" } },
		];
		for (const damage of damages) {
			const scene = new PolicyScene();
			const shared = scene.folder.open().journal("grants");
			shared.put('["always","x"]', damage);
			shared.put('["always","y"]', good);
			const grants = scene.openWindow("another");
			expect([damage, grants.all]).toEqual([damage, [{ ...good, scope: "always" }]]);
			expect(grants.find(entry, {})).toMatchObject(good);
		}
	});
});
