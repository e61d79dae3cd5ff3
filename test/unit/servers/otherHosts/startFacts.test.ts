import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
	cellOf,
	measuredWith,
	starterNames,
	starters,
	startersOf,
	startPlaces,
	stillStarted,
	stillStartedBriefly,
	turnedOff,
	type EditorAccess,
} from "../../../../src/servers/otherHosts/startFacts.ts";

const root = path.resolve(import.meta.dirname, "../../../..");

/** A page as text: without marks of code, and with lines of a paragraph joined. */
function page(name: string): string {
	return readFileSync(path.join(root, name), "utf8").replaceAll("`", "").replace(/\s+/g, " ");
}

/** The table of a section of a page: its cells, row by row. */
function table(name: string, heading: string): readonly (readonly string[])[] {
	const text = readFileSync(path.join(root, name), "utf8").replaceAll("`", "");
	const section = text.slice(text.indexOf(heading)).split("\n## ")[0] ?? "";
	const rows = section.split("\n").filter((line) => line.startsWith("|"));
	return rows.map((row) =>
		row
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

/** The table according to the facts, for some of the hosts. */
function facts(access: EditorAccess, hosts = starters): readonly (readonly string[])[] {
	return startPlaces.map((place) => [
		place.name,
		...hosts.map((host) => cellOf(place, host, access).replace(/^off$/, "–")),
	]);
}

describe("The table of which host starts which server (CFG-42)", () => {
	it("has the eight places, of which Run Here Only turns off those that VS Code reads or forwards", () => {
		expect(startPlaces).toHaveLength(8);
		const still = startPlaces.filter(({ id }) => startersOf(id, false).length > 0).map(({ name }) => name);
		expect(still).toEqual([".mcp.json", "~/.copilot/mcp-config.json", "~/.claude.json", "~/.codex/config.toml"]);
		expect(startersOf("root", true)).toEqual(["local", "copilot", "claude", "codex"]);
		expect(startersOf("root", false)).toEqual(["copilot", "claude", "codex"]);
		expect([startersOf("github", true), startersOf("vscode", false)]).toEqual([[], []]);
	});

	it("matches the documentation, with the measured versions", () => {
		const document = "docs/who-starts-what.md";
		const heading = ["Place", ...starters.map((host) => starterNames[host])];
		const line = heading.map(() => "---");
		expect(table(document, "## By default")).toEqual([heading, line, ...facts("all")]);
		expect(table(document, "## With *Run Here Only*")).toEqual([heading, line, ...facts("none")]);
		expect(table(document, "## With a registry")).toEqual([
			heading.slice(0, 3),
			line.slice(0, 3),
			...facts("registry", ["local", "copilot"]),
		]);
		expect(page(document)).toContain(measuredWith);
	});

	it.each(["docs/other-agents.md", "SECURITY.md"])("matches the text of %s about Run Here Only", (name) => {
		expect(page(name)).toContain(turnedOff().replace(/\.$/, ""));
		expect(page(name)).toContain(stillStarted());
	});

	it("is worded in full and in brief", () => {
		expect(turnedOff()).toBe(
			"VS Code's own MCP host is off, and forwards no servers to agent sessions: neither those of .vscode/mcp.json, your user mcp.json nor other extensions.",
		);
		expect(stillStarted()).toBe(
			"Agent sessions still start the servers of .mcp.json (Copilot, Claude, Codex), ~/.copilot/mcp-config.json (Copilot), ~/.claude.json (Claude, when a window opens) and ~/.codex/config.toml (Codex).",
		);
		expect(stillStartedBriefly()).toBe(
			"Agent sessions of Copilot, Claude and Codex still start the servers of .mcp.json and of their own files.",
		);
	});
});
