import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { mapsFolder } from "../tasks/paths.ts";
import { withSourcePositions } from "../tasks/sourcePositions.ts";

const root = resolve(import.meta.dirname, "../..");
const scripts = globSync("dist/{*,media/*}.js", { cwd: root }).map((name) => name.replaceAll("\\", "/"));

/** The place of a text in the package, as a stack names it. */
function placeOf(text: string): string {
	for (const script of scripts) {
		const lines = readFileSync(resolve(root, script), "utf8").split("\n");
		const line = lines.findIndex((one) => one.includes(text));
		const column = lines[line]?.indexOf(text) ?? -1;
		if (line >= 0) return `at x (file:///home/ann/.vscode/extensions/mcp-host/${script}:${line + 1}:${column + 1})`;
	}
	throw new Error(`No file of the package has "${text}".`);
}

test("each script of the package has a source map beside the package", () => {
	const maps = globSync("dist/{*,media/*}.js.map", { cwd: mapsFolder }).map((name) => name.replaceAll("\\", "/"));
	expect(maps.toSorted()).toEqual(scripts.map((name) => `${name}.map`).toSorted());
});

test.each([
	["src/servers/sessions/absence.ts", "No MCP server is configured."],
	["src/setup/bundles/archive.ts", "in it is encrypted."],
	["src/servers/host.ts", "This server is no longer configured."],
	["media/doctor/main.ts", "Copy Report"],
])("a place in the package leads to the line of %s", (source, text) => {
	const [, file = "", line = ""] = /\((\S+?):(\d+):\d+\)/.exec(withSourcePositions(placeOf(text), mapsFolder)) ?? [];
	expect(file).toBe(source);
	expect(readFileSync(resolve(root, source), "utf8").split("\n")[Number(line) - 1]).toContain(text);
});

test("a place without a source map stays as it is", () => {
	const stack = "at y (/tmp/dist/unknown.js:1:2)\nat node:internal/process:3:4";
	expect(withSourcePositions(stack, mapsFolder)).toBe(stack);
});
