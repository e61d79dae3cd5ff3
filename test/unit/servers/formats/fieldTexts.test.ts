/** Configurations of other hosts as users copy them (IMP-01). */
import { describe, expect, it } from "vitest";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";

const pasted = (entry: object, key = "abc123") => readPasted(JSON.stringify({ mcpServers: { [key]: entry } }));

describe("An entry of a host that keeps the name within", () => {
	it.each<[string, object, string, object]>([
		[
			"remote",
			{
				isActive: true,
				name: "fetch",
				type: "streamableHttp",
				description: "",
				baseUrl: "https://f.example.com/mcp",
				headers: {},
				registryUrl: "",
				command: "",
				args: [],
				env: {},
			},
			"fetch",
			{ type: "http", url: "https://f.example.com/mcp" },
		],
		[
			"local",
			{
				isActive: true,
				name: "local fetch",
				type: "stdio",
				description: "",
				baseUrl: "",
				command: "uvx",
				args: ["mcp-server-fetch"],
				env: {},
			},
			"local fetch",
			{ type: "stdio", command: "uvx", args: ["mcp-server-fetch"] },
		],
		[
			"without a type",
			{ isActive: true, name: "x", baseUrl: "https://x.example/mcp" },
			"x",
			{ type: "http", url: "https://x.example/mcp" },
		],
	])("is imported under it: %s", (_what, entry, name, expected) => {
		const read = pasted(entry);
		expect(read.refused).toEqual([]);
		expect(read.servers).toMatchObject([{ name, entry: expected, remarks: [], isOff: false }]);
	});

	it("reports members without a counterpart, is off if it was, and imports no permission", () => {
		const entry = {
			isActive: false,
			name: "x",
			command: "npx",
			registryUrl: "https://r.example",
			isTrusted: true,
			autoApprove: ["*"],
		};
		const [server] = pasted(entry).servers;
		expect(server?.isOff).toBe(true);
		expect(server?.remarks.join()).toMatch(/"registryUrl", "isTrusted"/);
		expect(server?.tools).toEqual({ allowed: "all" });
		expect(JSON.stringify(server?.entry)).not.toMatch(/approve|trust/i);
	});

	it("leaves the name of other hosts as their key", () => {
		expect(pasted({ name: "Shown", command: "x" }, "key").servers[0]?.name).toBe("key");
	});
});

describe("A command that holds more than a program", () => {
	it.each<[string, object, object]>([
		["a line", { command: "npx -y some-server /data" }, { command: "npx", args: ["-y", "some-server", "/data"] }],
		["a line and arguments", { command: "uv run", args: ["x"] }, { command: "uv", args: ["run", "x"] }],
		["a variable before it", { command: "KEY=1 npx x" }, { command: "npx", args: ["x"], env: { KEY: "1" } }],
		["quotes", { command: '"/opt/my tools/x"', args: ["a"] }, { command: "/opt/my tools/x", args: ["a"] }],
		[
			"quotes of Windows",
			{ command: '"C:\\Program Files\\nodejs\\npx.cmd" -y x' },
			{ command: "C:\\Program Files\\nodejs\\npx.cmd", args: ["-y", "x"] },
		],
		[
			"a path of Windows",
			{ command: "C:\\Program Files\\nodejs\\npx.cmd -y x" },
			{ command: "C:\\Program Files\\nodejs\\npx.cmd", args: ["-y", "x"] },
		],
		[
			"a path and an option",
			{ command: "/usr/local/bin/x --stdio" },
			{ command: "/usr/local/bin/x", args: ["--stdio"] },
		],
	])("is split as a shell would, and reported: %s", (_what, entry, expected) => {
		const [server] = pasted(entry).servers;
		expect(server?.entry).toEqual({ type: "stdio", ...expected });
		expect(server?.remarks.join()).toContain("split as a shell would");
	});

	it.each(["/opt/My Tools/x", "C:\\Program Files\\x\\run.exe", "${userHome}/a b/x"])(
		"but not a path with blanks: %s",
		(command) => {
			expect(pasted({ command }).servers[0]?.entry).toEqual({ type: "stdio", command });
		},
	);

	it.each(["npx x | sh", "npx $(id)", "a && b", "npx x > y"])("nor one that only a shell can run: %s", (command) => {
		const read = pasted({ command });
		expect(read.servers).toEqual([]);
		expect(read.refused[0]?.reason).toContain("not one program with its arguments");
	});
});

describe("Text that a shell would replace", () => {
	it.each([
		[{ command: "node", args: ["s.js", "~/data"] }, "“~” in argument 2 is sent unchanged; write ${userHome} instead."],
		[{ command: "node", args: ["--dir=~/data"] }, "“~” in argument 1"],
		[{ command: "node", args: ["$HOME/x"] }, "“$HOME” in argument 1 is sent unchanged; write ${userHome} instead."],
		[{ command: "node", args: ["Authorization:$TOKEN"] }, "write ${env:TOKEN} instead"],
		[{ command: "node", args: ["%APPDATA%\\x"] }, "write ${env:APPDATA} instead"],
		[{ command: "node", env: { A: "~/x" } }, "“~” in the variable A"],
	])("is reported with its place: %j", (entry, words) => {
		expect(pasted(entry).servers[0]?.remarks.join()).toContain(words);
	});

	it.each([
		{ command: "sh", args: ["-c", "echo $HOME"] },
		{ command: "node", args: ["https://x.example/~me", "a%20b%20c", "x~y"], env: { PASSWORD: "pa$WORD" } },
	])("and no other text is: %j", (entry) => {
		expect(pasted(entry).servers[0]?.remarks).toEqual([]);
	});
});
