/** What is shown of the arguments of a grant, as an earlier version kept it: with the secrets in it (SEC-03). */
import { expect, it } from "vitest";
import { cap } from "../../../../src/base/text.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { Grant, GrantCover } from "../../../../src/permissions/policy/grant.ts";
import { describeCover } from "../../../../src/permissions/policy/grant.ts";
import { Grants } from "../../../../src/permissions/policy/grants.ts";
import { githubToken } from "../../features/sampling/redaction/samples.ts";
import { MemoryStore } from "../../servers/fixtures.ts";
import { entryOf, PolicyScene } from "./scene.ts";

const secrets = [githubToken.slice(0, 8), "hunter22", "abcdef123456ghij"];

/** A grant for arguments, as an earlier version kept it. */
async function formerGrant(scene: PolicyScene, args: JsonObject): Promise<Grant> {
	const { covers, ...grant } = scene.grants.make(await entryOf(), args, "arguments");
	const { rules: _, ...former } = covers as Extract<GrantCover, { kind: "arguments" }>;
	return { ...grant, covers: { ...former, shown: cap(JSON.stringify(args), 300) } };
}

const long = "x ".repeat(140);
const held: readonly (readonly [what: string, args: JsonObject])[] = [
	["a value", { query: githubToken }],
	["something named so", { deep: { password: "hunter22" }, list: [{ apiKey: ["hunter22"] }] }],
	["a key", { [githubToken]: 1 }],
	["a value that is cut off", { text: `${long}${githubToken}` }],
	["a value before the cut", { password: "hunter22", text: "n".repeat(500) }],
	["a named value that is cut off", { text: long, password: "hunter22hunter22" }],
	[
		"a value behind escapes that are cut off",
		{ text: `${'\\"'.repeat(60)} end`.padEnd(200), password: "hunter22".repeat(9) },
	],
	["an address", { url: "https://me:hunter22@example.com/" }],
	["a header", { headers: [["Authorization:", "Bearer", "abcdef123456ghij"].join(" ")] }],
];

it.each(held)("is shown without a secret in %s, counts as before, and is written without it", async (_what, more) => {
	const scene = new PolicyScene();
	const args = { city: "Rome", ...more };
	const former = await formerGrant(scene, args);
	scene.folder.open().journal("grants").put('["always","x"]', former);
	const grants = scene.openWindow();
	const [grant] = grants.all;
	expect(grant).toMatchObject({ id: former.id, covers: { hash: (former.covers as { hash: string }).hash } });
	expect(grants.find(await entryOf(), args)?.id).toBe(former.id);
	const shown = grant === undefined ? "" : describeCover(grant);
	expect(shown).toContain("Rome");
	for (const secret of secrets) expect(shown).not.toContain(secret);
	await tidied(scene);
	for (const secret of secrets) expect(scene.folder.disk).not.toContain(secret);
	expect(scene.openWindow().find(await entryOf(), args)).toEqual(grant);
});

it("is written anew though another window rewrote the value and was killed before it rewrote the file", async () => {
	const scene = new PolicyScene();
	const args = { city: "Rome", password: "hunter22" };
	const former = await formerGrant(scene, args);
	const journal = scene.folder.open().journal("grants");
	journal.put('["always","x"]', former);
	journal.put('["always","x"]', scene.grants.make(await entryOf(), args, "arguments"));
	expect(scene.folder.disk).toContain("hunter22");
	await tidied(scene);
	expect(scene.folder.disk).not.toContain("hunter22");
	expect(scene.openWindow().find(await entryOf(), args)).toBeDefined();
});

it("loses its secrets when it is taken over from where the version before that kept it", async () => {
	const scene = new PolicyScene();
	const args = { city: "Rome", password: "hunter22" };
	const former = { workspace: new MemoryStore(), always: new MemoryStore() };
	await former.always.update("mcpHost.grants", [await formerGrant(scene, args)]);
	const window = scene.openWindow("another", former);
	expect(window.find(await entryOf(), args)).toBeDefined();
	expect(JSON.stringify(window.all) + scene.folder.disk).not.toContain("hunter22");
});

it("stays as it is when it is one of today", async () => {
	const scene = new PolicyScene();
	const grant = scene.grants.make(await entryOf(), { password: "hunter22", text: "n".repeat(500) }, "arguments");
	await scene.grants.add(grant, "always");
	const before = scene.folder.disk;
	await tidied(scene);
	expect(scene.folder.disk).toBe(before);
	expect(scene.openWindow().all).toMatchObject([grant]);
});

/** What a window does a while after it has opened. */
async function tidied(scene: PolicyScene): Promise<void> {
	const store = scene.folder.open();
	expect(new Grants({ store }).all).toHaveLength(1);
	await store.tidy();
}
