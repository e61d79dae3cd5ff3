import { describe, expect, test } from "vitest";
import { meantTools } from "../../../src/models/meantTool.ts";

describe("a decorated name is the one offered tool that it matches (TOL-18)", () => {
	const offered = new Set(["odd_echo", "other_tool", "git-hub_list"]);
	test.each([
		"odd_echo",
		"functions.odd_echo",
		"function.odd_echo",
		"default_api.odd_echo",
		"default_api:odd_echo",
		"tools/odd_echo",
		"functions.functions.odd_echo",
		"to=functions.odd_echo",
		"mcp__odd_echo",
		"mcp__odd__echo",
		" odd_echo\n",
		'"odd_echo"',
		"`odd_echo`",
		"odd_echo()",
		"odd_echo:0",
		"functions.odd_echo:12",
		"odd_echo<|channel|>commentary",
		"odd_echo<|channel|>json",
		"commentary<|channel|>odd_echo",
		"<|tool_call|>odd_echo",
		"Odd_Echo",
		"odd-echo",
		"odd.echo",
	])("%j", (name) => expect(meantTools(name, offered)).toEqual(["odd_echo"]));

	test("marks between words that a provider does not accept are read back", () => {
		expect(meantTools("default_api.git_hub_list", offered)).toEqual(["git-hub_list"]);
	});
});

describe("ambiguous names are not guessed", () => {
	test.each([
		["a part of a name", "echo", ["odd_echo"]],
		["the beginning of a name", "odd", ["odd_echo"]],
		["a name with more behind it", "odd_echo_all", ["odd_echo"]],
		["another namespace", "calendar.delete", ["delete"]],
		["nothing", "", ["odd_echo"]],
		["decoration alone", "functions.", ["odd_echo"]],
		["a slip", "odd_ehco", ["odd_echo"]],
	])("%s matches no tool", (_what, name, offered) => expect(meantTools(name, new Set(offered))).toEqual([]));

	test.each([
		["two that differ in case", "ODD_ECHO", ["odd_echo", "Odd_Echo"]],
		["two that differ in a mark", "odd.echo", ["odd_echo", "odd-echo"]],
		[
			"a tool and a tool of a server called as the decoration",
			"functions.odd_echo",
			["odd_echo", "functions_odd_echo"],
		],
		["two names in one", "delete<|channel|>echo", ["delete", "echo"]],
		["a name around a mark, and its beginning", "delete<|x|>_draft", ["delete", "delete_draft"]],
	])("%s have two readings", (_what, name, offered) => {
		expect(meantTools(name, new Set(offered)).toSorted()).toEqual(offered.toSorted());
	});

	test("a name of any length is handled at once", () => {
		expect(meantTools("functions.".repeat(100_000), new Set(["odd_echo"]))).toEqual([]);
	});
});
