/** Images are bound to what their tags stand for, and newer ones are found, without an account (REG-11, REG-12). */
import { describe, expect, it } from "vitest";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { bindTitle, latestVersion, unboundPackage } from "../../../../src/setup/entries/latestVersion.ts";
import { boundImages, imageUpdates } from "../../../../src/setup/registry/imageUpdates.ts";
import { packagedServers, rowOfUpdate, sourceOfUpdate, updatesBy } from "../../../../src/setup/registry/updates.ts";
import { startImageRegistry } from "../../../servers/imageRegistry.ts";
import { definition, stdioConfig } from "../../servers/fixtures.ts";
import { addingScene } from "../entries/addingScene.ts";

const signal = new AbortController().signal;
const [old, now] = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`) as [string, string];

/** A server that a command line starts. */
function started(name: string, line: string): ServerDefinition {
	const [command = "", ...args] = line.split(" ");
	return definition(name, stdioConfig({ command, args }));
}

function unbound(line: string) {
	const [command = "", ...args] = line.split(" ");
	return unboundPackage({ command, args });
}

describe("An image that is not bound (REG-12)", () => {
	it.each([
		["docker run -i --rm mcp/fetch", "docker.io", "registry-1.docker.io/mcp/fetch"],
		["docker run -i docker.io/mcp/fetch:latest", "docker.io", "registry-1.docker.io/mcp/fetch"],
		["docker run -i alpine --x", "docker.io", "registry-1.docker.io/library/alpine"],
		["docker run -i ghcr.io/github/github-mcp-server", "ghcr.io", "ghcr.io/github/github-mcp-server"],
		["podman run -i mcr.microsoft.com/playwright/mcp", "mcr.microsoft.com", "mcr.microsoft.com/playwright/mcp"],
	])("of %s is bound to the hash that its registry has: %s", async (line, home, image) => {
		await using registry = await startImageRegistry();
		registry.images.set(`${image}:latest`, now);
		const found = unbound(line);
		if (found === undefined) throw new Error("It is none.");
		expect(bindTitle(found)).toBe(`Bind to the Latest Version (Asks ${home})`);
		expect(await latestVersion(found, registry, signal)).toBe(`latest@${now}`);
		const [host = "", ...path] = image.split("/");
		expect(registry.asked.at(-1)).toBe(`HEAD ${host}/v2/${path.join("/")}/manifests/latest`);
		expect(registry.asked).toHaveLength(home === "mcr.microsoft.com" ? 1 : 2);
	});

	it.each([
		"docker run -i registry.acme.example/mcp/fetch",
		"docker run -i localhost:5000/fetch",
		"docker run -i localhost/fetch",
		"docker run -i ghcr.io/../x",
		"docker run -i Mcp/Fetch",
		"docker run -i mcp/fetch:1.2.0",
		`docker run -i mcp/fetch@${old}`,
		`docker run -i mcp/fetch:latest@${old}`,
		"podman run -i mcp/fetch",
	])("of another registry, or bound, is left alone: %s", (line) => expect(unbound(line)).toBeUndefined());

	it("says why there is no hash", async () => {
		await using registry = await startImageRegistry();
		const ask = (line = "docker run mcp/fetch") => {
			const found = unbound(line);
			return found && latestVersion(found, registry, signal);
		};
		const missing = "has no image “mcp/fetch:latest” that everyone may read.";
		await expect(ask()).rejects.toThrow(`docker.io ${missing}`);
		registry.images.set("registry-1.docker.io/mcp/fetch:latest", "sha256:nonsense; rm -rf /");
		await expect(ask()).rejects.toThrow("docker.io does not say which image “mcp/fetch:latest” is.");
		registry.status = 401;
		await expect(ask("docker run mcr.microsoft.com/mcp/fetch")).rejects.toThrow(`mcr.microsoft.com ${missing}`);
		registry.status = 429;
		await expect(ask()).rejects.toMatchObject({ code: "unreachable" });
		registry.status = 302;
		await expect(ask()).rejects.toThrow("which is not followed");
	});
});

describe("An image that is bound to what its tag stood for (REG-11)", () => {
	const line = `docker run -i --rm -e MODE mcp/fetch:latest@${old} --fast`;

	it("is looked up in its own registry, and a tag that is a version in that of servers", () => {
		const all = [
			started("latest", line),
			started("version", `docker run mcp/fetch:1.2.0@${old}`),
			started("hash", `docker run mcp/fetch@${old}`),
			started("tag", "docker run mcp/fetch:edge"),
			started("elsewhere", `docker run registry.acme.example/fetch:latest@${old}`),
			started("npm", "npx -y acme@1.0.0"),
		];
		expect(boundImages(all).map(({ definition: { name } }) => name)).toEqual(["latest"]);
		const packaged = packagedServers(all);
		expect(packaged.map(({ definition: { name } }) => name)).toEqual(["version", "tag", "npm"]);
		const listed = (version: string) => ({
			name: "io.github.acme/fetch",
			title: undefined,
			description: "",
			version,
			repository: undefined,
			website: undefined,
			publishedAt: undefined,
			deprecated: undefined,
			packages: [{ registryType: "oci", identifier: `mcp/fetch:${version}`, transport: { type: "stdio" } }],
			remotes: [],
		});
		const newer = (version: string) => updatesBy(listed(version), packaged.slice(0, 1)).map((update) => update.version);
		expect([newer("1.10.0"), newer("1.2.0"), newer("1.1.0")]).toEqual([["1.10.0"], [], []]);
	});

	it("is offered as what it is now, shown before it is written, and not where nothing changed", async () => {
		await using registry = await startImageRegistry();
		registry.images.set("registry-1.docker.io/mcp/fetch:latest", now);
		registry.images.set("ghcr.io/acme/same:latest", old);
		const images = boundImages([
			started("fetch", line),
			started("same", `docker run ghcr.io/acme/same:latest@${old}`),
			started("gone", `docker run ghcr.io/acme/gone:latest@${old}`),
		]);
		const { updates, unlisted } = await imageUpdates(images, registry, signal);
		expect(unlisted).toEqual(["gone"]);
		expect(updates.map((update) => rowOfUpdate(update, 0))).toEqual([
			{
				label: "fetch",
				description: "aaaaaaaaaaaa → bbbbbbbbbbbb",
				detail: "what “latest” is now at docker.io: image mcp/fetch",
			},
		]);
		const [update] = updates;
		if (update === undefined) throw new Error("There is none.");
		const entry = { command: "docker", args: line.split(" ").slice(1), env: { MODE: "x" } };
		const known = { about: [], cautions: [] };
		const source = sourceOfUpdate(update, { entry, inputs: [] }, known, async () => undefined);
		expect(source.isListed).toBeUndefined();
		const { adding, added } = addingScene(undefined, { sources: [source] });
		expect(toAddServersView(adding).groups[0]?.about).toEqual([
			{ label: "What changes", values: [`Package: mcp/fetch:latest@${old} → mcp/fetch:latest@${now}`] },
		]);
		await adding.add(false);
		const args = line.replace(old, now).split(" ").slice(1);
		expect(added[0]?.servers[0]).toMatchObject({ name: "fetch", entry: { ...entry, args } });
	});

	it("is said where its registry cannot be asked", async () => {
		await using registry = await startImageRegistry();
		registry.status = 503;
		await expect(imageUpdates(boundImages([started("fetch", line)]), registry, signal)).rejects.toMatchObject({
			code: "unreachable",
		});
	});
});
