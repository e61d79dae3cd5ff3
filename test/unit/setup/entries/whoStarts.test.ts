import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import { Census } from "../../../../src/servers/otherHosts/census.ts";
import type { HostMachine } from "../../../../src/setup/entries/hostFiles.ts";
import { readPlaces, type PlaceFile } from "../../../../src/setup/entries/whoStarts.ts";
import { whoStartsPage, type HostedServer, type WhoStartsFacts } from "../../../../src/setup/entries/whoStartsPage.ts";
import { workspaceOrigin } from "../../servers/fixtures.ts";

let home: string;
let machine: HostMachine;
let files: readonly PlaceFile[];

const command = (name: string) => ({ command: "node", args: [`${name}.js`] });
const json = (key: string, ...names: readonly string[]): string =>
	JSON.stringify({ [key]: Object.fromEntries(names.map((name) => [name, command(name)])) });

function write(file: string, text: string): void {
	mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
	writeFileSync(path.join(home, file), text);
}

beforeAll(async () => {
	home = mkdtempSync(path.join(tmpdir(), "who-starts-"));
	machine = {
		platform: process.platform,
		home,
		environment: {},
		folders: [path.join(home, "ws")],
		editorFolder: path.join(home, "editor/User"),
	};
	write("ws/.vscode/mcp.json", `// ours\n${json("servers", "inner")}`);
	write("ws/.mcp.json", json("mcpServers", "team", "a | [b](http://x)"));
	write("ws/.github/mcp.json", json("mcpServers", "hub"));
	write("ws/.codex/config.toml", "[mcp_servers.ofFolder]\ncommand = 'node'\n");
	write("editor/User/mcp.json", json("servers", "mine"));
	write("editor/User/profiles/p1/mcp.json", json("servers", "profiled"));
	write(".copilot/mcp-config.json", json("mcpServers", "pilot"));
	const projects = {
		[path.join(home, "ws")]: { mcpServers: { near: command("near") } },
		"/far": { mcpServers: { far: command("far") } },
	};
	write(".claude.json", JSON.stringify({ history: ["…"], mcpServers: { cloud: command("cloud") }, projects }));
	write(
		".codex/config.toml",
		'[mcp_servers.dex]\ncommand = "node"\nargs = ["dex.js"]\n[mcp_servers.web]\nurl = "https://x.test/mcp"\n',
	);
	files = await readPlaces(machine);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The input of the page, with VS Code's host on, or with the changes. */
function facts(changes: Partial<WhoStartsFacts> = {}): WhoStartsFacts {
	return {
		files,
		servers: [],
		access: "all",
		census: undefined,
		shorten: (file) => path.relative(home, file).replaceAll(path.sep, "/"),
		isRemote: false,
		...changes,
	};
}

/** The first cells of the rows of a table of the page, without escapes. */
function rows(page: string): readonly (readonly string[])[] {
	return page
		.split("\n")
		.filter((line) => line.startsWith("| "))
		.map((line) =>
			line
				.slice(2, -2)
				.split(" | ")
				.map((cell) => cell.replace(/\\([!-/:-@[-`{-~])/g, "$1")),
		);
}

const origin = (kind: "mcp-json" | "dot-mcp-json", file: string): ConfigOrigin => ({
	...workspaceOrigin,
	kind,
	file: path.join(home, file),
});

describe("The files of the eight places (CFG-44)", () => {
	it("are read unchanged, in the order of the table, with the servers of open folders", () => {
		const found = files.map(({ place, path: file, servers }) => [
			place,
			path.relative(home, file).replaceAll(path.sep, "/"),
			servers.map(({ name }) => name).join(", "),
		]);
		expect(found).toEqual([
			["vscode", "ws/.vscode/mcp.json", "inner"],
			["root", "ws/.mcp.json", "team, a | [b](http://x)"],
			["user", "editor/User/mcp.json", "mine"],
			["user", "editor/User/profiles/p1/mcp.json", "profiled"],
			["copilot", ".copilot/mcp-config.json", "pilot"],
			["claude", ".claude.json", "cloud, near"],
			["codex", ".codex/config.toml", "dex, web"],
			["github", "ws/.github/mcp.json", "hub"],
		]);
		expect(files.at(-2)?.servers).toEqual([
			{ name: "dex", command: { command: "node", args: ["dex.js"] } },
			{ name: "web", url: "https://x.test/mcp" },
		]);
	});

	it("show why they were not read if they are broken or too large", async () => {
		const other = mkdtempSync(path.join(tmpdir(), "who-starts-"));
		try {
			writeFileSync(path.join(other, ".claude.json"), "");
			truncateSync(path.join(other, ".claude.json"), 8_000_001);
			writeFileSync(path.join(other, ".mcp.json"), '{ "mcpServers": ');
			const found = await readPlaces({
				...machine,
				home: other,
				folders: [other],
				editorFolder: path.join(other, "none"),
			});
			expect(found.map(({ place, problem, servers }) => [place, problem, servers])).toEqual([
				["root", "It cannot be read as a configuration.", []],
				["claude", "It is too large to be read.", []],
			]);
		} finally {
			rmSync(other, { recursive: true, force: true });
		}
	});
});

describe("The page Who Starts What (CFG-44)", () => {
	const started = [
		["Place", "Servers", "MCP Host", "VS Code", "Copilot", "Claude", "Codex"],
		["---", "---", "---", "---", "---", "---", "---"],
	];
	const late = "when chosen, or first message";

	it("lists all places with the hosts of their servers while VS Code's own host is on", () => {
		const servers: readonly HostedServer[] = [
			{ name: "inner", command: command("inner"), origin: origin("mcp-json", "ws/.vscode/mcp.json"), isLeft: true },
			{ name: "team", command: command("team"), origin: origin("dot-mcp-json", "ws/.mcp.json"), isLeft: false },
		];
		expect(rows(whoStartsPage(facts({ servers })))).toEqual([
			...started,
			["ws/.vscode/mcp.json", "inner", "left to VS Code", "first message", "not seen", "not seen", late],
			[
				"ws/.mcp.json",
				"team, a | [b](http://x)",
				"after approval",
				"first message",
				"first message",
				"first message",
				late,
			],
			["editor/User/mcp.json", "mine", "–", "first message", "first message", "first message", late],
			["editor/User/profiles/p1/mcp.json", "profiled", "–", "first message", "first message", "first message", late],
			["other extensions", "not known", "–", "first message", "first message", "first message", late],
			[".copilot/mcp-config.json", "pilot", "–", "–", "first message", "–", "–"],
			[".claude.json", "cloud, near", "–", "–", "–", "when a window opens", "–"],
			[".codex/config.toml", "dex, web", "–", "–", "–", "–", late],
			["ws/.github/mcp.json", "hub", "–", "–", "–", "–", "–"],
		]);
	});

	it("shows exactly what Run Here Only turns off", () => {
		const page = whoStartsPage(facts({ access: "none" }));
		expect(
			rows(page)
				.slice(2, 5)
				.map((row) => row.slice(3)),
		).toEqual([
			["off", "off", "off", "off"],
			["off", "first message", "first message", late],
			["off", "off", "off", "off"],
		]);
		expect(rows(page)[8]?.[5]).toBe("when a window opens");
		expect(page).toContain("Move Servers of .mcp.json…");
		expect(whoStartsPage(facts({ files: [] }))).not.toContain("Move Servers");
	});

	it("shows only the registry's servers, and none of .mcp.json, for a host that is limited to them", () => {
		const page = whoStartsPage(facts({ access: "registry" }));
		expect(page).toContain("starts only servers of its registry");
		const limited = "only of the registry";
		expect(
			rows(page)
				.slice(2)
				.map((row) => row.slice(3)),
		).toEqual([
			[limited, limited, limited, limited],
			["off", "first message", "first message", late],
			[limited, limited, limited, limited],
			[limited, limited, limited, limited],
			["off", "first message", "first message", late],
			["–", "first message", "–", "–"],
			["–", "–", "when a window opens", "–"],
			["–", "–", "–", late],
			["–", "–", "–", "–"],
		]);
	});

	it("shows that nothing goes through an editor without a host of its own", () => {
		const page = whoStartsPage(facts({ access: undefined }));
		expect(page).toContain("This editor has no MCP host of its own.");
		expect(rows(page)[2]?.slice(3)).toEqual(["off", "off", "off", "off"]);
	});

	it("shows names of files as text", () => {
		expect(whoStartsPage(facts())).toContain(String.raw`a \| \[b\]\(http\:\/\/x\)`);
	});

	it("lists the processes that run these servers, each with its host", () => {
		const census = new Census(
			[
				{ pid: 10, parent: 1, words: ["node", "bootstrap", "--type=extensionHost"] },
				{ pid: 11, parent: 1, words: ["/x/copilot-runtime"] },
				{ pid: 20, parent: 10, words: ["node", "team.js"] },
				{ pid: 21, parent: 11, words: ["node", "team.js"] },
				{ pid: 22, parent: 11, words: ["node", "unknown.js"] },
				{ pid: 23, parent: 10, words: ["node", "mine.js"] },
			],
			{ ours: new Set([20]), extensionHost: 10 },
		);
		const team = { name: "team", command: command("team"), pid: 20, isLeft: false };
		const servers = [{ ...team, origin: origin("dot-mcp-json", "ws/.mcp.json") }];
		const page = whoStartsPage(facts({ servers, census }));
		expect(rows(page.slice(page.indexOf("## What Runs Now")))).toEqual([
			["Server", "Process", "Run by"],
			["---", "---", "---"],
			["team", "20", "MCP Host"],
			["team", "21", "copilot-runtime (Copilot)"],
			["mine", "23", "VS Code"],
		]);
		expect(whoStartsPage(facts({ census: new Census([], { ours: new Set(), extensionHost: 1 }) }))).toContain(
			"No process of these servers was found",
		);
		expect(whoStartsPage(facts())).toContain("Processes are not inspected on Windows");
	});
});
