import { describe, expect, it } from "vitest";
import type { ParsedConfig } from "../../../../src/servers/definitions/config.ts";
import { define, mergeDefinitions, parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { stdioConfig, userOrigin, workspaceOrigin } from "../fixtures.ts";

function parseText(text: string): ParsedConfig {
	return parseConfig({ origin: workspaceOrigin, content: { text } });
}

describe("entries with `disabled`", () => {
	it("are kept as such, without their problems, and their hash (EDT-04)", () => {
		const { definitions, problems } = parseText(
			'{"servers":{"a":{"command":"x","disabled":true,"odd":1},"b":{"command":"y"},"c":{"disabled":true}}}',
		);
		expect(definitions.map(({ name, isOff }) => [name, isOff])).toEqual([
			["a", true],
			["b", undefined],
		]);
		expect(problems).toEqual([]);
		expect(parseText('{"servers":{"a":{"command":"x"}}}').definitions[0]?.hash).toBe(definitions[0]?.hash);
	});

	it("do not occupy a name of an active one", () => {
		const [off] = parseText('{"servers":{"a":{"command":"x","disabled":true}}}').definitions;
		const own = define("a", stdioConfig(), userOrigin);
		expect(off).toBeDefined();
		const names = mergeDefinitions([off === undefined ? [] : [off], [own]]).map(({ name }) => name);
		expect(names).toEqual(["a (.vscode/mcp.json in ws)", "a"]);
	});
});
