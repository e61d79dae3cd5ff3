import { describe, expect, it } from "vitest";
import { mergeDefinitions } from "../../../../src/servers/definitions/parseConfig.ts";
import { definition, stdioConfig, workspaceOrigin } from "../fixtures.ts";

describe("a server's own name", () => {
	it.each([
		"github (User Settings)",
		"github  (user settings) 2",
		"github (Workspace Settings)",
		"github (Demo)",
		"github (User \u0405ettings)",
		"github (\uFF35ser Settings)",
		"github (.mcp.json in other (1))",
	])("has its origin added if it claims another: %s (CFG-37)", (name) => {
		const [theirs] = mergeDefinitions([[definition(name, stdioConfig(), workspaceOrigin)]]);
		expect(theirs?.name).toBe(`${name.replace("  ", " ")} (.vscode/mcp.json in ws)`);
	});

	it("is unchanged if it names its own origin, or none", () => {
		const names = ["github (.vscode/mcp.json in ws)", "github (work)", "User Settings"];
		const merged = mergeDefinitions([names.map((name) => definition(name, stdioConfig(), workspaceOrigin))]);
		expect(merged.map(({ name }) => name)).toEqual(names);
	});
});
