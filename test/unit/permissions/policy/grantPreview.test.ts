/** The shown and stored arguments of a grant (SEC-03). */
import { expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { describeCover } from "../../../../src/permissions/grants/grant.ts";
import { githubToken } from "../../features/sampling/redaction/samples.ts";
import { entryOf, PolicyScene } from "./scene.ts";

const secrets = [githubToken.slice(0, 8), "hunter22", "abcdef123456ghij"];

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

it.each(held)("is shown and written without a secret in %s", async (_what, more) => {
	const scene = new PolicyScene();
	const args = { city: "Rome", ...more };
	await scene.grants.add(scene.grants.make(await entryOf(), args, "arguments"), "always");
	const grant = scene.openWindow().find(await entryOf(), args) ?? expect.fail();
	const shown = describeCover(grant);
	expect(shown).toContain("Rome");
	for (const secret of secrets) expect(shown + scene.folder.disk).not.toContain(secret);
});
