import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { ServerConfig, ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import type { NamedFolder } from "../../../../src/servers/definitions/folderVariable.ts";
import { resolveVariables } from "../../../../src/servers/definitions/variables.ts";
import { bindToPlace, placeOf } from "../../../../src/servers/definitions/workspacePlace.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../fixtures.ts";

const root = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-host-place-")));
const [a, b] = ["a", "b"].map((name): NamedFolder => ({ name, path: path.join(root, name) })) as [
	NamedFolder,
	NamedFolder,
];
for (const folder of [a, b]) mkdirSync(folder.path);
symlinkSync(b.path, path.join(root, "link"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => void vi.unstubAllEnvs());

/** The approval key of a user's own definition while folders are open. */
async function hashIn(config: ServerConfig, ...folders: readonly NamedFolder[]): Promise<string> {
	return (await bindToPlace(definition("own", config), folders)).hash;
}

describe("An approval is bound to the folder of each variable (CFG-26)", () => {
	const swapped = [
		{ name: "a", path: b.path },
		{ name: "b", path: a.path },
	];
	it.each([
		["two by their names", ["${workspaceFolder:a}", "${workspaceFolder:b}"]],
		["two by their names and the first", ["${workspaceFolder:a}", "${workspaceFolder:b}", "${workspaceFolder}"]],
		["in one text", ["${workspaceFolder:a} ${workspaceFolder:b} ${workspaceRoot}"]],
	])("also when folders change their places: %s", async (_what, args) => {
		const config = stdioConfig({ args });
		const hash = await hashIn(config, a, b);
		expect(await hashIn(config, ...swapped)).not.toBe(hash);
		expect(await hashIn(config, a, b)).toBe(hash);
	});

	it("also when another one is the first", async () => {
		const config = stdioConfig({ args: ["${workspaceFolder:a}", "${workspaceFolder:b}", "${workspaceFolder}"] });
		expect(await hashIn(config, a, b)).not.toBe(await hashIn(config, b, a));
		// The order of the window does not matter for named folders.
		const named = stdioConfig({ args: ["${workspaceFolder:a}", "${workspaceFolder:b}"] });
		expect(await hashIn(named, a, b)).toBe(await hashIn(named, b, a));
	});

	it("and no name and no path is ambiguous", async () => {
		const config = stdioConfig({ args: ["${workspaceFolder:a}", "${workspaceFolder:b}"] });
		const [one, other] = [
			["/x", "/y, /z"],
			["/x, /y", "/z"],
		].map(([first = "", second = ""]) => [
			{ name: "a", path: first },
			{ name: "b", path: second },
		]) as [NamedFolder[], NamedFolder[]];
		expect(await hashIn(config, ...one)).not.toBe(await hashIn(config, ...other));
	});

	it("and shows it", async () => {
		const of = (...args: readonly string[]): Promise<string | undefined> =>
			placeOf(definition("own", stdioConfig({ args })), [a, b]);
		expect(await of("${workspaceFolder}", "${workspaceFolder:a}")).toBe(a.path);
		expect(await of("${workspaceFolder:a}", "${workspaceFolder:b}")).toBe(
			`\${workspaceFolder:a} is ${JSON.stringify(a.path)}, \${workspaceFolder:b} is ${JSON.stringify(b.path)}`,
		);
	});
});

describe.skipIf(process.platform === "win32")("An approval is bound to the target of the environment (CFG-26)", () => {
	const tool = path.join("${env:TOOLS}", "run.js");
	it.each<[string, Partial<Extract<ServerConfig, { kind: "stdio" }>>]>([
		["its command", { command: tool }],
		["an argument", { args: [tool] }],
		["an option", { args: [`--require=${tool}`] }],
		["a variable", { env: { NODE_OPTIONS: `-r ${tool}` } }],
		["its environment file", { envFile: path.join("${env:TOOLS}", ".env") }],
		["its working directory", { args: ["run.js"], cwd: "${env:TOOLS}" }],
		["a path from where it runs", { args: ["b/run.js"], cwd: "${env:TOOLS}/.." }],
		["a variable among others", { args: ["${userHome}${/}${env:TOOLS}", tool, "${input:unknown}"] }],
	])("in an open folder, also behind a link: %s", async (_what, changes) => {
		const config = stdioConfig({ args: [], ...changes });
		vi.stubEnv("TOOLS", a.path);
		const approved = await hashIn(config, a);
		for (const value of [b.path, path.join(root, "link")]) {
			vi.stubEnv("TOOLS", value);
			expect(await placeOf(definition("own", config), [b])).toBe(b.path);
			expect(await hashIn(config, b)).not.toBe(approved);
			// Nor are approvals from while it led elsewhere.
			expect(await hashIn(config, b)).not.toBe(definition("own", config).hash);
		}
	});

	it("and to both, where folder variables are used too", async () => {
		const config = stdioConfig({ args: ["${workspaceFolder:a}", "${env:TOOLS}"] });
		vi.stubEnv("TOOLS", "/usr/share");
		const elsewhere = await hashIn(config, a, b);
		vi.stubEnv("TOOLS", a.path);
		const [inA, place] = [await hashIn(config, a, b), await placeOf(definition("own", config), [a, b])];
		vi.stubEnv("TOOLS", b.path);
		expect(new Set([elsewhere, inA, await hashIn(config, a, b)]).size).toBe(3);
		expect(place).toBe(`\${workspaceFolder:a} is "${a.path}", \${env:…} is "${a.path}"`);
	});

	it("and to nothing if it leads into no open folder, holds no path or is not used", async () => {
		vi.stubEnv("TOOLS", a.path);
		for (const config of [
			stdioConfig({ args: [path.join(a.path, "x.js")], env: { TOKEN: "${env:TOKEN}", NONE: "${env:NONE}" } }),
			stdioConfig({ args: [tool], cwd: root }),
		]) {
			vi.stubEnv("TOKEN", "hunter2/abc=");
			expect(await placeOf(definition("own", config), config.args[0] === tool ? [b] : [a, b])).toBeUndefined();
		}
		const remote: ServerConfig = {
			kind: "http",
			url: "https://x.example",
			headers: { A: "${env:TOOLS}" },
			protocol: "auto",
		};
		expect(await placeOf(definition("own", remote, userOrigin), [a])).toBeUndefined();
	});

	it("and to nothing in the folder whose own server it is", async () => {
		vi.stubEnv("TOOLS", a.path);
		const origin = { ...workspaceOrigin, folder: a.path };
		const config = stdioConfig({ args: [tool] });
		expect(await placeOf(definition("own", config, origin), [a, b])).toBeUndefined();
		vi.stubEnv("TOOLS", b.path);
		expect(await placeOf(definition("own", config, origin), [a, b])).toBe(b.path);
	});

	it("and to the folder in which PATH finds its command", async () => {
		for (const { path: folder } of [a, b]) writeFileSync(path.join(folder, "tool"), "#!/bin/sh\n", { mode: 0o755 });
		const config = stdioConfig({ command: "tool", args: [] });
		vi.stubEnv("PATH", `${a.path}:/usr/bin:/bin`);
		const approved = await hashIn(config, a);
		expect(await placeOf(definition("own", config), [a])).toBe(a.path);
		vi.stubEnv("PATH", `${path.join(root, "link")}:/usr/bin:/bin`);
		expect(await placeOf(definition("own", config), [b])).toBe(b.path);
		expect(await hashIn(config, b)).not.toBe(approved);
		// Its own values are approved as written, except for those that it takes from the environment.
		const [own, mixed] = [`${b.path}:/bin`, "${env:PATH}:/bin"].map((searched) =>
			stdioConfig({ command: "tool", args: [], env: { PATH: searched } }),
		);
		expect(await placeOf(definition("own", own), [b])).toBeUndefined();
		expect(await placeOf(definition("own", mixed), [b])).toBe(b.path);
		// Another command, or none in the folder.
		expect(await placeOf(definition("own", stdioConfig({ command: "sh", args: [] })), [b])).toBeUndefined();
	});

	it("also when a link is redirected between the approval and the start", async () => {
		const link = path.join(root, "turned");
		symlinkSync(a.path, link);
		vi.stubEnv("TOOLS", link);
		const start = async (bound: ServerDefinition): Promise<unknown> =>
			resolveVariables(bound, {
				folders: [a, b],
				isWorkspaceTrusted: () => true,
				environment: process.env,
				input: () => Promise.resolve(undefined),
			});
		const [approved, harmless] = await Promise.all(
			[tool, path.join("${env:HOME}", "run.js")].map((text) =>
				bindToPlace(definition("own", stdioConfig({ args: [text] })), [a, b]),
			),
		);
		await expect(start(approved as ServerDefinition)).resolves.toBeDefined();
		rmSync(link);
		symlinkSync(b.path, link);
		await expect(start(approved as ServerDefinition)).rejects.toThrow("the open folders or linked files changed");
		// Nor one that led nowhere when it was approved.
		vi.stubEnv("HOME", b.path);
		await expect(start(harmless as ServerDefinition)).rejects.toThrow("the open folders or linked files changed");
	});

	it("and holds no value of a variable", async () => {
		vi.stubEnv("TOOLS", path.join(b.path, "hunter2"));
		expect(await placeOf(definition("own", stdioConfig({ args: [tool] })), [b])).toBe(b.path);
	});
});
