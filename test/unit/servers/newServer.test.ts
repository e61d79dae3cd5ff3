import { describe, expect, it } from "vitest";
import { entryFor, splitCommandLine, suggestName } from "../../../src/servers/newServer.ts";

describe("splitCommandLine", () => {
	it.each([
		["npx -y server /a/b", ["npx", "-y", "server", "/a/b"]],
		[`run "two words" 'single "kept"' a\\ b`, ["run", "two words", 'single "kept"', "a b"]],
		[`C:\\tools\\server.exe --path="C:\\my dir"`, ["C:\\tools\\server.exe", "--path=C:\\my dir"]],
		[`echo "" end`, ["echo", "", "end"]],
		["  ", []],
		["echo $(touch x) `id` ; rm", ["echo", "$(touch", "x)", "`id`", ";", "rm"]],
	])("splits %s", (line, words) => {
		expect(splitCommandLine(line)).toEqual(words);
	});
});

describe("entryFor and suggestName", () => {
	it("tells URLs from commands", () => {
		expect(entryFor("https://example.com/mcp")).toEqual({ type: "http", url: "https://example.com/mcp" });
		expect(entryFor(" node server.js ")).toEqual({ type: "stdio", command: "node", args: ["server.js"] });
		expect(entryFor("  ")).toBeUndefined();
	});

	it.each([
		["npx -y @modelcontextprotocol/server-memory@1.2.3", "server-memory"],
		["uvx mcp-server-git --repository .", "mcp-server-git"],
		["node ./build/weather.js", "weather"],
		["/usr/local/bin/thing", "thing"],
		["https://mcp.example.com/x", "mcp.example.com"],
	])("names %s", (line, name) => {
		expect(suggestName(entryFor(line) ?? {}, new Set())).toBe(name);
	});

	it("avoids names in use", () => {
		expect(suggestName({ command: "thing" }, new Set(["thing", "thing-2"]))).toBe("thing-3");
	});
});
