/** Newer versions of configured servers: found, shown with their changes, and never installed automatically (REG-11). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openNetwork, type Network } from "../../../../src/protocol/http/network.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import type { NewServer } from "../../../../src/setup/newServer.ts";
import type { BundledServer } from "../../../../src/setup/entries/bundleUpdate.ts";
import { findRows, knownOf } from "../../../../src/setup/registry/findRows.ts";
import { RegistryCache } from "../../../../src/setup/registry/registryCache.ts";
import { RegistryClient } from "../../../../src/setup/registry/registryClient.ts";
import {
	isBundleUpdate,
	isNewer,
	marksOf,
	packagedServers,
	rowOfUpdate,
	sourceOfUpdate,
	UpdateSearch,
} from "../../../../src/setup/registry/updates.ts";
import { parseManifest } from "../../../../src/setup/bundles/manifest.ts";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { npmPackage, registryEntry, startRegistry } from "../../../servers/registryServer.ts";
import { definition, stdioConfig } from "../../servers/fixtures.ts";
import { addingScene } from "../entries/addingScene.ts";

let folder: string;
let network: Network;
let count = 0;
const signal = new AbortController().signal;
beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), "mcp-host-updates-"));
	network = openNetwork({ environment: {} });
});
afterAll(async () => {
	await network.close();
	await rm(folder, { recursive: true, force: true });
});

function clientOf(url: string): RegistryClient {
	const cache = new RegistryCache(path.join(folder, String(++count)));
	return new RegistryClient({ url, network, cache, now: Date.now });
}

/** A server that a command line starts. */
function started(name: string, line: string): ServerDefinition {
	const [command = "", ...args] = line.split(" ");
	return definition(name, stdioConfig({ command, args }));
}

const weather = registryEntry(
	"io.github.acme/weather",
	{
		packages: [
			npmPackage("@acme/weather", {
				packageArguments: [{ type: "positional", value: "--fast" }],
				environmentVariables: [{ name: "WEATHER_KEY", isRequired: true, isSecret: true }],
			}),
		],
	},
	3,
);
const git = registryEntry("io.github.acme/git", {
	version: "2.0.0",
	packages: [{ registryType: "pypi", identifier: "mcp_server.git", version: "2.0.0", transport: { type: "stdio" } }],
});

/** A bundle that was installed from a registry, and the server that runs it. */
function bundled(listedAs: string | undefined, version: string, sha256: string): BundledServer {
	const manifest = {
		manifest_version: "0.3",
		name: "packed",
		version,
		description: "",
		author: { name: "Ada" },
		server: { type: "node", entry_point: "a.js", mcp_config: { command: "node", args: ["a.js"] } },
	};
	return {
		definition: started("packed", "node a.js"),
		installed: {
			id: "packed-1",
			manifest: parseManifest(JSON.stringify(manifest)),
			sha256,
			label: "https://example.com/a.mcpb",
			settings: {},
			...(listedAs === undefined ? {} : { listedAs }),
		},
	};
}

describe("A registry is asked about configured servers (REG-11)", () => {
	it("and only about servers that run one version of a package of npm or PyPI", () => {
		const all = packagedServers([
			started("pinned", "npx -y @acme/weather@1.0.0"),
			started("free", "npx -y @acme/weather"),
			started("latest", "npx -y @acme/weather@latest"),
			started("image", "docker run acme/x:1.0.0"),
			started("nuget", "dnx acme.weather@1.2.0 --yes"),
			started("own", "node server.js"),
			definition("remote", { kind: "http", url: "https://a.example", headers: {}, protocol: "auto" }),
		]);
		expect(all.map(({ definition: { name } }) => name)).toEqual(["pinned"]);
	});

	it("finds newer versions by the name of the package, for any name of the server, and reports unlisted ones", async () => {
		await using registry = await startRegistry([weather, git]);
		registry.entries = [weather, registryEntry("com.other/server-git", { packages: [npmPackage("server-git")] }), git];
		const packaged = packagedServers([
			started("wetter", "npx -y @acme/weather@1.0.0"),
			started("current", "npx -y @acme/weather@1.2.0"),
			started("ahead", "npx -y @acme/weather@1.10.0"),
			started("git", "uvx MCP-Server-Git==1.9"),
		]);
		const client = clientOf(registry.url);
		const first = await new UpdateSearch(client).run(packaged, [], signal);
		expect(first.updates.map((update) => rowOfUpdate(update, Date.now()))).toEqual([
			{
				label: "wetter",
				description: "1.0.0 → 1.2.0 · published 3 days ago",
				detail: "npm package @acme/weather 1.2.0 of io.github.acme/weather",
			},
		]);
		expect(first.unlisted).toEqual(["git"]);
		// An earlier result is known by its package.
		await client.search("acme", undefined, signal);
		const again = await new UpdateSearch(client).run(packaged, [], signal);
		expect(again.updates.map(({ version }) => version)).toEqual(["1.2.0", "2.0.0"]);
		expect(again.unlisted).toEqual([]);
		expect(registry.asked.at(-1)).toBe("/v0.1/servers/io.github.acme%2Fgit/versions/latest");
	});

	it("finds newer bundles by their listed name, and recognises the same one by the hash", async () => {
		const fileSha256 = "a".repeat(64);
		const entry = registryEntry("io.github.acme/packed", {
			packages: [{ registryType: "mcpb", identifier: "https://example.com/b.mcpb", fileSha256 }],
		});
		await using registry = await startRegistry([entry]);
		const run = (...servers: readonly BundledServer[]) =>
			new UpdateSearch(clientOf(registry.url)).run([], servers, signal);
		const found = await run(bundled("io.github.acme/packed", "1.0.0", "b".repeat(64)));
		expect(found.updates.map(isBundleUpdate)).toEqual([true]);
		expect((await run(bundled("io.github.acme/packed", "1.0.0", fileSha256))).updates).toEqual([]);
		expect((await run(bundled("io.github.acme/packed", "1.2.0", "b".repeat(64)))).updates).toEqual([]);
		const gone = await run(bundled("io.github.acme/gone", "1.0.0", ""), bundled(undefined, "1.0.0", ""));
		expect(gone.unlisted).toEqual(["packed", "packed"]);
	});

	it("reports that the registry cannot be asked", async () => {
		await using registry = await startRegistry([weather]);
		registry.answer = (response) => response.writeHead(503).end();
		const packaged = packagedServers([started("weather", "npx -y @acme/weather@1.0.0")]);
		const search = new UpdateSearch(clientOf(registry.url)).run(packaged, [], signal);
		await expect(search).rejects.toMatchObject({ code: "unreachable" });
	});
});

describe("A newer version is shown before it is written (REG-11)", () => {
	const entry = { command: "npx", args: ["-y", "@acme/weather@1.0.0", "/my/folder"], env: { UNITS: "kelvin" } };
	it("with its changes, the user's values in it, and its further needs", async () => {
		await using registry = await startRegistry([weather]);
		const [installed] = packagedServers([started("wetter", "npx -y @acme/weather@1.0.0 /my/folder")]);
		const { updates } = await new UpdateSearch(clientOf(registry.url)).run(installed ? [installed] : [], [], signal);
		const [update] = updates;
		if (update === undefined || isBundleUpdate(update)) throw new Error("It is no package.");
		const known = knownOf(update.server, update.way, { now: Date.now(), first: undefined }, "registry.example");
		const written: NewServer[] = [];
		const source = sourceOfUpdate(update, { entry, inputs: [] }, known, async (server) => void written.push(server));
		const { adding, added } = addingScene(undefined, { sources: [source] });
		const view = toAddServersView(adding);
		const [group] = view.groups;
		expect(view.isUpdate).toBe(true);
		expect(group?.about[0]).toEqual({
			label: "What changes",
			values: ["Package: @acme/weather@1.0.0 → @acme/weather@1.2.0", "Environment: WEATHER_KEY is new"],
		});
		expect(group?.candidates[0]?.warnings).toContain("This version was published 3 days ago.");
		expect(group?.candidates[0]?.notes.join()).toContain("Your arguments are kept. The registry lists: -y --fast");
		expect(written).toEqual([]);
		await adding.add(false);
		expect(added[0]?.replaces?.definition.name).toBe("wetter");
		expect(added[0]?.servers[0]).toMatchObject({
			name: "wetter",
			entry: {
				args: ["-y", "@acme/weather@1.2.0", "/my/folder"],
				env: { UNITS: "kelvin", WEATHER_KEY: expect.stringContaining("${input:") as string },
			},
		});
	});

	it("and its row shows how it relates to the configured one, and its cost", async () => {
		await using registry = await startRegistry([weather]);
		const { servers } = await clientOf(registry.url).search("", undefined, signal);
		const describe = (line: string, cost: string | undefined) => {
			const one = started("wetter", line);
			const existing = [{ name: one.name, config: one.config, cost }];
			const packaged = packagedServers([one]);
			const marks: Parameters<typeof findRows>[2] = (server, ways) => marksOf(server, ways, packaged, existing);
			return findRows(servers, Date.now(), marks)[0]?.description;
		};
		const rest = "1.2.0 · published 3 days ago · io.github.acme/weather";
		expect(describe("npx -y @acme/weather@1.0.0", undefined)).toBe(`newer than “wetter” (1.0.0) · ${rest}`);
		const same = "npx -y @acme/weather@1.2.0 --fast";
		expect(describe(same, "~640 tokens")).toBe(`configured as “wetter” · ~640 tokens · ${rest}`);
		expect(describe(same, undefined)).toBe(`configured as “wetter” · ${rest}`);
		expect(describe("npx other@1.0.0", undefined)).toBe(rest);
	});
});

it.each([
	["1.2.0", "1.1.9", true],
	["1.10.0", "1.9.0", true],
	["1.2.0", "1.2.0", false],
	["v2", "1.9", true],
	["1.2", "1.2.0", false],
	["1.2.0", "1.2.0-beta.1", true],
	["1.2.0-beta.10", "1.2.0-beta.9", true],
	["1.2.0-beta.1", "1.2.0", false],
	["1.0.0+build", "1.0.0", false],
	["latest", "stable", true],
	["nightly", "nightly", false],
])("Version %s is newer than %s: %s", (version, than, expected) => expect(isNewer(version, than)).toBe(expected));
