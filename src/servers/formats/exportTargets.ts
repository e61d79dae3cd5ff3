import { foreignHost, foreignHosts, type ForeignHostId } from "./hosts.ts";
import type { Syntax } from "./syntax.ts";
import { styles, type VariableStyle } from "./writeVariables.ts";

/** Keys of an entry that some hosts have and others do not. */
export type OptionalKey = "cwd" | "envFile" | "description";

/** How a host writes servers down, by its documentation, in the terms of `readConfiguration`. */
export interface ExportTarget {
	readonly id: ForeignHostId;
	readonly label: string;
	/** The display name of the file. */
	readonly file: string;
	readonly syntax: Syntax;
	/** The keys that lead to the servers. */
	readonly keys: readonly string[];
	/** The other members of a file that holds only servers. */
	readonly frame?: Readonly<Record<string, string>>;
	/** Whether servers are in a list, with their names in them. */
	readonly isList?: true;
	/** The key for how a server is reached, and its values. Without such a key, the other keys decide. */
	readonly typeKey: "type" | "transport";
	readonly types: { readonly stdio?: string; readonly http?: string; readonly sse?: string };
	/** Why the file has no place for servers of a kind: the rest of the sentence “It was left out: …”. */
	readonly without?: { readonly remote?: string; readonly sse?: string };
	readonly commandKey: "command" | "cmd";
	/** Whether program and arguments are one list. */
	readonly hasCommandList?: true;
	readonly envKey: "env" | "environment" | "envs";
	readonly urlKeys: { readonly http: string; readonly sse: string };
	readonly headersAre: "headers" | "http_headers" | "lines" | "requestOptions";
	readonly off?: "disabled" | "enabled";
	readonly keeps: readonly OptionalKey[];
	/** Its names for the supported parts of a sign-in, by our names, and their places. */
	readonly signIn?: { readonly key: "oauth" | "auth"; readonly words: Readonly<Record<string, string>> };
	readonly variables: VariableStyle;
	/** Additional members of each entry. */
	readonly always?: { readonly tools?: readonly string[]; readonly source?: string };
	/** Whether it starts programs alone on Windows, and batch files such as `npx` only by `cmd /c`. */
	readonly startsProgramsOnly?: true;
	/** Whether everything in an entry is kept as written here, with its inputs. */
	readonly isOwn?: true;
	/** Whether only MCP Host reads it. */
	readonly isHere?: true;
	/** Ways of its own to name secrets and variables. */
	readonly secrets?: "codex" | "goose";
}

const usual = {
	syntax: "JSON",
	keys: ["mcpServers"],
	typeKey: "type",
	types: { sse: "sse" },
	commandKey: "command",
	envKey: "env",
	urlKeys: { http: "url", sse: "url" },
	headersAre: "headers",
	keeps: [],
	variables: styles.none,
} as const satisfies Partial<ExportTarget>;

const typed = { stdio: "stdio", http: "http", sse: "sse" } as const;
const editor = {
	keys: ["servers"],
	types: typed,
	variables: styles.editor,
	keeps: ["cwd", "envFile", "description"],
	isOwn: true,
} as const;
const opencode = {
	keys: ["mcp"],
	types: { stdio: "local", http: "remote", sse: "remote" },
	hasCommandList: true,
	envKey: "environment",
	off: "enabled",
	variables: styles.opencode,
} as const;
const serverUrl = { http: "serverUrl", sse: "serverUrl" } as const;
/** An address among local servers is nothing that these files know. */
const localOnly = { remote: "this file holds local servers only" } as const;

type Own = Partial<Omit<ExportTarget, "id" | "label">> & Pick<ExportTarget, "file">;

/** The members that each host writes differently from most. */
const own: Readonly<Record<ForeignHostId, Own>> = {
	vscode: { ...editor, file: ".vscode/mcp.json" },
	"visual-studio": { ...editor, file: ".mcp.json" },
	"claude-code": {
		file: ".mcp.json",
		types: { http: "http", sse: "sse" },
		// https://code.claude.com/docs/en/mcp, "On native Windows".
		startsProgramsOnly: true,
		variables: styles.shell,
		signIn: { key: "oauth", words: { clientId: "clientId", redirectPort: "callbackPort" } },
	},
	"claude-desktop": { file: "claude_desktop_config.json", without: localOnly },
	"copilot-cli": {
		file: "~/.copilot/mcp-config.json",
		types: { stdio: "local", http: "http", sse: "sse" },
		variables: styles.braces,
		keeps: ["cwd"],
		always: { tools: ["*"] },
	},
	cursor: {
		file: ".cursor/mcp.json",
		variables: styles.cursor,
		keeps: ["envFile"],
		signIn: { key: "auth", words: { clientId: "CLIENT_ID", clientSecret: "CLIENT_SECRET", scopes: "scopes" } },
	},
	windsurf: {
		file: "~/.codeium/windsurf/mcp_config.json",
		urlKeys: serverUrl,
		off: "disabled",
		variables: styles.windsurf,
	},
	antigravity: { file: ".agents/mcp_config.json", urlKeys: serverUrl, off: "disabled" },
	gemini: {
		file: ".gemini/settings.json",
		types: {},
		urlKeys: { http: "httpUrl", sse: "url" },
		keeps: ["cwd", "description"],
		variables: styles.dollars,
		signIn: { key: "oauth", words: { clientId: "clientId", clientSecret: "clientSecret", scopes: "scopes" } },
	},
	cline: {
		file: "cline_mcp_settings.json",
		types: { http: "streamableHttp", sse: "sse" },
		off: "disabled",
		keeps: ["cwd"],
	},
	roo: {
		file: ".roo/mcp.json",
		types: { http: "streamable-http", sse: "sse" },
		off: "disabled",
		keeps: ["cwd"],
		variables: styles.roo,
	},
	zed: { file: "zed/settings.json", keys: ["context_servers"], off: "enabled", always: { source: "custom" } },
	goose: {
		file: "~/.config/goose/config.yaml",
		syntax: "YAML",
		keys: ["extensions"],
		types: { stdio: "stdio", http: "streamable_http", sse: "sse" },
		commandKey: "cmd",
		envKey: "envs",
		urlKeys: { http: "uri", sse: "uri" },
		off: "enabled",
		keeps: ["description"],
		secrets: "goose",
	},
	codex: {
		file: ".codex/config.toml",
		syntax: "TOML",
		keys: ["mcp_servers"],
		types: {},
		without: { sse: "Codex does not support HTTP+SSE" },
		headersAre: "http_headers",
		off: "enabled",
		keeps: ["cwd"],
		secrets: "codex",
	},
	grok: { file: ".grok/config.toml", syntax: "TOML", keys: ["mcp_servers"], off: "enabled" },
	"lm-studio": { file: "~/.lmstudio/mcp.json" },
	kiro: { file: ".kiro/settings/mcp.json", off: "disabled", variables: styles.braces },
	opencode: { ...opencode, file: "opencode.json" },
	kilo: { ...opencode, file: "kilo.json" },
	continue: {
		file: ".continue/mcpServers/servers.yaml",
		syntax: "YAML",
		frame: { name: "MCP servers", version: "0.0.1", schema: "v1" },
		isList: true,
		types: { http: "streamable-http", sse: "sse" },
		headersAre: "requestOptions",
		keeps: ["cwd"],
		variables: styles.continue,
	},
	mcphost: {
		file: "~/.mcphost.yml",
		syntax: "YAML",
		types: { stdio: "local", http: "remote", sse: "remote" },
		hasCommandList: true,
		envKey: "environment",
		headersAre: "lines",
		variables: styles.mcphost,
	},
	junie: { file: ".junie/mcp/mcp.json", without: localOnly },
	inspector: { file: "~/.mcp-inspector/mcp.json", types: { http: "streamable-http", sse: "sse" } },
	kimi: { file: ".kimi-code/mcp.json", typeKey: "transport", types: typed },
	pi: { file: "~/.pi/agent/mcp.json", variables: styles.braces },
	mastra: { file: "~/.mastracode/mcp.json" },
	mcporter: { file: "~/.mcporter/mcporter.json", types: { http: "http", sse: "sse" }, variables: styles.shell },
};

/** The formats that servers are written in: all that `readConfiguration` reads. */
export const exportTargets: readonly ExportTarget[] = foreignHosts.map(({ id }) => exportTarget(id));

/** The format of a host. */
export function exportTarget(id: ForeignHostId): ExportTarget {
	return { ...usual, ...own[id], id, label: foreignHost(id).label };
}

/** The form that a page prints for any host: the shape that most of them share, with placeholders. */
export const pageTarget: ExportTarget = {
	...usual,
	id: "claude-desktop",
	label: "the snippet",
	file: "README.md",
	types: { http: "http", sse: "sse" },
};
