/** Texts that are made to break a reader (IMP-02). */
import { describe, expect, it } from "vitest";
import { readConfiguration } from "../../../../src/servers/formats/readConfiguration.ts";

describe("A hostile text (IMP-02)", () => {
	it("changes no object of ours by its names", () => {
		const json = '{"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"y","env":{"__proto__":"1"}}}}';
		const toml =
			'[mcp_servers.__proto__]\ncommand = "x"\n[mcp_servers.constructor]\ncommand = "y"\nenv = {__proto__ = "1"}';
		const yaml = "mcp_servers:\n  __proto__: {command: x}\n  constructor: {command: y, env: {__proto__: '1'}}";
		for (const text of [json, toml, yaml]) {
			const found = readConfiguration(text)?.servers ?? [];
			expect(found.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
			expect(Object.keys(found[1]?.entry["env"] ?? {})).toEqual(["__proto__"]);
		}
		expect(Object.hasOwn(Object.prototype, "command")).toBe(false);
		expect(readConfiguration('{"mcpServers": {"a": {}}}')?.refused).toHaveLength(1);
	});

	it("does not expand aliases of YAML into billions", () => {
		const levels = Array.from({ length: 20 }, (_, level) => {
			const of = level === 0 ? "[x]" : `[${`*a${level - 1}, `.repeat(9)}*a${level - 1}]`;
			return `a${level}: &a${level} ${of}`;
		});
		const bomb = `${levels.join("\n")}\nmcpServers:\n  b: {command: x, args: *a19}`;
		expect(readConfiguration(bomb)).toMatchObject({
			servers: [],
			refused: [{ reason: expect.stringContaining("YAML") as string }],
		});
		const circle = "mcpServers: &m\n  a: {command: x, env: *m}";
		expect(readConfiguration(circle)?.servers).toEqual([]);
		const fine = "x: &e {A: '1'}\nmcpServers:\n  a: {command: x, env: *e}\n  b: {command: x, env: *e}";
		expect(readConfiguration(fine)?.servers).toHaveLength(2);
		const merged = "x: &e {command: x, __proto__: {command: y}}\nmcpServers:\n  a: {<<: *e, args: [b]}";
		expect(readConfiguration(merged)?.servers).toMatchObject([{ entry: { command: "x", args: ["b"] } }]);
	});

	it("may be long, deep or full of servers", () => {
		const deep = `{"mcpServers":{"a":{"command":"x","oauth":${"[".repeat(50_000)}`;
		expect(readConfiguration(deep)?.servers ?? []).toEqual([]);
		const deepToml = `mcp_servers = ${"[".repeat(50_000)}`;
		expect(readConfiguration(deepToml)?.servers ?? []).toEqual([]);
		const deepYaml = `mcp_servers: ${"[".repeat(20_000)}`;
		expect(readConfiguration(deepYaml)?.servers ?? []).toEqual([]);
		const dev = `${'{"a":'.repeat(30)}1${"}".repeat(30)}`;
		expect(readConfiguration(`{"mcpServers":{"a":{"command":"x","dev":${dev}}}}`)?.servers[0]?.entry["dev"]).not.toBe(
			1,
		);
		const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`s${at}`, { command: "x" }]));
		const read = readConfiguration(JSON.stringify({ mcpServers: many }));
		expect(read?.servers).toHaveLength(500);
		expect(read?.refused[0]?.reason).toContain("first 500 of its 600");
		expect(readConfiguration(`mcpServers: ${"x".repeat(1_000_001)}`)?.refused[0]?.reason).toContain("was not read");
	});

	it("has its history beside its servers", () => {
		const history = Array.from({ length: 20_000 }, () => "x".repeat(100));
		const text = JSON.stringify({ history, mcpServers: { a: { command: "x" } }, oauthAccount: { token: "secret" } });
		expect(text.length).toBeGreaterThan(1_000_000);
		const read = readConfiguration(text, "claude-code");
		expect(read?.servers).toMatchObject([{ name: "a" }]);
		expect(JSON.stringify(read)).not.toContain("secret");
	});

	it("has dates, huge numbers and duplicate keys", () => {
		const toml = '[mcp_servers.a]\ncommand = "x"\nenv = {D = 2026-01-02, N = 123456789012345678901, F = inf}';
		expect(readConfiguration(toml)?.servers[0]?.entry["env"]).toEqual({
			D: "2026-01-02",
			N: "123456789012345678901",
			F: "Infinity",
		});
		const twice = '{"mcpServers":{"a":{"command":"x","command":"y"},"a":{"command":"z"}}}';
		expect(readConfiguration(twice)?.servers).toMatchObject([
			{
				entry: { command: "z" },
				remarks: [expect.stringContaining("the last one is used") as string, expect.anything()],
			},
		]);
		expect(readConfiguration("mcpServers:\n  a: {command: x}\n  a: {command: y}")?.refused[0]?.reason).toContain(
			"YAML",
		);
		expect(readConfiguration("[mcp_servers.a]\ncommand='x'\ncommand='y'")?.refused[0]?.reason).toContain("TOML");
	});

	it("is answered by remarks of bounded length that hide nothing", () => {
		const long = "k".repeat(5000);
		const read = readConfiguration(JSON.stringify({ mcpServers: { a: { command: "x", [`\u202E${long}`]: 1 } } }));
		expect(read?.servers[0]?.remarks.join("").length).toBeLessThan(300);
		expect(read?.servers[0]?.remarks.join("")).toContain("\\u202E");
	});

	it("of any kind throws nothing", () => {
		const parts = [
			'{"',
			"mcpServers",
			'"',
			":",
			"{",
			"}",
			"[",
			"]",
			"command",
			"\n",
			"  ",
			"- ",
			"=",
			"&a",
			"*a",
			"#",
			"'",
			"url",
			"${",
			"1",
			",",
		];
		let seed = 42;
		const next = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
		for (let run = 0; run < 3000; run++) {
			const text = Array.from({ length: 1 + next(25) }, () => parts[next(parts.length)]).join("");
			const read = readConfiguration(text);
			for (const { reason } of read?.refused ?? []) expect(reason.length).toBeLessThan(400);
		}
	});
});
