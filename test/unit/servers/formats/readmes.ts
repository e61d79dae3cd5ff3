/**
 * Excerpts in the shape of the pages of server packages, in our own words, and the expected offers of a paste of each.
 * `~` before a server means that it is offered and not ticked.
 */
const fenced = (language: string, ...lines: readonly string[]): string =>
	["```" + language, ...lines, "```"].join("\n");
const json = (value: unknown): string => fenced("json", JSON.stringify(value, undefined, 2));
const page = (...parts: readonly string[]): string => ["# A server", ...parts].join("\n\n");
const npx = (name: string, ...args: readonly string[]) => ({ command: "npx", args: ["-y", name, ...args] });

export const readmes: readonly (readonly [what: string, text: string, offered: readonly string[]])[] = [
	[
		"memory: configuration, Docker as another way, a build",
		page(
			json({ mcpServers: { memory: npx("@modelcontextprotocol/server-memory") } }),
			json({ mcpServers: { memory: { command: "docker", args: ["run", "-i", "--rm", "mcp/memory"] } } }),
			fenced("sh", "docker build -t mcp/memory -f src/memory/Dockerfile ."),
		),
		["memory: npx -y @modelcontextprotocol/server-memory", "~ memory: docker run -i --rm mcp/memory"],
	],
	[
		"filesystem: the same for two hosts",
		page(
			json({ mcpServers: { filesystem: npx("@modelcontextprotocol/server-filesystem", "/data") } }),
			json({ servers: { filesystem: npx("@modelcontextprotocol/server-filesystem", "/data") } }),
		),
		["filesystem: npx -y @modelcontextprotocol/server-filesystem /data"],
	],
	[
		"everything: commands of transports alone",
		page(
			fenced("shell", "npx @modelcontextprotocol/server-everything stdio"),
			fenced("shell", "cd src/everything", "npm install", "npm run start:sse"),
		),
		["npx @modelcontextprotocol/server-everything stdio"],
	],
	[
		"a set-up wizard first, then a configuration",
		page(
			fenced("bash", "npx @acme/commander-mcp@latest setup"),
			json({ mcpServers: { commander: npx("@acme/commander-mcp@latest") } }),
			fenced("bash", "npx @acme/commander-mcp@latest remove"),
		),
		["commander: npx -y @acme/commander-mcp@latest"],
	],
	["a set-up wizard alone", page(fenced("bash", "npx -y tasks-mcp init", "npx create-mcp-server my-server")), []],
	[
		"packages of the system, a cache, a configuration",
		page(
			fenced("bash", "sudo apt update", "sudo apt install -y nodejs npm"),
			fenced("bash", "npm cache clean --force"),
			fenced("bash", "sudo npm install -g acme-mcp"),
			json({ mcpServers: { acme: { command: "acme-mcp" } } }),
		),
		["acme: acme-mcp"],
	],
	[
		"headers of requests",
		page(
			fenced("", "Authorization: Bearer YOUR_TOKEN"),
			fenced("http", "POST /mcp HTTP/1.1", "Content-Type: application/json", "Mcp-Session-Id: 1"),
			json({ mcpServers: { acme: { type: "http", url: "https://mcp.acme.example/mcp" } } }),
		),
		["acme: https://mcp.acme.example/mcp"],
	],
	[
		"a bridge to a remote server",
		page(json({ mcpServers: { remote: npx("mcp-remote", "https://mcp.acme.example/sse") } })),
		["remote: npx -y mcp-remote https://mcp.acme.example/sse"],
	],
	[
		"commands of hosts",
		page(
			fenced("bash", "claude mcp add docs -- npx -y docs-mcp"),
			fenced("bash", "claude mcp list"),
			fenced("bash", "codex mcp add docs -- npx -y docs-mcp"),
		),
		["docs: npx -y docs-mcp"],
	],
	[
		"the Inspector, and tests",
		page(
			json({ mcpServers: { time: { command: "uvx", args: ["mcp-server-time"] } } }),
			fenced("bash", "npx @modelcontextprotocol/inspector uvx mcp-server-time"),
			fenced("bash", "uv run pytest", "uv sync --dev", "uv build"),
		),
		["time: uvx mcp-server-time"],
	],
	[
		"Python from pip or uvx",
		page(
			fenced("bash", "pip install mcp-server-git"),
			fenced("bash", "python -m mcp_server_git"),
			json({ mcpServers: { git: { command: "uvx", args: ["mcp-server-git"] } } }),
		),
		["git: uvx mcp-server-git"],
	],
	[
		"a source build alone",
		page(
			fenced("bash", "git clone https://github.com/acme/x", "cd x", "npm ci && npm run build", "node dist/index.js"),
		),
		["~ node dist/index.js"],
	],
	[
		"versions that are checked",
		page(
			fenced("bash", "node --version", "npx --version", "python --version"),
			fenced("bash", "npx -y weather-mcp-server"),
		),
		["npx -y weather-mcp-server"],
	],
	[
		"an image",
		page(
			fenced("bash", "docker pull ghcr.io/acme/mcp"),
			fenced("bash", "docker run -i --rm -e TOKEN ghcr.io/acme/mcp"),
			fenced("bash", "docker compose up -d", "docker logs -f mcp"),
		),
		["docker run -i --rm -e TOKEN ghcr.io/acme/mcp"],
	],
	[
		"an image that serves HTTP",
		page(fenced("bash", "docker run -d -p 8080:8080 acme/mcp-http"), fenced("", "http://localhost:8080/mcp")),
		["~ docker run -d -p 8080:8080 acme/mcp-http", "http://localhost:8080/mcp"],
	],
	[
		"variables of a shell, and a command",
		page(fenced("bash", "export ACME_TOKEN=abc", "npx -y acme-mcp")),
		["npx -y acme-mcp"],
	],
	[
		"TOML beside JSON",
		page(
			json({ mcpServers: { search: npx("search-mcp") } }),
			fenced("toml", "[mcp_servers.search]", 'command = "npx"', 'args = ["-y", "search-mcp"]'),
		),
		["search: npx -y search-mcp"],
	],
	[
		"YAML of a host",
		page(fenced("yaml", "mcpServers:", "  - name: notes", "    command: uvx", "    args: [notes-mcp]")),
		["notes: uvx notes-mcp"],
	],
	[
		"a snippet below tools",
		page(json({ tools: { mcpServers: { maps: npx("maps-mcp") } } })),
		["maps: npx -y maps-mcp"],
	],
	[
		"a request to an endpoint of models",
		page(
			json({
				model: "m",
				input: "hello",
				tools: [
					{
						type: "mcp",
						server_label: "deepdocs",
						server_url: "https://mcp.docs.example/mcp",
						require_approval: "never",
					},
				],
			}),
		),
		["deepdocs: https://mcp.docs.example/mcp"],
	],
	[
		"messages of the protocol, and what tools take",
		page(
			json({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "add", arguments: { a: 1 } } }),
			json({ query: "cats", limit: 3 }),
			json({ mcpServers: { cats: npx("cats-mcp") } }),
		),
		["cats: npx -y cats-mcp"],
	],
	[
		"trees of files and output",
		page(
			fenced("", "src/", "├── index.ts", "└── server.ts"),
			fenced("", "Server running on stdio"),
			fenced("bash", "ls -la", "tail -n 20 -f ~/Library/Logs/Claude/mcp*.log"),
			json({ mcpServers: { files: npx("files-mcp") } }),
		),
		["files: npx -y files-mcp"],
	],
	[
		"a program of its own from a package manager",
		page(
			fenced("bash", "brew install acme/tap/acme-mcp"),
			fenced("bash", "acme-mcp --stdio"),
			fenced("bash", "acme login"),
		),
		["~ acme-mcp --stdio"],
	],
	[
		"Go and Rust",
		page(
			fenced("bash", "go install github.com/acme/mcp@latest", "cargo build --release"),
			fenced("bash", "cargo run --release", "go test ./..."),
			json({ mcpServers: { acme: { command: "/path/to/acme" } } }),
		),
		["acme: /path/to/acme"],
	],
	[
		"code of clients",
		page(
			fenced("ts", 'import { Client } from "x";', "const client = new Client({});", "await client.connect(transport);"),
			fenced("python", "import asyncio", "asyncio.run(main())"),
			json({ mcpServers: { x: npx("x-mcp") } }),
		),
		["x: npx -y x-mcp"],
	],
	[
		"installers for hosts",
		page(
			fenced("bash", "npx -y @smithery/cli install @acme/mcp --client claude"),
			fenced("bash", "npx add-mcp https://mcp.acme.example/mcp"),
			fenced("json", '"acme": { "url": "https://mcp.acme.example/mcp" }'),
		),
		["acme: https://mcp.acme.example/mcp"],
	],
	[
		"Windows",
		page(
			json({ mcpServers: { win: { command: "cmd", args: ["/c", "npx", "-y", "win-mcp"] } } }),
			fenced("powershell", "winget install OpenJS.NodeJS", "Set-ExecutionPolicy RemoteSigned"),
		),
		["win: cmd /c npx -y win-mcp"],
	],
	[
		"words and one command without a block",
		"# Weather\n\nInstall Node first.\n\n    sudo apt install nodejs\n\nThen run:\n\n    npx -y weather-mcp\n\nand look at the log.",
		["npx -y weather-mcp"],
	],
];
