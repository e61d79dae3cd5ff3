/** Entries of all hosts in the words of an `mcp.json` (IMP-01). */
import { describe, expect, it } from "vitest";
import { readConfiguration } from "../../../../src/servers/formats/readConfiguration.ts";

/** The result of one entry of a host. */
function read(entry: unknown, hint?: string, more: object = {}) {
	const found = readConfiguration(JSON.stringify({ mcpServers: { a: entry }, ...more }), hint);
	return { ...found?.servers[0], reason: found?.refused[0]?.reason };
}

describe("A server with a URL", () => {
	const url = "https://example.com/mcp";
	const http = { type: "http", url };
	it.each([
		[{ url }, undefined, http],
		[{ serverUrl: url }, undefined, http],
		[{ httpUrl: url, url: "https://example.com/sse" }, "gemini", http],
		[{ url }, "gemini", { type: "sse", url }],
		[{ url }, "/home/me/.gemini/settings.json", { type: "sse", url }],
		[{ url, type: "http" }, "gemini", http],
		[{ url }, String.raw`C:\Users\me\.cline\data\settings\cline_mcp_settings.json`, { type: "sse", url }],
		[{ url, type: "streamableHttp", disabled: false }, "cline", http],
		[{ type: "streamable-http", url }, "roo", http],
		[{ type: "streamable_http", uri: url }, "goose", http],
		[{ type: "sse", uri: url }, "goose", { type: "sse", url }],
		[{ transport: "http", url }, "kimi", http],
		[{ type: "remote", url }, "opencode", http],
		[{ url, bearer_token_env_var: "T" }, "codex", { ...http, headers: { Authorization: "Bearer ${env:T}" } }],
		[
			{ url, http_headers: { A: "1" }, env_http_headers: { B: "TOKEN" } },
			"codex",
			{ ...http, headers: { A: "1", B: "${env:TOKEN}" } },
		],
		[{ url, requestOptions: { headers: { A: "1" } } }, "continue", { ...http, headers: { A: "1" } }],
		[{ url, headers: ["A: b:c"] }, "mcphost", { ...http, headers: { A: "b:c" } }],
		[{ url, auth: { CLIENT_ID: "x", scopes: ["r"] } }, "cursor", { ...http, oauth: { clientId: "x", scopes: ["r"] } }],
		[{ url, oauth: { enabled: true, clientId: "x" } }, "gemini", { type: "sse", url, oauth: { clientId: "x" } }],
		[{ url, oauth: false }, "opencode", http],
	])("%j of %s", (entry, hint, expected) => {
		expect(read(entry, hint).entry).toEqual(expected);
	});
});

describe("A server with a command", () => {
	const node = { type: "stdio", command: "node", args: ["a.js"] };
	it.each([
		[{ command: "node", args: ["a.js"], env: {} }, node],
		[
			{ command: ["node", "a.js"], environment: { A: "1" } },
			{ ...node, env: { A: "1" } },
		],
		[
			{ command: { path: "node", args: ["a.js"], env: { A: "1" } }, settings: {} },
			{ ...node, env: { A: "1" } },
		],
		[
			{ cmd: "node", args: ["a.js"], envs: { A: 1, B: true, C: null } },
			{ ...node, env: { A: "1", B: "true" } },
		],
		[
			{ command: "node", args: [1, "b"] },
			{ type: "stdio", command: "node", args: ["1", "b"] },
		],
		[
			{ command: "node", env_vars: ["A", { name: "B", source: "remote" }] },
			{ type: "stdio", command: "node", env: { A: "${env:A}", B: "${env:B}" } },
		],
		[
			{ command: "node", workingDirectory: "/x", envFile: ".env" },
			{ type: "stdio", command: "node", cwd: "/x", envFile: ".env" },
		],
	])("%j", (entry, expected) => {
		expect(read(entry).entry).toEqual(expected);
	});

	it("that Goose stores a secret for asks for it", () => {
		const { entry, inputs, remarks } = read({ cmd: "x", env_keys: ["API_KEY"], timeout: 300 }, "goose");
		expect(entry).toEqual({ type: "stdio", command: "x", env: { API_KEY: "${input:API_KEY}" } });
		expect(inputs).toEqual([{ type: "promptString", id: "API_KEY", description: "API_KEY", password: true }]);
		expect(remarks?.join()).toContain("Goose stores");
		expect(remarks?.join()).toContain("300 seconds");
	});
});

describe("Variables", () => {
	it.each([
		["${X}", "${env:X}"],
		["a${X:-d e}b", "a${env:X:-d e}b"],
		["${X:-}", "${env:X:-}"],
		["${env:X}", "${env:X}"],
		["${env:X:-d}", "${env:X:-d}"],
		["{env:X}", "${env:X}"],
		["${env://X}", "${env:X}"],
		["${env://X:-http://a:1}", "${env:X:-http://a:1}"],
		["${env:X | value:Y}", "${env:X:-Y}"],
		["${{ secrets.X }}", "${input:X}"],
		["Bearer ${input:x}", "Bearer ${input:x}"],
		["{file:~/.secrets/open key}", "${input:secrets-open-key}"],
		["op://vault/item/field", "${input:item-field}"],
		["${workspaceFolder}/x", "${workspaceFolder}/x"],
		["${workspaceFolder:a}${/}${userHome}", "${workspaceFolder:a}${/}${userHome}"],
		['{"a": {"b": 1}}', '{"a": {"b": 1}}'],
		["$X", "$X"],
	])("%s", (written, expected) => {
		expect(read({ command: "x", env: { A: written } }).entry).toMatchObject({ env: { A: expected } });
	});

	it("without braces are those of Gemini CLI only; otherwise they are reported", () => {
		expect(read({ command: "x", env: { A: "$X" } }, "gemini").entry).toMatchObject({ env: { A: "${env:X}" } });
		expect(read({ command: "x", env: { A: "$X" } }).remarks?.join()).toContain("is sent unchanged");
	});

	it("that are unknown are reported and stay", () => {
		const { entry, remarks } = read({ command: "${config:a.b}", args: ["${{ github.sha }}"] });
		expect(entry).toMatchObject({ command: "${config:a.b}", args: ["${ github.sha }"] });
		expect(remarks).toHaveLength(2);
	});

	it("of inputs include their definitions in the text", () => {
		const input = { id: "k", type: "promptString", description: "Key", password: true };
		const command = { id: "c", type: "command", command: "x.y" };
		const { inputs, remarks } = read(
			{ command: "x", args: ["${input:k}", "${input:c}", "${input:apiKey}"] },
			undefined,
			{
				inputs: [input, command, { id: "unused", type: "promptString" }],
			},
		);
		expect(inputs).toEqual([
			input,
			{ type: "promptString", id: "c", description: "c" },
			{ type: "promptString", id: "apiKey", description: "apiKey", password: true },
		]);
		expect(remarks?.join()).toContain("a VS Code command");
	});
});

describe("Permissions of a host for tools", () => {
	it.each([
		[
			{ autoApprove: ["a"], disabledTools: ["b"] },
			{ allowed: ["a"], hidden: ["b"] },
		],
		[{ alwaysAllow: ["*"] }, { allowed: "all" }],
		[
			{ trust: true, includeTools: ["a"], excludeTools: ["b"] },
			{ allowed: "all", only: ["a"], hidden: ["b"] },
		],
		[
			{ enabled_tools: ["a"], tools: { b: { approval_mode: "approve" } } },
			{ allowed: ["b"], only: ["a"] },
		],
		[{ tools: ["*"] }, {}],
		[{ tools: [] }, { only: [] }],
		[{ available_tools: ["a"] }, { only: ["a"] }],
		[{ autoApprove: [] }, {}],
	])("%j", (more, expected) => {
		const { tools, entry } = read({ command: "x", ...more });
		expect(tools).toEqual(expected);
		// They never become part of the written entry.
		expect(entry).toEqual({ type: "stdio", command: "x" });
	});
});

describe("An entry that is turned off", () => {
	it("by the entry, or beside it", () => {
		expect(read({ command: "x", disabled: true }).isOff).toBe(true);
		expect(read({ command: "x", enabled: false }).isOff).toBe(true);
		expect(read({ command: "x", enabled: true }).isOff).toBe(false);
		expect(read({ command: "x" }, undefined, { mcp: { excluded: ["a"] } }).isOff).toBe(true);
		expect(read({ command: "x" }, undefined, { mcp: { allowed: ["b"] } }).isOff).toBe(true);
		expect(read({ command: "x" }, undefined, { disabledMcpServers: ["a"] }).isOff).toBe(true);
	});
});

describe("An entry that is not a server here", () => {
	it.each([
		[{}, "neither a command nor a URL"],
		["npx", "not an object"],
		[{ type: "builtin", name: "developer" }, "built into"],
		[{ type: "ws", url: "wss://x" }, `type "ws" is not supported`],
		[{ command: "x", url: "https://y" }, `both "command" and "url"`],
		[{ type: "http", command: "x" }, "no URL"],
		[{ type: "stdio", url: "https://x" }, "no command"],
		[{ url: "unix:///tmp/x.sock" }, "does not begin with http:// or https://"],
		[{ command: "" }, "neither a command"],
		[{ command: "x", args: "a b" }, `"args" is not a list`],
		[{ command: "x", args: [{}] }, `"args" is not a list`],
		[{ command: "x", env: { A: {} } }, `"A" is not a string`],
		[{ command: "x", env: "A=1" }, `"env" is not an object`],
		[{ source: "extension", settings: {} }, "extension"],
	])("%j", (entry, reason) => {
		expect(read(entry).reason).toContain(reason);
	});

	it("is reported by its name, and omissions are reported", () => {
		expect(readConfiguration('{"mcpServers":{"a\\nb":{"command":"x"}}}')?.refused[0]?.reason).toContain("Its name");
		const { remarks } = read({ command: "x", headers: { A: "b" }, retries: 3, tool_timeout_sec: 5 }, "codex");
		expect(remarks).toEqual([
			`Its "tool_timeout_sec" of 5 seconds was left out: MCP Host uses the same time limits for all servers.`,
			`"headers" was left out: a server with a command does not use it.`,
			`Left out, because MCP Host has no counterpart: "retries".`,
		]);
		expect(read({ command: "x", timeout: 5000 }, "gemini").remarks?.join()).toContain("of 5 seconds");
		expect(read({ command: "x", timeout: 5000 }).remarks?.join()).toContain("of 5000 was");
	});
});
