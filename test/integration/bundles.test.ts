import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { type Bundle, readBundle } from "../../src/setup/bundles/bundle.ts";
import type { BundleMachine } from "../../src/setup/bundles/bundleEntry.ts";
import { BundleStore } from "../../src/setup/bundles/bundleStore.ts";
import { findCommand } from "../../src/protocol/stdio/findCommand.ts";
import { bundleSource } from "../../src/setup/entries/bundleSource.ts";
import { earlierServers } from "../../src/setup/entries/bundleUpdate.ts";
import type { ForeignServer } from "../../src/servers/formats/foreignServer.ts";
import { bundleOf, zipArchive } from "../unit/setup/bundles/zipArchive.ts";
import { textOf } from "./fixtures.ts";
import { factsOf, TestHost } from "./testHost.ts";

const bundles = resolve(import.meta.dirname, "../bundles");
const origin = { kind: "user-settings", label: "User Settings", isWorkspace: false } as const;

function machineWith(hasCommand: BundleMachine["hasCommand"]): BundleMachine {
	return { platform: process.platform, home: homedir(), hasCommand };
}

const thisMachine = machineWith(
	async (command) => (await findCommand(command, homedir(), process.env["PATH"] ?? "")) !== undefined,
);

const hasPython = await thisMachine.hasCommand("python3");

/** A bundle of test/bundles, made by the official packer. */
function packed(kind: "node" | "python" | "binary"): Promise<Bundle> {
	const label = resolve(bundles, `${kind}.mcpb`);
	return readBundle(readFileSync(label), { label });
}

/** Installs a bundle with its proposed settings; returns the written server, and the function that removes it. */
async function install(
	bundle: Bundle,
	store: BundleStore,
	machine = thisMachine,
	settings?: JsonObject,
): Promise<{ readonly server: ForeignServer; readonly undo: () => Promise<void> }> {
	const source = await bundleSource(bundle, {
		store,
		machine,
		ask: async ({ initial }) => settings ?? initial,
		browse: async () => undefined,
	});
	const [server] = source?.found.servers ?? [];
	if (source?.prepare === undefined || server === undefined) throw new Error("Nothing came of the bundle.");
	return { server, undo: await source.prepare() };
}

async function run(host: TestHost, { name = "", entry, inputs }: ForeignServer) {
	await host.host.configure([{ origin, content: { value: { [name]: entry }, inputs } }], false);
	const session = host.session(name);
	await host.host.start(session.definition.id);
	expect(session.state.kind).toBe("needs-approval");
	await host.host.approve(session.definition);
	await host.host.start(session.definition.id);
	factsOf(session);
	return session;
}

describe("a bundle of the official packer", () => {
	it.each([
		["a Node of this machine", thisMachine, "node"],
		["the editor's own", machineWith(async () => false), "${editorNode}"],
	])(
		"runs in %s, after its approval, with its secret only from the store (BND-03, BND-04)",
		async (_name, machine, command) => {
			await using host = new TestHost();
			const store = new BundleStore(host.path("bundles"));
			const { server, undo } = await install(await packed("node"), store, machine, {
				units: "kelvin",
				places: "/a\n/b c",
			});
			expect(server.entry).toMatchObject({
				command,
				args: [expect.stringMatching(/files.server.index\.mjs$/), "/a", "/b c"],
				env: { WEATHER_TOKEN: "${input:weather-token}", WEATHER_UNITS: "kelvin" },
			});
			expect(JSON.stringify(server)).not.toContain("a typed secret");
			const session = await run(host, server);
			const result = await session.callTool("forecast", { city: "Oslo" });
			expect(textOf(result)).toBe("sunny: Oslo kelvin a typed secret /a /b c");
			await session.stop();
			const id = store.idIn(server.entry) ?? "";
			expect(await store.remarksOn(id)).toEqual([expect.stringContaining("“Weather” 1.0.0 of Ada Example")]);
			// This is mentioned where it is exported (EXP-04).
			const why = "It runs files of the bundle “Weather”, which exist only on this machine. Share the bundle itself";
			expect(await store.whyHereOnly(id)).toBe(`${why} instead.`);
			await undo();
			expect(await store.remarksOn(id)).toEqual([expect.stringContaining("Install the bundle again")]);
			expect(existsSync(store.folderOf(store.idIn(server.entry) ?? ""))).toBe(false);
		},
	);

	it("proposes the settings of its manifest, with its variables resolved (BND-03)", async () => {
		await using host = new TestHost();
		const { server } = await install(await packed("node"), new BundleStore(host.path("bundles")));
		expect(server.entry).toMatchObject({
			args: [expect.any(String), `${homedir()}/places`],
			env: { WEATHER_UNITS: "celsius" },
		});
	});

	it.skipIf(!hasPython)("runs in Python", async () => {
		await using host = new TestHost();
		const { server } = await install(await packed("python"), new BundleStore(host.path("bundles")));
		const session = await run(host, server);
		expect(textOf(await session.callTool("forecast", {}))).toBe("sunny: from python");
	});

	it.skipIf(process.platform === "win32")(
		"runs a program of its own, in the form that its platform needs",
		async () => {
			await using host = new TestHost();
			const { server } = await install(await packed("binary"), new BundleStore(host.path("bundles")));
			const session = await run(host, server);
			const name = process.platform === "darwin" ? "macOS" : "linux";
			expect(textOf(await session.callTool("forecast", {}))).toBe(`sunny: ${name}`);
		},
	);

	it("starts by paths within it as well, like the examples of its specification (BND-03)", async () => {
		await using host = new TestHost();
		const store = new BundleStore(host.path("bundles"));
		const server = { type: "node", entry_point: "server/index.mjs" };
		const manifest = JSON.stringify({
			manifest_version: "0.3",
			name: "relative",
			version: "1.0.0",
			description: "",
			author: { name: "Ada" },
			server: { ...server, mcp_config: { command: "node", args: ["server/index.mjs", "here"] } },
		});
		const content = readFileSync(resolve(bundles, "node/server/index.mjs"));
		const bytes = zipArchive([
			{ name: "manifest.json", content: manifest },
			{ name: "server/index.mjs", content },
		]);
		const installed = await install(await readBundle(bytes, { label: "/relative.mcpb" }), store);
		expect(installed.server.entry).toMatchObject({ args: ["server/index.mjs", "here"] });
		const session = await run(host, installed.server);
		expect(textOf(await session.callTool("forecast", { city: "Oslo" }))).toContain("sunny: Oslo");
		// Its files are found by its folder only.
		expect(store.idIn(installed.server.entry)).toMatch(/^relative-/);
	});

	it.each(["node", "python", "binary"] as const)("is the folder beside it: %s", async (kind) => {
		const { archive } = await packed(kind);
		const listed = await readdir(resolve(bundles, kind), { recursive: true, withFileTypes: true });
		const own = listed.filter((entry) => entry.isFile()).map((entry) => resolve(entry.parentPath, entry.name));
		expect(archive.files.map(({ path }) => resolve(bundles, kind, path)).toSorted()).toEqual(own.toSorted());
		for (const file of archive.files) {
			const pieces: Buffer[] = [];
			for await (const piece of file.read()) pieces.push(piece);
			expect(Buffer.concat(pieces).equals(readFileSync(resolve(bundles, kind, file.path))), file.path).toBe(true);
		}
	});

	it("shows the value of its signature, and warns if it does not match (BND-09)", async () => {
		await using host = new TestHost();
		const store = new BundleStore(host.path("bundles"));
		const said = async (bytes: Buffer) => {
			const source = await bundleSource(await readBundle(bytes, { label: "/a.mcpb" }), {
				store,
				machine: thisMachine,
				ask: async ({ initial }) => initial,
				browse: async () => undefined,
			});
			const line = source?.about?.find(({ label }) => label === "Signature");
			return [line?.values.join(), source?.cautions?.join()];
		};
		const signed = readFileSync(resolve(bundles, "signed.mcpb"));
		expect(await said(signed)).toEqual([
			"matches this file; made with a certificate for “Ada Example”, which no authority has confirmed",
			"",
		]);
		expect((await said(readFileSync(resolve(bundles, "issued.mcpb"))))[0]).toBe(
			"matches this file; made with a certificate for “Ada Example”, which “Example Authority” issued (not verified)",
		);
		const changed = Buffer.from(signed);
		// The time of its first file, which nothing checks otherwise.
		changed.writeUInt8(changed.readUInt8(10) ^ 1, 10);
		expect(await said(changed)).toEqual([
			"does not match this file",
			"Its signature does not match: the file was changed after it was signed, or the signature is damaged.",
		]);
	});

	it("shows its source, and how its services use the data that they receive (BND-04)", async () => {
		await using host = new TestHost();
		const manifest = JSON.parse(readFileSync(resolve(bundles, "python/manifest.json"), "utf8")) as JsonObject;
		const more = {
			repository: { type: "git", url: "https://github.com/acme/weather" },
			privacy_policies: ["https://acme.example/privacy\u202E", 3],
			tools: [{ name: "forecast" }],
			tools_generated: true,
			server: { type: "node", entry_point: "server/index.js", mcp_config: { command: "node", args: [] } },
		};
		const bytes = bundleOf([], JSON.stringify({ ...manifest, ...more }));
		const source = await bundleSource(await readBundle(bytes, { label: "/a.mcpb" }), {
			store: new BundleStore(host.path("bundles")),
			machine: thisMachine,
			ask: async ({ initial }) => initial,
			browse: async () => undefined,
		});
		expect(source?.about).toEqual(
			expect.arrayContaining([
				{ label: "Source", values: ["https://github.com/acme/weather"] },
				{ label: "Privacy", values: [String.raw`https://acme.example/privacy\u202E`] },
				{ label: "Tools it declares", values: ["forecast", "others when it runs"] },
			]),
		);
	});

	it("writes nothing that looks like a key (BND-04)", async () => {
		await using host = new TestHost();
		const store = new BundleStore(host.path("bundles"));
		const key = "sk-0123456789abcdefghij";
		const { server } = await install(await packed("node"), store, thisMachine, { units: key, places: "/a" });
		const id = store.idIn(server.entry) ?? "";
		expect((await store.read(id))?.settings).toEqual({ places: ["/a"] });
		expect(readFileSync(host.path("bundles", id, "bundle.json"), "utf8")).not.toContain(key);
	});

	it("is found again by its name, with its settings, and another version shows its changes (BND-05)", async () => {
		await using host = new TestHost();
		const store = new BundleStore(host.path("bundles"));
		const { server } = await install(await packed("node"), store, thisMachine, { units: "kelvin" });
		const session = await run(host, server);
		const manifest = JSON.parse(readFileSync(resolve(bundles, "node/manifest.json"), "utf8")) as JsonObject;
		const next = {
			...manifest,
			version: "1.1.0",
			author: { name: "Mallory" },
			server: { type: "node", entry_point: "server/index.js", mcp_config: { command: "sh", args: ["-c", "x"] } },
			user_config: { units: { type: "string", title: "Units", description: "" } },
		};
		const bundle = await readBundle(bundleOf([], JSON.stringify(next)), { label: "/next.mcpb" });
		const [earlier, ...more] = await earlierServers(bundle, [session.definition], store);
		expect(more).toEqual([]);
		expect(earlier?.installed).toMatchObject({ settings: { units: "kelvin" }, manifest: { version: "1.0.0" } });
		const asked: JsonObject[] = [];
		const source = await bundleSource(
			bundle,
			{
				store,
				machine: thisMachine,
				ask: async ({ initial }) => {
					asked.push(initial);
					return initial;
				},
				browse: async () => undefined,
			},
			earlier,
		);
		expect(asked).toEqual([{ units: "kelvin" }]);
		expect(source?.about?.[0]).toEqual({
			label: "What changes",
			values: [
				"Publisher: Ada Example → Mallory",
				"Version: 1.0.0 → 1.1.0",
				"Server: node, server/index.mjs → node, server/index.js",
				"Command: node ${__dirname}/server/index.mjs ${user_config.places} → sh -c x",
				"Environment: WEATHER_TOKEN=${user_config.token} WEATHER_UNITS=${user_config.units} → nothing",
				"Settings: units, places (may be left empty), token (secret) → units (may be left empty)",
			],
		});
		// Nothing of it exists before the user adds it.
		expect(source?.found.servers[0]?.name).toBe("weather");
		expect(existsSync(store.folderOf(store.idIn(source?.found.servers[0]?.entry ?? {}) ?? ""))).toBe(false);
	});
});
