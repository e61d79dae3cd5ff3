import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBundle } from "../../../../src/setup/bundles/bundle.ts";
import { type BundleMachine, bundleServer, defaultSetting } from "../../../../src/setup/bundles/bundleEntry.ts";
import { parseManifest, type SettingValue } from "../../../../src/setup/bundles/manifest.ts";
import { bundleOf, manifestOf, type ZipEntry } from "./zipArchive.ts";

const folder = join("/storage", "weather", "files");

function machineWith(commands: readonly string[], platform = "linux"): BundleMachine {
	return { platform, home: "/home/ada", hasCommand: async (command) => commands.includes(command) };
}

async function serverOf(
	more: object,
	{
		settings = {},
		machine = machineWith(["node"]),
		files = [],
	}: {
		readonly settings?: Readonly<Record<string, SettingValue>>;
		readonly machine?: BundleMachine;
		readonly files?: readonly ZipEntry[];
	} = {},
) {
	const bundle = await readBundle(bundleOf(files, manifestOf(more)), { label: "weather.mcpb" });
	return bundleServer(bundle, folder, settings, machine);
}

function config(command: string, args: readonly string[], env: object = {}, more: object = {}): object {
	return { server: { type: "node", entry_point: "server/index.js", mcp_config: { command, args, env, ...more } } };
}

const setting = (type: string, more: object = {}): object => ({ type, title: "T", description: "D", ...more });

describe("the server of a bundle (BND-03)", () => {
	it("runs from its folder, with the variables of its format resolved", async () => {
		const args = ["${__dirname}/server/index.js", "${HOME}/x", "${DOCUMENTS}", "a${/}b"];
		const { entry } = await serverOf(config("node", args, { DIR: "${__dirname}" }));
		expect(entry).toEqual({
			type: "stdio",
			command: "node",
			args: [`${folder}/server/index.js`, "/home/ada/x", join("/home/ada/Documents"), `a${join("/")}b`],
			env: { DIR: folder },
		});
	});

	it("differs by platform if the manifest defines it", async () => {
		const overrides = { platform_overrides: { win32: { command: "node.exe", env: { A: "w" } } } };
		const more = config("node", ["a"], { A: "l" }, overrides);
		const machine = machineWith(["node", "node.exe"], "win32");
		expect((await serverOf(more, { machine })).entry).toMatchObject({
			command: "node.exe",
			args: ["a"],
			env: { A: "w" },
		});
		expect((await serverOf(more)).entry).toMatchObject({ command: "node", env: { A: "l" } });
	});

	it("gets the user's settings, and a secret by reference only", async () => {
		const user_config = {
			token: setting("string", { sensitive: true, required: true, title: "API token" }),
			dirs: setting("directory", { multiple: true }),
			level: setting("number"),
			loud: setting("boolean"),
			none: setting("string"),
		};
		const args = ["--dirs", "${user_config.dirs}", "--level=${user_config.level}", "${user_config.none}"];
		const env = { TOKEN: "${user_config.token}", LOUD: "${user_config.loud}", NONE: "${user_config.none}" };
		const { entry, inputs } = await serverOf(
			{ ...config("node", args, env), user_config },
			{ settings: { dirs: ["/a", "/b c"], level: 3, loud: false } },
		);
		expect(entry).toMatchObject({
			args: ["--dirs", "/a", "/b c", "--level=3", ""],
			env: { TOKEN: "${input:weather-token}", LOUD: "false" },
		});
		expect(entry["env"]).not.toHaveProperty("NONE");
		expect(inputs).toEqual([{ id: "weather-token", type: "promptString", description: "API token", password: true }]);
	});

	it.each(["${env:GITHUB_TOKEN}", "${input:other}", "${workspaceFolder}", "${user_config.unknown}", "${PATH}"])(
		"resolves nothing that its format does not have: %s",
		async (variable) => {
			await expect(serverOf(config("node", [variable]))).rejects.toThrow("which is not a variable of bundles");
			await expect(serverOf(config("node", [], { A: `x${variable}` }))).rejects.toThrow("not a variable of bundles");
			const { settings } = parseManifest(manifestOf({ user_config: { a: setting("string", { default: variable }) } }));
			for (const one of settings)
				expect(() => defaultSetting(one, machineWith([]))).toThrow("which is not a variable of bundles");
		},
	);

	it("runs in the editor's own Node if the machine has none", async () => {
		const { entry, cautions } = await serverOf(config("node", ["a"], { B: "c" }), { machine: machineWith([]) });
		expect(entry).toMatchObject({ command: "${editorNode}", args: ["a"], env: { B: "c", ELECTRON_RUN_AS_NODE: "1" } });
		expect(cautions).toEqual([]);
	});

	it("runs in the installed Python, or reports that there is none", async () => {
		const more = config("python", ["${__dirname}/main.py"]);
		expect((await serverOf(more, { machine: machineWith(["python3"]) })).entry).toMatchObject({ command: "python3" });
		const { entry, cautions } = await serverOf(more, { machine: machineWith([]) });
		expect(entry).toMatchObject({ command: "python" });
		expect(cautions).toEqual(["python was not found on this machine: install it before you start this server."]);
	});

	it("of the kind uv may leave the uv command to the host", async () => {
		const more = { manifest_version: "0.4", server: { type: "uv", entry_point: "server/index.js" } };
		const { entry } = await serverOf(more, { machine: machineWith(["uv"]) });
		expect(entry).toMatchObject({ command: "uv", args: ["run", "--directory", folder, "server/index.js"] });
	});

	it.each(["${__dirname}/bin/serve", "bin/serve", "./bin/serve"])("runs a file of its own: %s", async (command) => {
		const server = { type: "binary", entry_point: "bin/serve", mcp_config: { command } };
		const { entry, executables } = await serverOf({ server }, { files: [{ name: "bin/serve", content: "x" }] });
		expect(entry).toMatchObject({ command: join(folder, "bin/serve"), args: [] });
		expect([...executables]).toEqual(["bin/serve"]);
	});

	it.each([
		["an argument", ["server/index.js"], {}],
		["an argument behind an option", ["--config=./server/index.js"], {}],
		["a folder", ["-m", "server"], {}],
		["a variable", [], { PYTHONPATH: "server" }],
	])("runs in its folder if %s is a path in it", async (_what, args, env) => {
		expect((await serverOf(config("node", args, env))).entry).toMatchObject({ args, cwd: folder });
	});

	it("runs where all servers run otherwise, for any names of the user's settings", async () => {
		const user_config = { word: setting("string") };
		const args = ["${__dirname}/server/index.js", "serve", "${user_config.word}"];
		const { entry } = await serverOf({ ...config("node", args), user_config }, { settings: { word: "server" } });
		expect(entry).not.toHaveProperty("cwd");
	});

	it("names the systems that it was made for", async () => {
		const compatibility = { platforms: ["darwin", "win32"], runtimes: { node: ">=18" } };
		expect((await serverOf({ compatibility })).cautions).toEqual(["It supports macOS, Windows, but this is Linux."]);
	});
});

describe("a manifest (BND-03)", () => {
	it.each(["0.1", "0.2", "0.3", "0.4"])("of version %s is read, under its older name too", (version) => {
		expect(parseManifest(manifestOf({ manifest_version: version }))).toMatchObject({ name: "weather" });
		const older = manifestOf({ manifest_version: undefined, dxt_version: version });
		expect(parseManifest(older)).toMatchObject({ name: "weather", author: "Ada" });
	});

	it.each<readonly [object, string]>([
		[{ manifest_version: "1.0" }, "has version 1.0, but MCP Host supports 0.1, 0.2, 0.3, 0.4"],
		[{ name: undefined }, "has no “name”"],
		[{ version: 3 }, "has no “version”"],
		[{ author: {} }, "does not name its author"],
		[{ server: undefined }, "has no server"],
		[{ server: { type: "perl", entry_point: "a" } }, "not one of node, python, uv, binary"],
		[{ server: { type: "node", entry_point: "../a" } }, "is not inside the bundle"],
		[{ server: { type: "node", entry_point: "a" } }, "does not define how to start its server"],
		[{ server: { type: "node", entry_point: "a", mcp_config: {} } }, "has no command"],
		[
			{ server: { type: "node", entry_point: "a", mcp_config: { command: "a", args: "b" } } },
			"is not a list of strings",
		],
		[
			{ server: { type: "node", entry_point: "a", mcp_config: { command: "a", env: { A: 1 } } } },
			"a value that is not a string",
		],
		[{ user_config: { a: 1 } }, "its setting a is not an object"],
		[{ user_config: { a: { type: "color" } } }, "The type of its setting a"],
		[{ user_config: JSON.parse('{"__proto__": {"type": "string"}}') as object }, "cannot be used"],
	])("that is unusable is refused with the reason: %j", (more, reason) => {
		expect(() => parseManifest(manifestOf(more))).toThrow(reason);
	});

	it("has settings that are secrets by their names, also if it does not declare them", () => {
		const user_config = {
			api_key: setting("string"),
			pass: setting("string", { title: "Your password" }),
			token_limit: setting("string"),
			preset: setting("string", { title: "Secret word", default: "swordfish" }),
		};
		const { settings } = parseManifest(manifestOf({ user_config }));
		expect(settings.map(({ isSensitive }) => isSensitive)).toEqual([true, true, false, false]);
	});

	it("that is not JSON, or not an object, is refused", () => {
		expect(() => parseManifest("{")).toThrow("is not valid JSON");
		expect(() => parseManifest("[]")).toThrow("is not an object");
	});
});

describe("a bundle (BND-02)", () => {
	it("with another hash than announced is refused, and both are named", async () => {
		const expectedSha256 = "ab".repeat(32);
		const reading = readBundle(bundleOf(), { label: "weather.mcpb", expectedSha256 });
		await expect(reading).rejects.toThrow(
			/^weather\.mcpb was not installed\. .*not the announced file.*[\da-f]{64}, but (ab){32}/,
		);
		const { sha256 } = await readBundle(bundleOf(), { label: "weather.mcpb" });
		const again = readBundle(bundleOf(), { label: "weather.mcpb", expectedSha256: sha256.toUpperCase() });
		await expect(again).resolves.toMatchObject({ sha256 });
	});
});
