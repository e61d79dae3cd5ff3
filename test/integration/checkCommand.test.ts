import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { jsonObjectOf } from "../../src/base/guards.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { project, shell } from "./commandLineScene.ts";

describe("cli.js check (DOC-10)", () => {
	it("says what was found, where, and what to do, and ends with 1 for a warning", async () => {
		const { code, out } = await shell("mcp-host check orders", project("tool-listed-twice"));
		expect(code).toBe(1);
		expect(out).toContain("orders (running): 1 warning\n");
		expect(out).toContain(
			"  WARNING  search_orders is listed more than once. Only the first one is used. [duplicate]\n",
		);
		expect(out).toContain(`    at tools/list: result.tools[2]\n    in ${path.join(".vscode", "mcp.json")}:3\n`);
		expect(out).toContain("https://modelcontextprotocol.io/specification/2025-11-25/server/tools\n");
	});

	it("fails for a note only if it is strict, and leaves out rules that are ignored", async () => {
		const folder = project("no-mime-type");
		expect(await shell("mcp-host check orders", folder)).toMatchObject({ code: 0 });
		expect(await shell("mcp-host check orders --strict", folder)).toMatchObject({ code: 1 });
		const ignored = await shell("mcp-host check orders --strict --ignore no-mime-type", folder);
		expect(ignored).toMatchObject({ code: 0, out: "orders (running): no problems were found, 1 ignored\n" });
	});

	it("leaves out what the entry ignores, and says how many there were (DOC-12)", async () => {
		const folder = project("no-mime-type");
		const file = path.join(folder, ".vscode/mcp.json");
		const config: { readonly servers: { readonly orders: object } } = JSON.parse(readFileSync(file, "utf8"));
		const orders = { ...config.servers.orders, dev: { ignoredFindings: ["no-mime-type"] } };
		writeFileSync(file, JSON.stringify({ servers: { orders } }));
		const ignored = await shell("mcp-host check orders --strict", folder);
		expect(ignored).toMatchObject({
			code: 0,
			errors: "",
			out: "orders (running): no problems were found, 1 ignored\n",
		});
	});

	it("writes a failure for each warning as JUnit", async () => {
		const { code, out } = await shell("mcp-host check orders --reporter junit", project("read-only-delete"));
		expect(code).toBe(1);
		expect(out).toContain('<testsuite name="orders" tests="2" failures="1" errors="0" skipped="0">');
		expect(out).toContain('name="contradicting-annotations: tool “delete_orders”"');
	});

	it("writes SARIF 2.1.0 with the rule, the level and the entry of the server", async () => {
		const { out } = await shell("mcp-host check orders --reporter sarif", project("tool-listed-twice"));
		const log: { readonly version: string; readonly runs: readonly JsonObject[] } = JSON.parse(out);
		expect(log.version).toBe("2.1.0");
		expect(log.runs[0]).toMatchObject({
			tool: { driver: { name: "MCP Host", rules: [{ id: "duplicate" }] } },
			results: [
				{
					ruleId: "duplicate",
					level: "warning",
					locations: [
						{
							physicalLocation: { artifactLocation: { uri: ".vscode/mcp.json" }, region: { startLine: 3 } },
							logicalLocations: [{ fullyQualifiedName: "orders: tools/list: result.tools[2]" }],
						},
					],
				},
			],
		});
		expect(jsonObjectOf(log.runs[0])["results"]).toHaveLength(1);
	});

	it("names the cause of a failed start", async () => {
		const { code, out } = await shell("mcp-host check -- node nowhere.mjs", project());
		expect(code).toBe(1);
		expect(out).toMatch(/^server \(failed\): 1 error/);
		expect(out).toContain("nowhere.mjs” does not exist.");
	});

	it("starts nothing that is not named, and refuses what it does not understand", async () => {
		const folder = project(undefined, { other: { command: "sh", args: ["-c", "touch ran"] } });
		expect(await shell("mcp-host check orders", folder)).toMatchObject({ code: 0 });
		expect(() => readFileSync(path.join(folder, "ran"))).toThrow(/ENOENT/);
		expect(await shell("mcp-host check", folder)).toMatchObject({ code: 2, out: "" });
		expect(await shell("mcp-host check nobody", folder)).toMatchObject({
			code: 2,
			errors: 'There is no server "nobody". The configuration has: orders, other.\n',
		});
		expect(await shell("mcp-host check orders --reporter tap", folder)).toMatchObject({ code: 2 });
		const help = await shell("mcp-host check --help", folder);
		expect(help).toMatchObject({ code: 0, out: expect.stringContaining("--ignore RULE") as string });
	});
});
