import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import {
	projectName,
	pythonTemplate,
	type ServerTemplate,
	typescriptTemplate,
} from "../../../../src/setup/templates/serverTemplates.ts";

const templates: readonly ServerTemplate[] = [
	typescriptTemplate("orders"),
	pythonTemplate("orders", true),
	pythonTemplate("orders", false),
];

describe("a template of a server", () => {
	it.each(templates)("has an entry without a fault ($language, $install)", (template) => {
		const text = JSON.stringify({ servers: { orders: template.entry("mcp-server/") } });
		const { definitions, problems } = parseConfig({
			origin: { kind: "mcp-json", label: "", isWorkspace: true, folder: "/ws", file: "/ws/.vscode/mcp.json" },
			content: { text },
		});
		expect(problems).toEqual([]);
		expect(definitions[0]?.watch?.[0]).toMatch(/^mcp-server\/\*/);
		expect([...template.files.keys()]).toContain(template.main);
		expect(text).toContain(`mcp-server/${template.main}`);
	});

	it("declares packages of the versions that are tested here", () => {
		const { dependencies } = JSON.parse(typescriptTemplate("orders").files.get("package.json") ?? "") as {
			dependencies: Record<string, string>;
		};
		for (const [name, range] of Object.entries(dependencies)) {
			const path = resolve("node_modules", name, "package.json");
			const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
			const [major, minor] = version.split(".").map(Number);
			const [, wantedMajor, wantedMinor] = /^\^(\d+)\.(\d+)\./.exec(range) ?? [];
			expect(major).toBe(Number(wantedMajor));
			expect(minor).toBeGreaterThanOrEqual(Number(wantedMinor));
		}
	});

	it.skipIf(!hasPython())("in Python compiles", () => {
		const folder = mkdtempSync(join(tmpdir(), "mcp-template-"));
		onTestFinished(() => rmSync(folder, { recursive: true }));
		const path = join(folder, "server.py");
		writeFileSync(path, pythonTemplate('my "orders"', false).files.get("server.py") ?? "");
		expect(() => execFileSync("python3", ["-m", "py_compile", path], { stdio: "pipe" })).not.toThrow();
	});

	it.each([
		["wsB", "wsb"],
		["My Server!", "my-server"],
		["server", "my-server"],
		["注文", "my-server"],
	])("is named after its folder: %s", (folder, name) => expect(projectName(folder)).toBe(name));
});

function hasPython(): boolean {
	try {
		execFileSync("python3", ["--version"], { stdio: "pipe" });
		return true;
	} catch {
		return false;
	}
}
