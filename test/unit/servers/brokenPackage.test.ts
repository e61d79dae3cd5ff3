import { describe, expect, it } from "vitest";
import { packageOf } from "../../../src/servers/definitions/packageOf.ts";
import { causeOf } from "../../../src/servers/sessions/startCause.ts";

function cause(command: string, line: string) {
	const [program = "", ...args] = command.split(" ");
	const launched = packageOf(program, args);
	if (launched === undefined) throw new Error("no package");
	return causeOf(line.split("\n"), undefined, { mayGuess: true, launched });
}

describe("A package that is broken inside (DOC-01)", () => {
	it.each([
		["npx -y acme-mcp", "npm error 404  '@acme/gone@1.0.0' is not in this registry."],
		["npx -y acme-mcp@1.2.0", "npm error notarget No matching version found for left-pad@^99.0.0."],
		["npx -y @acme/mcp", "Error: Cannot find module '/home/me/.npm/_npx/1/node_modules/@acme/mcp/dist/index.js'"],
		[
			"npx -y acme-mcp",
			"Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /x/node_modules/acme-mcp/i.js",
		],
		["npx -y @acme/acme-mcp", "sh: 1: acme-mcp: not found"],
		["uvx acme-mcp", "ModuleNotFoundError: No module named 'mcp.server.gone'"],
		["uvx acme-mcp", "Because acme-core was not found in the package registry and acme-mcp depends on it"],
	])("of %s is reported as such, and its name is not doubted: %s", (command, line) => {
		const found = cause(command, line);
		expect(found?.kind).toBe("broken-package");
		expect(found?.words).toContain("was found, but is broken");
		expect(found?.words).not.toMatch(/typo|Check its name/);
	});

	it.each([
		["npx -y acme-mcp", "npm error 404  'acme-mcp@*' is not in this registry.", "no-package"],
		[
			"npx -y @acme/mcp",
			"npm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fmcp - Not found",
			"no-package",
		],
		["npx -y acme-mcp@9", "npm error notarget No matching version found for acme-mcp@9.", "no-version"],
		["uvx Acme_MCP", "Because acme-mcp was not found in the package registry", "no-package"],
		["npx -y acme-mcp", "Error: Cannot find module '/home/me/mine.js'", "no-module"],
		["npx -y acme-mcp", "sh: 1: git: not found", "no-program"],
	])("is not seen in output about the entry: %s: %s", (command, line, kind) => {
		expect(cause(command, line)?.kind).toBe(kind);
	});

	it("has no doubtful name if it has no program either", () => {
		const words = cause("npx -y acme-mcp", "npm error could not determine executable to run")?.words;
		expect(words).toContain("no program to run");
		expect(words).not.toContain("Check its name");
	});
});
