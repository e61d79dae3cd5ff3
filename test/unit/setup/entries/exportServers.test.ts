/** Servers are prepared for export: without secrets, with names of their own (EXP-02). */
import { knowsNone } from "../../../../src/base/secrets/writer.ts";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { changesText, entryOf, withoutSecrets, type WrittenHere } from "../../../../src/setup/entries/exportServers.ts";
import { SecretsInUse } from "../../../../src/base/secrets/secretsInUse.ts";
import { writeConfiguration } from "../../../../src/servers/formats/writeConfiguration.ts";
import { exportTargets } from "../../../../src/servers/formats/exportTargets.ts";
import { userOrigin } from "../../servers/fixtures.ts";

const key = "sk-canary-0123456789abcdef";

function written(entry: object, more: Partial<WrittenHere> = {}): WrittenHere {
	return { name: "a", entry: { command: "npx", ...entry }, inputs: [], isOff: false, ...more };
}

describe("An exported server (EXP-02)", () => {
	const carriers: readonly (readonly [string, WrittenHere])[] = [
		["a variable", written({ env: { API_KEY: key } })],
		["a variable by its form alone", written({ env: { THING: key } })],
		["an argument", written({ args: ["--api-key", key] })],
		["an argument in one word", written({ args: [`--token=${key}`] })],
		["a header", { ...written({}), entry: { url: "https://a.example", headers: { Authorization: `Bearer ${key}` } } }],
		["a part of the query", { ...written({}), entry: { url: `https://a.example/x?api_key=${key}` } }],
		["a sign-in", { ...written({}), entry: { url: "https://a.example", oauth: { clientSecret: key } } }],
		[
			"the default of a hidden input",
			written(
				{ env: { API_KEY: "${input:k}" } },
				{ inputs: [{ type: "promptString", id: "k", password: true, default: key }] },
			),
		],
		[
			"the default of an input that is none by its name",
			written({ env: { A: "${input:k}" } }, { inputs: [{ type: "promptString", id: "k", default: key }] }),
		],
		["the default of a variable", written({ env: { A: "${env:API_KEY:-" + key + "}" } })],
		["the default of a variable by its form", written({ args: ["${env:THING:-" + key + "}"] })],
		["a member that only VS Code reads", written({ dev: { token: key } })],
	];
	it.each(carriers)("has no secret in %s, in any form", (_where, server) => {
		const { servers } = withoutSecrets([server], knowsNone);
		expect(servers).toHaveLength(1);
		for (const target of exportTargets) expect(writeConfiguration(servers, target).text, target.id).not.toContain(key);
	});

	it("lists what its receiver has to know (EXP-04)", () => {
		const { changes } = withoutSecrets([written({}, { remark: "It runs files of a bundle." })], knowsNone);
		expect(changes).toEqual([{ server: "a", what: "It runs files of a bundle." }]);
	});

	it("names the value that was left out, and requests it at its place", () => {
		const { servers, changes } = withoutSecrets([written({ env: { API_KEY: key, MODE: "quiet" } })], knowsNone);
		expect(servers[0]?.entry).toMatchObject({ env: { API_KEY: "${input:a-api-key}", MODE: "quiet" } });
		expect(servers[0]?.inputs).toMatchObject([{ id: "a-api-key", password: true }]);
		expect(changesText(changes)).toBe("• a: The value of “API_KEY of a” looks secret and was left out.");
	});

	it("has no secret that was used in this window, in any form", async () => {
		const inUse = new SecretsInUse();
		await inUse.add([{ name: "password", label: "password", value: "correct horse battery" }]);
		const { servers, changes } = withoutSecrets([written({ args: ["--name", "correct horse battery"] })], inUse);
		expect(JSON.stringify(servers)).not.toContain("horse");
		expect(changesText(changes)).toContain("A secret that was used in this window was removed from it.");
	});

	it("has a name and inputs of its own among the others", () => {
		const input = (description: string) => ({ type: "promptString", id: "k", description });
		const { servers, changes } = withoutSecrets(
			[
				written({ env: { A: "${input:k}" } }, { inputs: [input("one")] }),
				written({ env: { A: "${input:k}" } }, { inputs: [input("two")] }),
			],
			knowsNone,
		);
		expect(servers.map(({ name }) => name)).toEqual(["a", "a-2"]);
		expect(servers.map(({ entry }) => entry["env"])).toEqual([{ A: "${input:k}" }, { A: "${input:k-2}" }]);
		expect(changesText(changes)).toContain("a-2: Another exported server has the same name");
	});

	it("matches its definition, if no mcp.json holds it", () => {
		const inputs = [{ type: "pickString", id: "k", description: "d", options: ["x", "y"] }];
		const servers = {
			local: { type: "stdio", command: "npx", args: ["-y"], env: { A: "${input:k}" }, cwd: "/x", protocol: "legacy" },
			remote: { type: "sse", url: "https://a.example", headers: { B: "1" } },
		};
		const { definitions } = parseConfig({ origin: userOrigin, content: { value: servers, inputs } });
		expect(definitions.map((definition) => entryOf(definition))).toEqual([
			{ entry: servers.local, inputs },
			{ entry: servers.remote, inputs: [] },
		]);
	});
});

it("A loss is reported once for all its servers, and up to a limit", () => {
	const changes = ["a", "b", "c", "d", "e"].map((server) => ({ server, what: "No counterpart." }));
	const many = Array.from({ length: 30 }, (_, index) => ({ server: "x", what: `Change ${index}.` }));
	const lines = changesText([...changes, ...many]).split("\n");
	expect(lines[0]).toBe("• a, b, c and 2 more: No counterpart.");
	expect(lines).toHaveLength(21);
	expect(lines.at(-1)).toBe("• 11 more of this kind");
});
