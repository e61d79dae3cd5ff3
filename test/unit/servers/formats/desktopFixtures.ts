import type { HostFixture } from "./hostFixtures.ts";

const url = "https://mcp.example.com/mcp";
const json = (value: unknown): string => JSON.stringify(value, undefined, "\t");

/** Configurations of editors, and of other hosts with windows. */
export const desktopFixtures: readonly HostFixture[] = [
	{
		host: "vscode",
		source: "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
		path: ".config/Code/User/mcp.json",
		text: `{
	// The inputs come first.
	"inputs": [{ "type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true }],
	"servers": {
		"perplexity": {
			"type": "stdio",
			"command": "npx",
			"args": ["-y", "server-perplexity-ask"],
			"env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}" },
			"envFile": "\${workspaceFolder}/.env",
		},
		"github": { "type": "http", "url": "${url}" },
	},
}`,
		servers: {
			perplexity: {
				type: "stdio",
				command: "npx",
				args: ["-y", "server-perplexity-ask"],
				env: { PERPLEXITY_API_KEY: "${input:perplexity-key}" },
				envFile: "${workspaceFolder}/.env",
			},
			github: { type: "http", url },
		},
	},
	{
		host: "claude-desktop",
		source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
		path: ".config/Claude/claude_desktop_config.json",
		text: json({
			mcpServers: {
				filesystem: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/Desktop"] },
			},
		}),
		servers: {
			filesystem: {
				type: "stdio",
				command: "npx",
				args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/Desktop"],
			},
		},
	},
	{
		host: "cursor",
		source: "https://cursor.com/docs/context/mcp",
		path: ".cursor/mcp.json",
		text: json({
			mcpServers: {
				"local-server": {
					command: "python",
					args: ["${workspaceFolder}/tools/mcp_server.py"],
					env: { API_KEY: "${env:API_KEY}" },
					envFile: "${userHome}/.env",
				},
				oauth: {
					url,
					auth: { CLIENT_ID: "${env:MCP_CLIENT_ID}", CLIENT_SECRET: "${env:MCP_CLIENT_SECRET}", scopes: ["read"] },
				},
			},
		}),
		servers: {
			"local-server": {
				type: "stdio",
				command: "python",
				args: ["${workspaceFolder}/tools/mcp_server.py"],
				env: { API_KEY: "${env:API_KEY}" },
				envFile: "${userHome}/.env",
			},
			oauth: {
				type: "http",
				url,
				oauth: { clientId: "${env:MCP_CLIENT_ID}", clientSecret: "${env:MCP_CLIENT_SECRET}", scopes: ["read"] },
			},
		},
	},
	{
		host: "windsurf",
		source: "https://docs.windsurf.com/windsurf/cascade/mcp",
		path: ".codeium/windsurf/mcp_config.json",
		text: json({
			mcpServers: {
				remote: { serverUrl: url, headers: { "API-Key": "Bearer ${env:AUTH_TOKEN}" } },
				github: { command: "npx", args: ["-y", "server-github"], disabled: true, disabledTools: ["delete_file"] },
			},
		}),
		servers: {
			remote: { type: "http", url, headers: { "API-Key": "Bearer ${env:AUTH_TOKEN}" } },
			github: { type: "stdio", command: "npx", args: ["-y", "server-github"] },
		},
		off: ["github"],
	},
	{
		host: "antigravity",
		source: "https://antigravity.google/docs/mcp",
		path: ".gemini/config/mcp_config.json",
		text: json({ mcpServers: { remote: { serverUrl: url } } }),
		servers: { remote: { type: "http", url } },
	},
	{
		host: "cline",
		source: "https://docs.cline.bot/mcp/configuring-mcp-servers",
		path: ".cline/data/settings/cline_mcp_settings.json",
		text: json({
			mcpServers: {
				"local-server": {
					command: "node",
					args: ["/path/to/server.js"],
					env: { API_KEY: "x" },
					autoApprove: ["tool1"],
					disabled: false,
				},
				"remote-server": {
					url: "https://mcp.example.com/sse",
					headers: { Authorization: "Bearer x" },
					timeout: 60,
					disabled: true,
				},
				streamable: { type: "streamableHttp", url },
			},
		}),
		servers: {
			"local-server": { type: "stdio", command: "node", args: ["/path/to/server.js"], env: { API_KEY: "x" } },
			"remote-server": { type: "sse", url: "https://mcp.example.com/sse", headers: { Authorization: "Bearer x" } },
			streamable: { type: "http", url },
		},
		off: ["remote-server"],
	},
	{
		host: "roo",
		source: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
		path: ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
		text: json({
			mcpServers: {
				"modern-server": {
					type: "streamable-http",
					url,
					headers: { "X-API-Key": "k" },
					alwaysAllow: ["tool3"],
					disabled: false,
				},
				local: { command: "npx", args: ["-y", "x"], watchPaths: ["/a/b.js"], disabledTools: ["t"] },
			},
		}),
		servers: {
			"modern-server": { type: "http", url, headers: { "X-API-Key": "k" } },
			local: { type: "stdio", command: "npx", args: ["-y", "x"] },
		},
	},
	{
		host: "zed",
		source: "https://zed.dev/docs/ai/mcp",
		path: ".config/zed/settings.json",
		text: `// Zed settings
{
	"theme": "One Dark",
	"context_servers": {
		"local-mcp-server": { "command": "some-command", "args": ["arg-1"], "env": {} },
		"older": { "command": { "path": "older-command", "args": ["a"], "env": { "A": "1" } }, "settings": {} },
		"remote-mcp-server": { "url": "${url}", "headers": { "Authorization": "Bearer <token>" } },
		"mcp-server-github": { "source": "extension", "enabled": true, "settings": {} },
	},
}
`,
		servers: {
			"local-mcp-server": { type: "stdio", command: "some-command", args: ["arg-1"] },
			older: { type: "stdio", command: "older-command", args: ["a"], env: { A: "1" } },
			"remote-mcp-server": { type: "http", url, headers: { Authorization: "Bearer <token>" } },
		},
		refused: ["mcp-server-github"],
	},
	{
		host: "lm-studio",
		source: "https://lmstudio.ai/docs/app/mcp",
		path: ".lmstudio/mcp.json",
		text: json({ mcpServers: { "hf-mcp-server": { url, headers: { Authorization: "Bearer <YOUR_HF_TOKEN>" } } } }),
		servers: { "hf-mcp-server": { type: "http", url, headers: { Authorization: "Bearer <YOUR_HF_TOKEN>" } } },
	},
	{
		host: "kiro",
		source: "https://kiro.dev/docs/mcp/configuration",
		path: ".kiro/settings/mcp.json",
		text: json({
			mcpServers: {
				"web-search": {
					command: "uvx",
					args: ["web"],
					env: { API_KEY: "${API_TOKEN}" },
					disabled: false,
					autoApprove: ["*"],
				},
				"api-server": {
					url,
					headers: { "X-Custom-Header": "value" },
					disabledTools: ["t"],
					oauth: { oauthScopes: ["read"] },
				},
			},
		}),
		servers: {
			"web-search": { type: "stdio", command: "uvx", args: ["web"], env: { API_KEY: "${env:API_TOKEN}" } },
			"api-server": { type: "http", url, headers: { "X-Custom-Header": "value" }, oauth: { scopes: ["read"] } },
		},
	},
	{
		host: "continue",
		source: "https://docs.continue.dev/customize/deep-dives/mcp",
		path: ".continue/mcpServers/playwright.yaml",
		text: `name: Playwright mcpServer
version: 0.0.1
schema: v1
mcpServers:
  - name: Browser search
    command: npx
    args:
      - "@playwright/mcp@latest"
    env:
      TOKEN: \${{ secrets.BROWSER_TOKEN }}
  - name: Remote
    type: streamable-http
    url: ${url}
    requestOptions:
      headers:
        Authorization: Bearer \${{ secrets.API_TOKEN }}
  - uses: anthropic/some-block
`,
		servers: {
			"Browser search": {
				type: "stdio",
				command: "npx",
				args: ["@playwright/mcp@latest"],
				env: { TOKEN: "${input:BROWSER_TOKEN}" },
			},
			Remote: { type: "http", url, headers: { Authorization: "Bearer ${input:API_TOKEN}" } },
		},
		refused: [""],
	},
	{
		host: "visual-studio",
		source: "https://learn.microsoft.com/visualstudio/ide/mcp-servers",
		path: ".mcp.json",
		text: json({ inputs: [], servers: { github: { type: "http", url } } }),
		servers: { github: { type: "http", url } },
	},
	{
		host: "junie",
		source: "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
		path: ".junie/mcp/mcp.json",
		text: json({ mcpServers: { git: { command: "uvx", args: ["mcp-server-git"] } } }),
		servers: { git: { type: "stdio", command: "uvx", args: ["mcp-server-git"] } },
	},
];
