import type { HostFixture } from "./hostFixtures.ts";

const url = "https://mcp.example.com/mcp";
const json = (value: unknown): string => JSON.stringify(value, undefined, "\t");

/** Configurations of the hosts that run in a terminal. */
export const terminalFixtures: readonly HostFixture[] = [
	{
		host: "claude-code",
		source: "https://code.claude.com/docs/en/mcp",
		path: ".claude.json",
		text: json({
			numStartups: 12,
			mcpServers: {
				"api-server": {
					type: "http",
					url: "${API_BASE_URL:-https://api.example.com}/mcp",
					headers: { Authorization: "Bearer ${API_KEY}" },
				},
				airtable: {
					command: "npx",
					args: ["-y", "airtable-mcp-server"],
					env: { AIRTABLE_API_KEY: "${AIRTABLE_API_KEY}" },
				},
			},
			projects: { "/home/me/other": { history: ["x"], mcpServers: {} } },
		}),
		servers: {
			"api-server": {
				type: "http",
				url: "${env:API_BASE_URL:-https://api.example.com}/mcp",
				headers: { Authorization: "Bearer ${env:API_KEY}" },
			},
			airtable: {
				type: "stdio",
				command: "npx",
				args: ["-y", "airtable-mcp-server"],
				env: { AIRTABLE_API_KEY: "${env:AIRTABLE_API_KEY}" },
			},
		},
	},
	{
		host: "copilot-cli",
		source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
		path: ".copilot/mcp-config.json",
		text: json({
			mcpServers: {
				playwright: { type: "local", command: "npx", args: ["@playwright/mcp@latest"], env: {}, tools: ["*"] },
				context7: { type: "http", url, headers: { CONTEXT7_API_KEY: "${CONTEXT7_API_KEY}" }, tools: ["query-docs"] },
			},
		}),
		servers: {
			playwright: { type: "stdio", command: "npx", args: ["@playwright/mcp@latest"] },
			context7: { type: "http", url, headers: { CONTEXT7_API_KEY: "${env:CONTEXT7_API_KEY}" } },
		},
	},
	{
		host: "gemini",
		source: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
		path: ".gemini/settings.json",
		text: json({
			theme: "Default",
			mcp: { allowed: ["pythonTools", "httpServer", "sse"], excluded: ["sse"] },
			mcpServers: {
				pythonTools: {
					command: "python",
					args: ["-m", "my_mcp_server"],
					env: { DATABASE_URL: "$DB_CONNECTION_STRING", API_KEY: "${EXTERNAL_API_KEY}" },
					cwd: "./mcp-servers/python",
					timeout: 15000,
					trust: true,
					includeTools: ["safe_tool"],
				},
				httpServer: { httpUrl: url, headers: { Authorization: "Bearer your-api-token" }, timeout: 5000 },
				sse: { url: "https://mcp.example.com/sse" },
			},
		}),
		servers: {
			pythonTools: {
				type: "stdio",
				command: "python",
				args: ["-m", "my_mcp_server"],
				env: { DATABASE_URL: "${env:DB_CONNECTION_STRING}", API_KEY: "${env:EXTERNAL_API_KEY}" },
				cwd: "./mcp-servers/python",
			},
			httpServer: { type: "http", url, headers: { Authorization: "Bearer your-api-token" } },
			sse: { type: "sse", url: "https://mcp.example.com/sse" },
		},
		off: ["sse"],
	},
	{
		host: "goose",
		source: "https://block.github.io/goose/docs/guides/config-files",
		path: ".config/goose/config.yaml",
		text: `GOOSE_PROVIDER: "anthropic"
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
  gdrive:
    type: stdio
    name: gdrive
    cmd: npx
    args:
      - -y
      - "@example/gdrive"
    enabled: true
    envs: { GDRIVE_OAUTH_PATH: /home/me/gdrive.json }
    env_keys: [GDRIVE_TOKEN]
    timeout: 300
  remote:
    type: streamable_http
    name: remote
    uri: ${url}
    enabled: false
    headers: {}
    available_tools: [search]
`,
		servers: {
			gdrive: {
				type: "stdio",
				command: "npx",
				args: ["-y", "@example/gdrive"],
				env: { GDRIVE_OAUTH_PATH: "/home/me/gdrive.json", GDRIVE_TOKEN: "${input:GDRIVE_TOKEN}" },
			},
			remote: { type: "http", url },
		},
		off: ["remote"],
		refused: ["developer"],
	},
	{
		host: "codex",
		source: "https://developers.openai.com/codex/mcp",
		path: ".codex/config.toml",
		text: `model = "gpt-5"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["LOCAL_TOKEN"]
startup_timeout_sec = 20

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_ENV_VALUE"

[mcp_servers.figma]
url = "${url}"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }
env_http_headers = { "X-Team" = "FIGMA_TEAM" }

[mcp_servers.chrome_devtools]
command = "chrome-devtools-mcp"
enabled_tools = ["open", "screenshot"]
disabled_tools = ["screenshot"]
tool_timeout_sec = 45
enabled = false
`,
		servers: {
			context7: {
				type: "stdio",
				command: "npx",
				args: ["-y", "@upstash/context7-mcp"],
				env: { MY_ENV_VAR: "MY_ENV_VALUE", LOCAL_TOKEN: "${env:LOCAL_TOKEN}" },
			},
			figma: {
				type: "http",
				url,
				headers: {
					"X-Figma-Region": "us-east-1",
					"X-Team": "${env:FIGMA_TEAM}",
					Authorization: "Bearer ${env:FIGMA_OAUTH_TOKEN}",
				},
			},
			chrome_devtools: { type: "stdio", command: "chrome-devtools-mcp" },
		},
		off: ["chrome_devtools"],
	},
	{
		host: "opencode",
		source: "https://opencode.ai/docs/mcp-servers",
		path: ".config/opencode/opencode.jsonc",
		text: `{
	"$schema": "https://opencode.ai/config.json",
	"mcp": {
		"my-local-mcp-server": {
			"type": "local",
			// Or ["bun", "x", "my-mcp-command"]
			"command": ["npx", "-y", "my-mcp-command"],
			"enabled": true,
			"environment": { "MY_ENV_VAR": "{env:MY_VAR}" },
		},
		"my-remote-mcp": {
			"type": "remote",
			"url": "${url}",
			"enabled": false,
			"headers": { "Authorization": "Bearer {file:~/.secrets/api-key}" },
		},
	},
}`,
		servers: {
			"my-local-mcp-server": {
				type: "stdio",
				command: "npx",
				args: ["-y", "my-mcp-command"],
				env: { MY_ENV_VAR: "${env:MY_VAR}" },
			},
			"my-remote-mcp": { type: "http", url, headers: { Authorization: "Bearer ${input:secrets-api-key}" } },
		},
		off: ["my-remote-mcp"],
	},
	{
		host: "mcphost",
		source: "https://github.com/mark3labs/mcphost/blob/main/README.md",
		path: ".mcphost.yml",
		text: `mcpServers:
  filesystem:
    type: "local"
    command: ["npx", "@modelcontextprotocol/server-filesystem", "\${env://WORK_DIR:-/tmp}"]
    environment: { DEBUG: "true" }
    allowedTools: ["read_file"]
  api:
    type: "remote"
    url: "${url}"
    headers: ["Authorization: Bearer \${env://API_TOKEN}"]
  todo:
    type: "builtin"
    name: "todo"
model: "ollama:qwen3"
`,
		servers: {
			filesystem: {
				type: "stdio",
				command: "npx",
				args: ["@modelcontextprotocol/server-filesystem", "${env:WORK_DIR:-/tmp}"],
				env: { DEBUG: "true" },
			},
			api: { type: "http", url, headers: { Authorization: "Bearer ${env:API_TOKEN}" } },
		},
		refused: ["todo"],
	},
];
