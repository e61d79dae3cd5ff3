/**
 * Command lines, as documentation prints them: of Claude Code (https://code.claude.com/docs/en/mcp), Codex
 * (https://developers.openai.com/codex/mcp), Gemini CLI (https://geminicli.com/docs/tools/mcp-server), VS Code
 * (https://code.visualstudio.com/docs/copilot/customization/mcp-servers), the GitHub server
 * (https://github.com/github/github-mcp-server) and the reference servers (https://github.com/modelcontextprotocol/servers).
 */
import { describe, expect, it } from "vitest";
import { readCommandLines } from "../../../../src/servers/formats/commandLines.ts";
import type { ForeignServer } from "../../../../src/servers/formats/foreignServer.ts";

function one(text: string): ForeignServer {
	const read = readCommandLines(text);
	expect(read?.refused).toEqual([]);
	expect(read?.servers).toHaveLength(1);
	return read?.servers[0] as ForeignServer;
}

function reason(text: string): string {
	const read = readCommandLines(text);
	expect(read?.servers).toEqual([]);
	return read?.refused.map((refused) => refused.reason).join(" ") ?? "";
}

describe("claude mcp add (ADD-02)", () => {
	it.each([
		[
			"claude mcp add --transport http notion https://mcp.notion.com/mcp",
			"notion",
			{ type: "http", url: "https://mcp.notion.com/mcp" },
		],
		[
			'claude mcp add --transport http secure-api https://api.example.com/mcp \\\n  --header "Authorization: Bearer your-token"',
			"secure-api",
			{ type: "http", url: "https://api.example.com/mcp", headers: { Authorization: "Bearer your-token" } },
		],
		[
			'claude mcp add --transport sse private-api https://api.company.com/sse -H "X-API-Key: your-key-here" -H "X-Team: a"',
			"private-api",
			{
				type: "sse",
				url: "https://api.company.com/sse",
				headers: { "X-API-Key": "your-key-here", "X-Team": "a" },
			},
		],
		[
			"claude mcp add --transport stdio --env AIRTABLE_API_KEY=YOUR_KEY airtable \\\n  -- npx -y airtable-mcp-server",
			"airtable",
			{ type: "stdio", command: "npx", args: ["-y", "airtable-mcp-server"], env: { AIRTABLE_API_KEY: "YOUR_KEY" } },
		],
		[
			"claude mcp add clickup --env CLICKUP_API_KEY=K --env CLICKUP_TEAM_ID=T -- npx -y @hauptsache.net/clickup-mcp",
			"clickup",
			{
				type: "stdio",
				command: "npx",
				args: ["-y", "@hauptsache.net/clickup-mcp"],
				env: { CLICKUP_API_KEY: "K", CLICKUP_TEAM_ID: "T" },
			},
		],
		[
			"claude mcp add my-server -s user -e A=1 B=2 -- python server.py --port 8080",
			"my-server",
			{ type: "stdio", command: "python", args: ["server.py", "--port", "8080"], env: { A: "1", B: "2" } },
		],
		[
			"claude mcp add playwright npx @playwright/mcp@latest --headless",
			"playwright",
			{ type: "stdio", command: "npx", args: ["@playwright/mcp@latest", "--headless"] },
		],
		["claude mcp add remote https://example.com/mcp", "remote", { type: "http", url: "https://example.com/mcp" }],
		[
			'claude mcp add x -t http https://example.com/mcp -H "Authorization: Bearer ${TOKEN}"',
			"x",
			{ type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${env:TOKEN}" } },
		],
		[
			"claude mcp add x -t http https://example.com/mcp -H 'Authorization: Bearer ${TOKEN:-none}'",
			"x",
			{ type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${env:TOKEN:-none}" } },
		],
		[
			'claude mcp add-json weather-api \'{"type":"http","url":"https://api.weather.com/mcp","headers":{"Authorization":"Bearer token"}}\'',
			"weather-api",
			{ type: "http", url: "https://api.weather.com/mcp", headers: { Authorization: "Bearer token" } },
		],
		[
			'claude mcp add-json -s user local \'{"command":"/path/to/weather-cli","args":["--api-key","abc123"],"env":{"CACHE_DIR":"/tmp"}}\'',
			"local",
			{ type: "stdio", command: "/path/to/weather-cli", args: ["--api-key", "abc123"], env: { CACHE_DIR: "/tmp" } },
		],
	])("%s", (line, name, entry) => {
		const server = one(line);
		expect(server.name).toBe(name);
		expect(server.entry).toEqual(entry);
	});

	it("reads the client of a sign-in, and asks for its secret", () => {
		const server = one(
			"claude mcp add --transport http --client-id your-client-id --client-secret --callback-port 8080 my-server https://mcp.example.com/mcp",
		);
		expect(server.entry).toEqual({
			type: "http",
			url: "https://mcp.example.com/mcp",
			oauth: { clientId: "your-client-id", clientSecret: "${input:client-secret}", redirectPort: 8080 },
		});
		expect(server.inputs).toEqual([
			{ id: "client-secret", type: "promptString", description: "OAuth client secret", password: true },
		]);
	});

	it.each([
		["claude mcp add", /needs a name/],
		["claude mcp add x", /needs a command or a URL/],
		["claude mcp add --what x y", /--what.*not a known option/],
		["claude mcp add x -e A -- y", /NAME=value/],
		['claude mcp add x -H "A: b" -- y', /headers need a URL/],
		["claude mcp add -t http x mcp.example.com", /not a URL/],
		["claude mcp list", /does not add a server/],
		["claude mcp add-json x nonsense", /not a JSON object/],
	])("is refused with the reason: %s", (line, why) => {
		expect(reason(line)).toMatch(why);
	});
});

describe("codex mcp add (ADD-02)", () => {
	it.each([
		[
			"codex mcp add context7 -- npx -y @upstash/context7-mcp",
			{ type: "stdio", command: "npx", args: ["-y", "@upstash/context7-mcp"] },
		],
		[
			"codex mcp add server --env VAR1=VALUE1 --env VAR2=VALUE2 -- run it",
			{ type: "stdio", command: "run", args: ["it"], env: { VAR1: "VALUE1", VAR2: "VALUE2" } },
		],
		["codex mcp add notion --url https://mcp.notion.com/mcp", { type: "http", url: "https://mcp.notion.com/mcp" }],
		[
			"codex mcp add gh --url https://api.githubcopilot.com/mcp/ --bearer-token-env-var GITHUB_PAT",
			{
				type: "http",
				url: "https://api.githubcopilot.com/mcp/",
				headers: { Authorization: "Bearer ${env:GITHUB_PAT}" },
			},
		],
	])("%s", (line, entry) => {
		expect(one(line).entry).toEqual(entry);
	});
});

describe("gemini mcp add (ADD-02)", () => {
	it.each([
		[
			"gemini mcp add -e API_KEY=123 -e DEBUG=true my-stdio-server /path/to/server arg1 arg2 arg3",
			{
				type: "stdio",
				command: "/path/to/server",
				args: ["arg1", "arg2", "arg3"],
				env: { API_KEY: "123", DEBUG: "true" },
			},
		],
		[
			"gemini mcp add python-server python server.py -- --server-arg my-value",
			{ type: "stdio", command: "python", args: ["server.py", "--server-arg", "my-value"] },
		],
		[
			'gemini mcp add --transport http --header "Authorization: Bearer abc123" secure-http https://api.example.com/mcp/',
			{ type: "http", url: "https://api.example.com/mcp/", headers: { Authorization: "Bearer abc123" } },
		],
		[
			"gemini mcp add --transport sse sse-server https://api.example.com/sse/",
			{ type: "sse", url: "https://api.example.com/sse/" },
		],
	])("%s", (line, entry) => {
		expect(one(line).entry).toEqual(entry);
	});

	it("reports the other host's permissions, and grants nothing", () => {
		const { tools, entry } = one("gemini mcp add --trust --include-tools a,b --exclude-tools c x run");
		expect(tools).toEqual({ allowed: "all", only: ["a", "b"], hidden: ["c"] });
		expect(entry).toEqual({ type: "stdio", command: "run", args: [] });
	});
});

describe("code --add-mcp (ADD-02)", () => {
	const entry = { type: "stdio", command: "uvx", args: ["mcp-server-fetch"] };
	it.each([
		`code --add-mcp '{"name":"my-server","command":"uvx","args":["mcp-server-fetch"]}'`,
		`code --add-mcp "{\\"name\\":\\"my-server\\",\\"command\\": \\"uvx\\",\\"args\\": [\\"mcp-server-fetch\\"]}"`,
		// PowerShell 5 removes quotes unless a backslash is before them.
		`code-insiders --add-mcp '{\\"name\\":\\"my-server\\",\\"command\\":\\"uvx\\",\\"args\\":[\\"mcp-server-fetch\\"]}'`,
		`code.cmd --add-mcp='{"name":"my-server","command":"uvx","args":["mcp-server-fetch"]}'`,
	])("%s", (line) => {
		const server = one(line);
		expect(server.name).toBe("my-server");
		expect(server.entry).toEqual(entry);
	});

	it("keeps its inputs", () => {
		const server = one(
			`code --add-mcp '{"name":"gh","type":"http","url":"https://a.example/mcp","headers":{"X-Key":"\${input:k}"},"inputs":[{"type":"promptString","id":"k","password":true}]}'`,
		);
		expect(server.inputs).toMatchObject([{ id: "k", password: true }]);
		expect(server.entry).toMatchObject({ headers: { "X-Key": "${input:k}" } });
	});

	it("refuses invalid JSON", () => {
		expect(reason("code --add-mcp nonsense")).toMatch(/not a JSON object/);
	});
});

describe("a program with its arguments (ADD-02)", () => {
	it.each([
		[
			"$ npx -y @modelcontextprotocol/server-memory",
			{ command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] },
		],
		[
			"uvx mcp-server-git --repository path/to/git/repo",
			{ command: "uvx", args: ["mcp-server-git", "--repository", "path/to/git/repo"] },
		],
		[
			"docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN=<your-token> ghcr.io/github/github-mcp-server",
			{
				command: "docker",
				args: [
					"run",
					"-i",
					"--rm",
					"-e",
					"GITHUB_PERSONAL_ACCESS_TOKEN=<your-token>",
					"ghcr.io/github/github-mcp-server",
				],
			},
		],
		[
			"docker run -i --rm \\\n  -e TOKEN \\\n  --env=OTHER \\\n  mcp/x",
			{
				command: "docker",
				args: ["run", "-i", "--rm", "-e", "TOKEN", "--env=OTHER", "mcp/x"],
				env: { TOKEN: "${env:TOKEN}", OTHER: "${env:OTHER}" },
			},
		],
		['API_KEY=abc MODE="a b" npx tool', { command: "npx", args: ["tool"], env: { API_KEY: "abc", MODE: "a b" } }],
		["env A=1 B=2 run it", { command: "run", args: ["it"], env: { A: "1", B: "2" } }],
		["export A=1\nexport B='x y'\nrun it", { command: "run", args: ["it"], env: { A: "1", B: "x y" } }],
		['$env:A = "1"\nrun it', { command: "run", args: ["it"], env: { A: "1" } }],
		["set A=1\nC:\\tools\\run.exe it", { command: "C:\\tools\\run.exe", args: ["it"], env: { A: "1" } }],
		["run --key=$KEY \"a ${B} c\" '$C'", { command: "run", args: ["--key=${env:KEY}", "a ${env:B} c", "$C"] }],
		["run --key=%KEY% C:\\x", { command: "run", args: ["--key=${env:KEY}", "C:\\x"] }],
		["run ~/data ~ a~b", { command: "run", args: ["${userHome}/data", "${userHome}", "a~b"] }],
		["run $HOME/data", { command: "run", args: ["${userHome}/data"] }],
		["docker run -v ${workspaceFolder}:/w x", { command: "docker", args: ["run", "-v", "${workspaceFolder}:/w", "x"] }],
		["claude mcp serve", { command: "claude", args: ["mcp", "serve"] }],
		["run # what it is", { command: "run", args: [] }],
	])("%s", (line, entry) => {
		expect(one(line).entry).toEqual({ type: "stdio", ...entry });
	});

	it.each([
		["run | tee log", /pipes/],
		["a && b", /several commands/],
		["a; b", /several commands/],
		["a || b", /several commands \(\|\|\)/],
		["a & b", /in the background/],
		["/plugin install thing", /another host/],
		["gemini extensions install https://a.example/x", /another host/],
		["a > log", /writes into a file/],
		["a < in", /reads from a file/],
		["a $(id)", /runs another command/],
		["a `id`", /runs another command/],
		['a "`id`"', /runs another command/],
		['a "$(pwd)/x"', /workspaceFolder/],
		["(a)", /parentheses/],
		["a 'b", /not closed/],
		['a "b', /not closed/],
		["a ~root/x", /another user/],
		["a $1", /only a shell understands/],
		["a ${B#x}", /form of/],
		["a $'x'", /quotes with/],
		["a \u201Cb\u201D", /typographic quotes/],
		["run '${no such}'", /looks like a variable/],
		["npm install thing", /does not start a server/],
		["cd x", /does not start a server/],
		["npx -y add-mcp thing", /other hosts/],
		["npx -y @smithery/cli@latest install thing --client claude", /other hosts/],
		["amp mcp add x -- y", /MCP Host does not know/],
	])("is refused with the reason: %s", (line, why) => {
		expect(reason(line)).toMatch(why);
	});

	it("reports text that a shell would have changed", () => {
		expect(one("run *.txt").remarks.join()).toContain("“*” is used literally");
		expect(one("run https://a.example/?b=c").remarks).toEqual([]);
		expect(one("run $PWD/x").remarks.join()).toContain("${workspaceFolder}");
	});

	it("reads several lines as several servers, and leaves out preparing ones", () => {
		const read = readCommandLines("npm install -g x\nclaude mcp add a -- b\nclaude mcp add c https://d.example/mcp\n");
		expect(read?.servers.map(({ name }) => name)).toEqual(["a", "c"]);
		expect(read?.refused).toHaveLength(1);
	});
});
