import { posix, win32 } from "node:path";
import { comparedPath } from "../../base/folderPaths.ts";
import type { ForeignHostId } from "../../servers/formats/hosts.ts";

/** A file in which a host may keep servers. */
export interface HostFile {
	readonly host: ForeignHostId;
	readonly path: string;
}

/** A folder of which each file may hold servers of a host. */
export interface HostFolder {
	readonly host: ForeignHostId;
	readonly path: string;
	/** How the names of its files end. */
	readonly endings: readonly string[];
}

/** The machine on which files are looked for. */
export interface HostMachine {
	readonly platform: NodeJS.Platform;
	readonly home: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** The folders that are open. */
	readonly folders: readonly string[];
	/** The `.code-workspace` file that is open. */
	readonly workspaceFile?: string;
	/** The folder of this editor's own settings, where it is on this machine: another one than usual in a portable editor. */
	readonly editorFolder?: string;
}

/** The places of files by the home folder, with `/`: as each host's own documentation says. */
const atHome: readonly (readonly [ForeignHostId, ...string[]])[] = [
	["claude-code", ".claude.json"],
	["cursor", ".cursor/mcp.json"],
	["windsurf", ".codeium/windsurf/mcp_config.json"],
	["copilot-cli", ".copilot/mcp-config.json"],
	["gemini", ".gemini/settings.json"],
	["codex", ".codex/config.toml"],
	["cline", ".cline/data/settings/cline_mcp_settings.json"],
	["goose", ".config/goose/config.yaml"],
	["zed", ".config/zed/settings.json"],
	["opencode", ".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
	["kilo", ".config/kilo/kilo.json", ".config/kilo/kilo.jsonc"],
	["mcphost", ".mcphost.yml", ".mcphost.yaml", ".mcphost.json"],
	["lm-studio", ".lmstudio/mcp.json", ".cache/lm-studio/mcp.json"],
	["kiro", ".kiro/settings/mcp.json", ".aws/amazonq/mcp.json"],
	[
		"antigravity",
		".gemini/config/mcp_config.json",
		".gemini/antigravity-cli/mcp_config.json",
		".gemini/antigravity/mcp_config.json",
	],
	["grok", ".grok/config.toml"],
	["continue", ".continue/config.yaml", ".continue/config.json"],
	["junie", ".junie/mcp/mcp.json"],
	["inspector", ".mcp-inspector/mcp.json"],
	["kimi", ".kimi-code/mcp.json"],
	["pi", ".pi/agent/mcp.json"],
	["mastra", ".mastracode/mcp.json"],
	["mcporter", ".mcporter/mcporter.json"],
	["visual-studio", ".mcp.json"],
	["mcphost", ".mcp.yml", ".mcp.yaml"],
];

/** The same by a folder that is open; `.vscode/mcp.json` and `.mcp.json` are read there anyway. */
const inFolder: readonly (readonly [ForeignHostId, ...string[]])[] = [
	["cursor", ".cursor/mcp.json"],
	["gemini", ".gemini/settings.json"],
	["codex", ".codex/config.toml"],
	["roo", ".roo/mcp.json"],
	["kiro", ".kiro/settings/mcp.json"],
	["zed", ".zed/settings.json"],
	["opencode", "opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
	["kilo", "kilo.json", "kilo.jsonc"],
	["antigravity", ".agents/mcp_config.json"],
	["mcphost", ".mcphost.yml", ".mcphost.yaml", ".mcphost.json"],
	["junie", ".junie/mcp/mcp.json"],
	["grok", ".grok/config.toml"],
	["kimi", ".kimi-code/mcp.json"],
];

/** The names of VS Code's editions, as their folders have them. */
const editions = ["Code", "Code - Insiders", "VSCodium"];
/** Extensions of VS Code that are hosts, with their file in its global storage. */
const inStorage: readonly (readonly [ForeignHostId, string])[] = [
	["cline", "saoudrizwan.claude-dev/settings/cline_mcp_settings.json"],
	["roo", "rooveterinaryinc.roo-cline/settings/mcp_settings.json"],
];

/**
 * The files in which hosts keep servers on a machine, existing or not, each once; for each host, the file that takes
 * precedence is first. Nothing is read.
 */
export function hostFiles(machine: HostMachine): readonly HostFile[] {
	const { platform, home, environment, folders, workspaceFile, editorFolder } = machine;
	const join = joinOn(platform);
	const files: HostFile[] = [];
	const add = (host: ForeignHostId, ...parts: readonly string[]): void =>
		void files.push({ host, path: join(...parts) });
	const data = appData(machine);
	add("claude-desktop", data, "Claude/claude_desktop_config.json");
	const editors = [
		...(editorFolder === undefined ? [] : [editorFolder]),
		...editions.map((name) => join(data, name, "User")),
	];
	for (const editor of editors) add("vscode", editor, "mcp.json");
	const named: readonly (readonly [ForeignHostId, string | undefined])[] = [
		["copilot-cli", within(environment["COPILOT_HOME"], "mcp-config.json")],
		["codex", within(environment["CODEX_HOME"], "config.toml")],
		["cline", environment["CLINE_MCP_SETTINGS_PATH"]],
		["claude-code", within(environment["CLAUDE_CONFIG_DIR"], ".claude.json")],
		["opencode", environment["OPENCODE_CONFIG"]],
	];
	for (const [host, path] of named) if (path !== undefined && path !== "") add(host, path);
	const isLinux = platform !== "win32" && platform !== "darwin";
	for (const [host, ...paths] of atHome) {
		for (const path of paths) {
			// Where a user moved the folder, hosts for Linux look there alone.
			if (isLinux && path.startsWith(".config/")) add(host, data, path.slice(".config/".length));
			else add(host, home, path);
		}
	}
	if (platform === "win32") {
		add("goose", data, "Block/goose/config/config.yaml");
		add("zed", data, "Zed/settings.json");
	}
	for (const editor of editors) for (const [host, path] of inStorage) add(host, editor, "globalStorage", path);
	for (const folder of folders)
		for (const [host, ...paths] of inFolder) for (const path of paths) add(host, folder, path);
	if (workspaceFile !== undefined) add("vscode", workspaceFile);
	const known = new Set<string>();
	return files.filter(({ path }) => {
		const compared = comparedPath(path, platform);
		return !known.has(compared) && known.add(compared);
	});

	function within(folder: string | undefined, name: string): string | undefined {
		return folder === undefined || folder === "" ? undefined : join(folder, name);
	}
}

/** The folders whose files each may hold servers. */
export function hostFolders({ platform, home, folders, ...machine }: HostMachine): readonly HostFolder[] {
	const join = joinOn(platform);
	const blocks = [home, ...folders].map((folder): HostFolder => ({
		host: "continue",
		path: join(folder, ".continue/mcpServers"),
		endings: [".yaml", ".yml", ".json"],
	}));
	if (machine.editorFolder === undefined) return blocks;
	// Each profile of VS Code has a folder, and its file there.
	const path = join(machine.editorFolder, "profiles");
	return [...blocks, { host: "vscode", path, endings: ["/mcp.json"] }];
}

/** Where programs store user settings. */
function appData({ platform, home, environment }: HostMachine): string {
	if (platform === "win32") return environment["APPDATA"] ?? win32.join(home, "AppData", "Roaming");
	if (platform === "darwin") return posix.join(home, "Library", "Application Support");
	return environment["XDG_CONFIG_HOME"] ?? posix.join(home, ".config");
}

function joinOn(platform: NodeJS.Platform): (...parts: readonly string[]) => string {
	return (...parts) => (platform === "win32" ? win32 : posix).join(...parts);
}
