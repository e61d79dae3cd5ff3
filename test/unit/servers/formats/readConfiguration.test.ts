import { describe, expect, it } from "vitest";
import { readConfiguration } from "../../../../src/servers/formats/readConfiguration.ts";

const stdio = { type: "stdio", command: "npx", args: ["-y", "pkg"] };

/** The entries by their names. */
function entriesOf(text: string, hint?: string) {
	return readConfiguration(text, hint)?.servers.map(({ name, entry }) => [name, entry]);
}

describe("Wrapped or not", () => {
	const entry = { command: "npx", args: ["-y", "pkg"] };
	it.each([
		["mcpServers", { mcpServers: { a: entry } }],
		["servers", { servers: { a: entry } }],
		["settings.mcp", { settings: { mcp: { servers: { a: entry } } } }],
		["mcp of settings", { "editor.fontSize": 12, mcp: { servers: { a: entry } } }],
		["a dev container", { customizations: { vscode: { mcp: { servers: { a: entry } } } } }],
		["context_servers", { context_servers: { a: { source: "custom", ...entry } } }],
		["the older Zed", { context_servers: { a: { command: { path: "npx", args: ["-y", "pkg"] } } } }],
		["opencode", { mcp: { a: { type: "local", command: ["npx", "-y", "pkg"], enabled: true } } }],
		["opencode 2", { mcp: { servers: { a: { type: "local", command: ["npx", "-y", "pkg"] } } } }],
		["a bare map", { a: entry }],
		["a project of Claude Code", { projects: { "/p": { mcpServers: { a: entry } } } }],
		["Amp", { "amp.mcpServers": { a: entry } }],
	])("%s", (_name, value) => {
		expect(entriesOf(JSON.stringify(value))).toEqual([["a", stdio]]);
	});

	it("one bare entry, with a name of its own or none", () => {
		expect(entriesOf(JSON.stringify(entry))).toEqual([[undefined, stdio]]);
		expect(entriesOf(JSON.stringify({ name: "b", ...entry }))).toEqual([["b", stdio]]);
	});

	it("parts of a file, as documentation prints them", () => {
		expect(entriesOf(`"a": ${JSON.stringify(entry)},\n`)).toEqual([["a", stdio]]);
		expect(entriesOf(`// in mcp.json\n"mcpServers": { "a": ${JSON.stringify(entry)} } // end`)).toEqual([["a", stdio]]);
		expect(entriesOf(`# ~/.codex/config.toml\n[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "pkg"]`)).toEqual([
			["a", stdio],
		]);
		expect(entriesOf(`mcpServers:\n  - name: a\n    command: npx\n    args: [-y, pkg]\n`)).toEqual([["a", stdio]]);
		expect(entriesOf(`- name: a\n  command: npx\n  args:\n    - -y\n    - pkg\n`)).toEqual([["a", stdio]]);
	});

	it("is nothing if there is no configuration", () => {
		for (const text of ["", "npx -y pkg", "https://example.com/mcp", "Hello: world", "{}", "[1]", '"a"', '{"a": 1}'])
			expect(readConfiguration(text)?.servers ?? [], text).toEqual([]);
		expect(readConfiguration("npx -y pkg --a=b")).toBeUndefined();
		expect(readConfiguration("https://example.com/mcp?a=b")).toBeUndefined();
		expect(readConfiguration("claude mcp add x -- npx -y pkg")).toBeUndefined();
		expect(readConfiguration("API_KEY=x npx -y pkg")).toBeUndefined();
	});

	it("shows where a text is broken", () => {
		expect(readConfiguration('{"mcpServers": {\n "a": {"command": "x" "args": []}}}')?.refused).toEqual([
			{ reason: "The text is not valid JSON: comma expected (line 2)." },
		]);
		expect(readConfiguration("[mcp_servers.a]\ncommand = x")?.refused[0]?.reason).toContain("not valid TOML");
		expect(readConfiguration("mcpServers:\n  a: [1\n  b: 2")?.refused[0]?.reason).toContain("not valid YAML");
		expect(readConfiguration("{“mcpServers”: {}}")?.refused[0]?.reason).toContain("typographic quotes");
	});
});
