/** The files of other hosts are found and read (IMP-04). */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { foreignHosts } from "../../../../src/servers/formats/hosts.ts";
import { hostFiles, hostFolders, type HostMachine } from "../../../../src/setup/entries/hostFiles.ts";
import { findHostFiles, readHostFiles } from "../../../../src/setup/entries/importSources.ts";
import { hostFixtures } from "../../servers/formats/hostFixtures.ts";

const machine: HostMachine = { platform: "linux", home: "/home/me", environment: {}, folders: ["/work/app"] };
const pathsOf = (changes: Partial<HostMachine>): readonly string[] =>
	hostFiles({ ...machine, ...changes }).map(({ path }) => path);

describe("The places of other hosts' files (IMP-04)", () => {
	it("are those of every host, each once", () => {
		const files = hostFiles(machine);
		const hosts = new Set([...files, ...hostFolders(machine)].map(({ host }) => host));
		expect(foreignHosts.map(({ id }) => id).filter((id) => !hosts.has(id))).toEqual([]);
		expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
	});

	it("follow the system", () => {
		expect(pathsOf({})).toContain("/home/me/.config/Claude/claude_desktop_config.json");
		expect(pathsOf({ environment: { XDG_CONFIG_HOME: "/x" } })).toEqual(
			expect.arrayContaining(["/x/Code/User/mcp.json", "/x/goose/config.yaml", "/home/me/.codex/config.toml"]),
		);
		expect(pathsOf({ platform: "darwin", home: "/Users/me" })).toContain(
			"/Users/me/Library/Application Support/Claude/claude_desktop_config.json",
		);
		const windows = pathsOf({ platform: "win32", home: String.raw`C:\Users\me`, folders: [] });
		expect(windows).toContain(String.raw`C:\Users\me\AppData\Roaming\Claude\claude_desktop_config.json`);
		expect(windows).toContain(String.raw`C:\Users\me\AppData\Roaming\Block\goose\config\config.yaml`);
		expect(windows).toContain(String.raw`C:\Users\me\.cursor\mcp.json`);
	});

	it("are each there once on Windows, however the letter of the drive is written", () => {
		const data = String.raw`C:\Users\me\AppData\Roaming`;
		const files = pathsOf({
			platform: "win32",
			home: String.raw`C:\Users\me`,
			environment: { APPDATA: data },
			// As VS Code writes its own folder.
			editorFolder: String.raw`c:\Users\me\AppData\Roaming\Code\User`,
			folders: [],
		});
		const own = files.filter((file) => /\\Code\\User\\mcp\.json$/i.test(file));
		expect(own).toEqual([String.raw`c:\Users\me\AppData\Roaming\Code\User\mcp.json`]);
	});

	it("follow the variables with which hosts are configured, and the editor's own folder", () => {
		const environment = { CODEX_HOME: "/c", COPILOT_HOME: "/g", CLINE_MCP_SETTINGS_PATH: "/l.json" };
		expect(pathsOf({ environment })).toEqual(
			expect.arrayContaining(["/c/config.toml", "/g/mcp-config.json", "/l.json", "/home/me/.codex/config.toml"]),
		);
		expect(pathsOf({ editorFolder: "/portable/User" })).toEqual(
			expect.arrayContaining([
				"/portable/User/mcp.json",
				"/portable/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
			]),
		);
	});

	it("do not include those that are read anyway", () => {
		expect(pathsOf({})).not.toContain("/work/app/.vscode/mcp.json");
		expect(pathsOf({})).not.toContain("/work/app/.mcp.json");
		expect(pathsOf({})).toContain("/work/app/.cursor/mcp.json");
	});
});

describe("The existing files (IMP-04)", () => {
	const home = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-host-import-")));
	afterAll(() => rmSync(home, { recursive: true, force: true }));
	const folder = path.join(home, "work");
	const here: HostMachine = { ...machine, home, folders: [folder], editorFolder: path.join(home, "editor/User") };
	const write = (file: string, text: string): void => {
		mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
		writeFileSync(path.join(home, file), text);
	};

	it("of every host are found and read; folders, empty files and files without servers are skipped", async () => {
		for (const { path: file, text } of hostFixtures) write(file, text);
		write(".grok/config.toml", "");
		write(".pi/agent/mcp.json", '{"theme": "dark"}');
		mkdirSync(path.join(home, ".mastracode/mcp.json"), { recursive: true });
		symlinkSync(path.join(home, "nowhere"), path.join(home, ".mcporter"));
		const files = await findHostFiles(here);
		const fromHome = (file: string): string => path.relative(home, file).replaceAll(path.sep, "/");
		expect(new Set(files.map(({ path: file }) => fromHome(file)))).toEqual(
			new Set([...hostFixtures.map(({ path: file }) => file), ".pi/agent/mcp.json"]),
		);
		const sources = await readHostFiles(files, here);
		const names = new Map(
			sources.map(({ path: file, found }) => [fromHome(file), found.servers.map(({ name }) => name)]),
		);
		for (const { path: file, servers } of hostFixtures) expect(names.get(file)).toEqual(Object.keys(servers));
		expect(sources.every(({ isOwn }) => isOwn)).toBe(true);
		expect(sources).toHaveLength(hostFixtures.length);
	});

	it("of an open folder, of a profile of the editor and of a host's own folder are found as well", async () => {
		write("work/.cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}');
		write("editor/User/profiles/abc/mcp.json", '{"servers": {"b": {"command": "x"}}}');
		write("work/.continue/mcpServers/c.json", '{"mcpServers": {"c": {"command": "x"}}}');
		write("all.code-workspace", '{"folders": [], "settings": {"mcp": {"servers": {"d": {"command": "x"}}}}}');
		const open: HostMachine = { ...here, workspaceFile: path.join(home, "all.code-workspace") };
		const sources = await readHostFiles(await findHostFiles(open), open);
		const found = new Map(
			sources.flatMap(({ heading, isOwn, found: { servers } }) => servers.map(({ name }) => [name, [heading, isOwn]])),
		);
		expect(["a", "b", "c", "d"].map((name) => found.get(name))).toEqual([
			["Cursor", false],
			["VS Code", true],
			["Continue", false],
			["VS Code", false],
		]);
	});

	it("provide servers of other folders only when one of those is open", async () => {
		const text = JSON.stringify({
			mcpServers: { everywhere: { command: "x" } },
			projects: {
				[folder]: { mcpServers: { here: { command: "x" } } },
				"/else": { mcpServers: { there: { command: "x" } } },
			},
		});
		write(".claude.json", text);
		const [source] = await readHostFiles([{ host: "claude-code", path: path.join(home, ".claude.json") }], here);
		expect(source?.found.servers.map(({ name }) => name)).toEqual(["everywhere", "here"]);
		expect(source?.found.refused.map(({ reason }) => reason)).toEqual([
			"1 more server is used by Claude Code in other folders only. Open one of these folders to import from it.",
		]);
	});
});
