/** A host whose configurations are read, and its differences from other hosts. */
export interface ForeignHost {
	readonly id: string;
	readonly label: string;
	/** How it dials a URL without a type; absent where it tries Streamable HTTP first, as MCP Host does. */
	readonly plainUrlIs?: "sse";
	/** The unit of `timeout`. */
	readonly timeoutUnit?: "seconds" | "milliseconds";
	/** Whether it takes `$NAME` for a variable, without braces. */
	readonly hasDollarNames?: true;
	/** Whether the host generates the key of an entry, and its name is inside it. */
	readonly namesInside?: true;
	/** The names of its files, as the ends of their paths, in small letters with `/`. */
	readonly files: readonly string[];
}

/** The hosts by the documentation of their files. If two ends match a path, the longer counts. */
export const foreignHosts = [
	{ id: "vscode", label: "VS Code", files: [".vscode/mcp.json", "/user/mcp.json", ".code-workspace"] },
	{
		id: "claude-code",
		label: "Claude Code",
		timeoutUnit: "milliseconds",
		files: ["/.claude.json", "/.claude/settings.json"],
	},
	{ id: "claude-desktop", label: "Claude Desktop", files: ["claude_desktop_config.json"] },
	{ id: "copilot-cli", label: "Copilot CLI", files: ["/.copilot/mcp-config.json", "mcp-config.json"] },
	{ id: "cursor", label: "Cursor", files: [".cursor/mcp.json"] },
	{ id: "windsurf", label: "Windsurf", files: [".codeium/windsurf/mcp_config.json"] },
	{
		id: "antigravity",
		label: "Antigravity",
		files: [
			".gemini/config/mcp_config.json",
			".gemini/antigravity/mcp_config.json",
			".gemini/antigravity-cli/mcp_config.json",
			".agents/mcp_config.json",
		],
	},
	{
		id: "gemini",
		label: "Gemini CLI",
		plainUrlIs: "sse",
		timeoutUnit: "milliseconds",
		hasDollarNames: true,
		files: [".gemini/settings.json"],
	},
	{
		id: "cline",
		label: "Cline",
		plainUrlIs: "sse",
		timeoutUnit: "seconds",
		files: ["cline_mcp_settings.json"],
	},
	{
		id: "roo",
		label: "Roo Code",
		timeoutUnit: "seconds",
		files: ["rooveterinaryinc.roo-cline/settings/mcp_settings.json", ".roo/mcp.json"],
	},
	{ id: "zed", label: "Zed", timeoutUnit: "milliseconds", files: ["zed/settings.json"] },
	{
		id: "goose",
		label: "Goose",
		timeoutUnit: "seconds",
		files: ["goose/config.yaml", "goose/config/config.yaml"],
	},
	{ id: "codex", label: "Codex", timeoutUnit: "seconds", files: [".codex/config.toml"] },
	{ id: "grok", label: "Grok Build", timeoutUnit: "seconds", files: [".grok/config.toml"] },
	{ id: "lm-studio", label: "LM Studio", files: [".lmstudio/mcp.json", "lm-studio/mcp.json"] },
	{
		id: "kiro",
		label: "Kiro",
		timeoutUnit: "milliseconds",
		files: [".kiro/settings/mcp.json", ".aws/amazonq/mcp.json"],
	},
	{
		id: "opencode",
		label: "opencode",
		timeoutUnit: "milliseconds",
		files: ["/opencode.json", "/opencode.jsonc"],
	},
	{
		id: "kilo",
		label: "Kilo Code",
		timeoutUnit: "milliseconds",
		files: ["/kilo.json", "/kilo.jsonc"],
	},
	{ id: "continue", label: "Continue", files: [".continue/config.yaml", ".continue/config.json"] },
	{ id: "mcphost", label: "mcphost", files: ["/.mcphost.yml", "/.mcphost.yaml", "/.mcphost.json"] },
	{ id: "junie", label: "JetBrains Junie", files: [".junie/mcp/mcp.json"] },
	{ id: "inspector", label: "MCP Inspector", files: [".mcp-inspector/mcp.json"] },
	{
		id: "kimi",
		label: "Kimi Code",
		timeoutUnit: "milliseconds",
		files: [".kimi-code/mcp.json"],
	},
	{ id: "pi", label: "Pi", files: [".pi/agent/mcp.json"] },
	{ id: "mastra", label: "Mastra Code", files: [".mastracode/mcp.json"] },
	{ id: "visual-studio", label: "Visual Studio", files: [] },
	{ id: "mcporter", label: "MCPorter", files: [".mcporter/mcporter.json"] },
] as const satisfies readonly ForeignHost[];

/** Its configurations are known by their keys alone: they are copied out of it, and never a file. */
export const cherryStudio: ForeignHost = {
	id: "cherry-studio",
	label: "Cherry Studio",
	timeoutUnit: "seconds",
	namesInside: true,
	files: [],
};

/** The id of a host in the list. */
export type ForeignHostId = (typeof foreignHosts)[number]["id"];

/** The host with this id. */
export function foreignHost(id: ForeignHostId): ForeignHost {
	return foreignHosts.find((host) => host.id === id) ?? { id, label: id, files: [] };
}

/** The host that a hint means: its id, or the path or name of a file of its. Undefined for none that is known. */
export function hostOf(hint: string | undefined): ForeignHost | undefined {
	if (hint === undefined) return undefined;
	const path = `/${hint.replaceAll("\\", "/").toLowerCase()}`;
	let best: { readonly host: ForeignHost; readonly length: number } | undefined;
	for (const host of foreignHosts) {
		if (host.id === hint) return host;
		for (const end of host.files)
			if (path.endsWith(end) && end.length > (best?.length ?? 0)) best = { host, length: end.length };
	}
	return best?.host;
}
