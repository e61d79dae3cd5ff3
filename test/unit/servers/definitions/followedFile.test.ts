/** Files of other hosts that are used in place (IMP-03). */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import { whyLeftOut } from "../../../../src/servers/definitions/editorLimits.ts";
import { followedOrigin, followedPaths, parseFollowed } from "../../../../src/servers/definitions/followedFile.ts";
import { makeHost } from "../hostScene.ts";

const codex: ConfigOrigin = {
	kind: "followed",
	label: "Codex",
	file: "/home/me/.codex/config.toml",
	isWorkspace: false,
};
const claude: ConfigOrigin = { ...codex, label: "Claude Code", file: "/home/me/.claude.json" };

describe("A followed file (IMP-03)", () => {
	it("of any format provides its servers, distinguished by its place", () => {
		const text =
			'[mcp_servers.a]\ncommand = "npx"\nargs = ["x"]\nenv_vars = ["TOKEN"]\n[mcp_servers.a.tools.t]\napproval_mode = "approve"';
		const { definitions, problems, isIntact } = parseFollowed(codex, text);
		expect(definitions).toMatchObject([
			{
				id: "followed:/home/me/.codex/config.toml#a",
				config: { command: "npx", args: ["x"], env: { TOKEN: "${env:TOKEN}" } },
			},
		]);
		expect([problems, isIntact]).toEqual([[], true]);
	});

	it("of Goose asks for the values in that host's keyring, and ignores its own parts", () => {
		const text =
			"extensions:\n  developer: {type: builtin, name: developer, enabled: true}\n  a: {type: stdio, cmd: x, env_keys: [KEY], enabled: true}";
		const { definitions, problems } = parseFollowed({ ...codex, file: "/home/me/.config/goose/config.yaml" }, text);
		expect(definitions).toMatchObject([{ name: "a", inputs: [{ id: "KEY", isPassword: true }] }]);
		expect(problems).toEqual([]);
	});

	it("has its problems reported on their lines", () => {
		const text = '{\n"mcpServers": {"a": {"command": "x", "cwd": 1}, "b": {"type": "ws"}, "c": {"command": "y"}}}';
		const { definitions, problems } = parseFollowed(claude, text);
		expect(definitions.map(({ name }) => name)).toEqual(["a", "c"]);
		expect(
			problems.map(({ range, server }) => [range && text.slice(range.offset, range.offset + range.length), server]),
		).toEqual([['"b"', "b"]]);
	});

	it("provides neither servers that are turned off there nor those of another folder", () => {
		const text = JSON.stringify({
			mcpServers: { a: { command: "x", disabled: true }, b: { command: "y" } },
			projects: { "/p": { mcpServers: { c: { command: "z" } } } },
		});
		const { definitions } = parseFollowed(claude, text);
		expect(definitions.filter((one) => one.isOff !== true).map(({ name }) => name)).toEqual(["b"]);
	});

	it("that is broken or empty for a moment stops nothing, and one without servers has none (CFG-20)", async () => {
		const host = makeHost();
		const configure = (text: string): Promise<readonly { severity: string; message: string }[]> =>
			host.configure([{ origin: claude, parsed: parseFollowed(claude, text) }], false);
		const names = () => host.registry.sessions.map(({ definition: { name } }) => name);
		await configure('{"mcpServers": {"a": {"command": "x"}}}');
		expect(names()).toEqual(["a"]);
		expect(await configure('{"mcpServers": {"a": {"comm')).toMatchObject([{ severity: "warning" }]);
		expect(names()).toEqual(["a"]);
		expect(await configure("")).toEqual([]);
		expect(names()).toEqual(["a"]);
		expect(await configure('{"numStartups": 3}')).toMatchObject([
			{ message: "MCP Host found no servers in .claude.json." },
		]);
		expect(names()).toEqual([]);
		host.dispose();
	});

	it("provides none that an organization does not allow, and reports it on its line (REG-02)", () => {
		const text = '{"mcpServers": {"a": {"command": "npx", "args": ["bad"]}, "b": {"url": "https://b.example"}}}';
		const under = (policies: Readonly<Record<string, unknown>>) => {
			const settings = { inspect: () => ({}), get: (name: string) => policies[name] };
			const { definitions, problems, isIntact } = parseFollowed(claude, text, (server) =>
				whyLeftOut(settings, server, false),
			);
			expect(isIntact).toBe(true);
			return [definitions.map(({ name }) => name), problems.map(({ server, message }) => [server, message])];
		};
		const left = (server: string, why: string) => [server, expect.stringContaining(`Your ${why}`) as string];
		expect(under({})).toEqual([["a", "b"], []]);
		expect(under({ "chat.mcp.deniedServers": [{ serverCommand: ["npx", "bad"] }] })).toEqual([
			["b"],
			[left("a", "organization does not allow the server “a” (chat.mcp.deniedServers)")],
		]);
		expect(under({ "chat.mcp.allowedServers": [{ serverUrl: "https://b.example" }] })).toEqual([
			["b"],
			[left("a", "organization allows only")],
		]);
		for (const [access, why] of [
			["none", "organization has turned off MCP servers"],
			["registry", "organization allows only servers from its registry"],
		] as const)
			expect(under({ "chat.mcp.access": access })).toEqual([[], [left("a", why), left("b", why)]]);
	});

	it("asks again after any change", async () => {
		const before = parseFollowed(claude, '{"mcpServers": {"a": {"command": "x"}}}').definitions[0];
		const after = parseFollowed(claude, '{"mcpServers": {"a": {"command": "x", "args": ["y"]}}}').definitions[0];
		expect(after?.id).toBe(before?.id);
		expect(after?.hash).not.toBe(before?.hash);
	});
});

describe("The place of a followed file (IMP-03)", () => {
	const root = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-host-followed-")));
	afterAll(() => rmSync(root, { recursive: true, force: true }));

	it("is named by absolute paths and paths that begin with ~", () => {
		expect(
			followedPaths(["~/.cursor/mcp.json", "/a/../b.json", "c.json", 1, "~other/x", "/b.json"], "/home/me"),
		).toEqual([path.resolve("/home/me/.cursor/mcp.json"), path.resolve("/b.json")]);
		expect(followedPaths("x")).toEqual([]);
	});

	it("names its owner, and is the workspace's within its folder, also behind links", async () => {
		expect(await followedOrigin(path.join(homedir(), ".cursor/mcp.json"), [root])).toEqual({
			kind: "followed",
			label: "Cursor, ~/.cursor/mcp.json",
			file: path.join(homedir(), ".cursor/mcp.json"),
			isWorkspace: false,
		});
		const folder = path.join(root, "ws");
		mkdirSync(folder);
		writeFileSync(path.join(folder, "servers.json"), "{}");
		symlinkSync(path.join(folder, "servers.json"), path.join(root, "link.json"));
		for (const file of [path.join(folder, "servers.json"), path.join(root, "link.json")])
			expect(await followedOrigin(file, [folder])).toMatchObject({ isWorkspace: true, folder });
		expect(await followedOrigin(path.join(root, "servers.json"), [folder])).toMatchObject({ isWorkspace: false });
	});
});
