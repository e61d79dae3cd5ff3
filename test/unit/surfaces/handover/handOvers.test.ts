import { describe, expect, test } from "vitest";
import { agents, type AgentFile } from "../../../../src/surfaces/handover/agents.ts";
import { changes, planFile, type SharedDefinition } from "../../../../src/surfaces/handover/filePlan.ts";
import {
	handOverDone,
	handOverQuestion,
	handOverRows,
	planFiles,
	undoRow,
} from "../../../../src/surfaces/handover/handOverRows.ts";
import { HandOvers } from "../../../../src/surfaces/handover/handOvers.ts";
import { definition, MemorySecrets, stdioConfig, userOrigin, workspaceOrigin } from "../../servers/fixtures.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { MemoryText } from "../../setup/entries/memoryText.ts";

const command = { command: "/home/ann/.mcp-host/bin/mcp-host", args: ["serve"], env: {} };
const files = stdioConfig({ command: "npx", args: ["-y", "server-files", "/work"] });
const servers: readonly SharedDefinition[] = [
	definition("files", files),
	definition("orders", { kind: "http", url: "https://orders.example/mcp", headers: {}, protocol: "auto" }),
	definition("local", stdioConfig({ command: "node", args: ["local.mjs"] }), workspaceOrigin),
];

function fileOf(id: string, more: Partial<AgentFile> = {}): AgentFile {
	const agent = agents.find((one) => one.id === id);
	if (agent === undefined) throw new Error(id);
	return { agent, file: `/home/ann/${id}`, isOwn: true, isSuggested: true, ...more };
}

function plan(id: string, text: string, more: Partial<AgentFile> = {}) {
	const isNew = text === "";
	return planFile({ ...fileOf(id, more), text, isNew, folders: ["/ws"] }, command, servers);
}

const claude = `{
  "numStartups": 7,
  "mcpServers": {
    "raw": { "type": "stdio", "command": "npx", "args": ["-y", "server-files", "/work"], "env": { "TOKEN": "secret" } },
    "other": { "command": "uvx", "args": ["other"] },
    "mine": { "command": "node", "args": ["local.mjs"] }
  },
  "projects": {
    "/ws": { "mcpServers": { "here": { "command": "node", "args": ["local.mjs"] } } },
    "/elsewhere": { "mcpServers": { "there": { "command": "npx", "args": ["-y", "server-files", "/work"] } } }
  }
}
`;

const codex = `# my settings\r
model = "o"\r
\r
[mcp_servers.files]  # raw\r
command = "npx"\r
args = ["-y", "server-files", "/work"]\r
\r
[mcp_servers.files.env]\r
TOKEN = "secret"\r
\r
# keeps its comment\r
[mcp_servers."other one"]\r
command = "uvx"\r
\r
[profiles.x]\r
text = """\r
[mcp_servers.files]\r
"""\r
`;

describe("The change of an agent's file (GST-20)", () => {
	test.each([
		[
			"copilot-cli",
			{ mcpServers: { "mcp-host": { type: "local", command: command.command, args: ["serve"], tools: ["*"] } } },
		],
		["claude-code", { mcpServers: { "mcp-host": { command: command.command, args: ["serve"] } } }],
		["cursor", { mcpServers: { "mcp-host": { command: command.command, args: ["serve"] } } }],
		["vscode", { servers: { "mcp-host": { type: "stdio", command: command.command, args: ["serve"] } } }],
	])("writes the entry of %s in its own format", (id, wanted) => {
		const { after, isNew } = plan(id, "");
		expect(JSON.parse(after)).toEqual(wanted);
		expect(isNew).toBe(true);
	});

	test("writes the entry of codex in its own format", () => {
		expect(plan("codex", "").after).toBe(
			'[mcp_servers.mcp-host]\ncommand = "/home/ann/.mcp-host/bin/mcp-host"\nargs = [ "serve" ]\n',
		);
	});

	test("replaces the entries of servers that MCP Host runs, and no others", () => {
		const { after, replaced, staying } = plan("claude-code", claude);
		const read: unknown = JSON.parse(after);
		expect(read).toEqual({
			numStartups: 7,
			mcpServers: {
				other: { command: "uvx", args: ["other"] },
				mine: { command: "node", args: ["local.mjs"] },
				"mcp-host": { command: command.command, args: ["serve"] },
			},
			projects: {
				"/ws": { mcpServers: {} },
				"/elsewhere": { mcpServers: { there: { command: "npx", args: ["-y", "server-files", "/work"] } } },
			},
		});
		expect(replaced).toEqual(["raw", "here"]);
		// The workspace's server is needed in other folders, too.
		expect(staying).toEqual(["mine"]);
	});

	test("keeps comments, line ends and everything else of a TOML file", () => {
		const { after, replaced } = plan("codex", codex);
		expect(replaced).toEqual(["files"]);
		expect(after).toBe(`# my settings\r
model = "o"\r
\r
# keeps its comment\r
[mcp_servers."other one"]\r
command = "uvx"\r
\r
[profiles.x]\r
text = """\r
[mcp_servers.files]\r
"""\r
\r
[mcp_servers.mcp-host]\r
command = "/home/ann/.mcp-host/bin/mcp-host"\r
args = [ "serve" ]\r
`);
	});

	test.each([
		[
			"codex",
			'mcp_servers = { files = { command = "npx", args = ["-y", "server-files", "/work"] } }\n',
			"not written as",
		],
		["codex", "[mcp_servers\n", "not valid TOML"],
		["cursor", "{ broken", "not valid JSON"],
		["cursor", '{ "a": "\uFFFD" }', "UTF-8"],
	])("of %s is refused if the file cannot be edited: %s", (id, text, why) => {
		expect(() => plan(id, text)).toThrow(why);
	});

	test("is nothing when it is made a second time", () => {
		for (const [id, text] of [
			["claude-code", claude],
			["codex", codex],
			["copilot-cli", ""],
		] as const) {
			const { after } = plan(id, text);
			expect([id, changes(plan(id, after))]).toEqual([id, false]);
		}
	});

	test("replaces an entry of that name that starts another version", () => {
		const old = '{ "mcpServers": { "mcp-host": { "command": "node", "args": ["/ext-0.1/cli.js", "serve"] } } }';
		expect(JSON.parse(plan("cursor", old).after)).toEqual({
			mcpServers: { "mcp-host": { command: command.command, args: ["serve"] } },
		});
		expect(plan("codex", '[mcp_servers.mcp-host]\ncommand = "node"\n').after).toBe(plan("codex", "").after);
	});

	test("of a file of an open folder only removes entries", () => {
		const text =
			'{ "mcpServers": { "a": { "command": "node", "args": ["local.mjs"] }, "b": { "url": "https://b.example" } } }';
		const made = plan("cursor", text, { file: "/ws/.cursor/mcp.json", isOwn: false });
		expect(JSON.parse(made.after)).toEqual({ mcpServers: { b: { url: "https://b.example" } } });
	});
});

/** Files of agents in memory. */
class Scene {
	readonly texts = new Map<string, MemoryText>();
	readonly secrets = new MemorySecrets();
	readonly notes = new CollectedNotes();
	now = 1000;

	/** As a window does that was just opened. */
	open(): HandOvers {
		return new HandOvers({
			open: (file) => this.text(file),
			inTurn: (edit) => edit(),
			secrets: this.secrets,
			machine: "here",
			notes: this.notes,
			now: () => this.now++,
			shorten: (file) => file,
		});
	}

	text(file: string): MemoryText {
		const text = this.texts.get(file) ?? new MemoryText({ ...userOrigin, kind: "followed", file }, "");
		this.texts.set(file, text);
		return text;
	}

	fill(id: string, text: string): MemoryText {
		const target = this.text(`/home/ann/${id}`);
		target.text = text;
		target.isThere = true;
		return target;
	}
}

describe("A hand-over (GST-20)", () => {
	test.each([
		["claude-code", claude],
		["claude-code", `\uFEFF${claude.replaceAll("\n", "\r\n")}`],
		["codex", codex],
		["cursor", "{}"],
	])("of %s is undone to the byte, in another window too", async (id, text) => {
		const scene = new Scene();
		const target = scene.fill(id, text);
		await scene.open().write(plan(id, text));
		expect(target.text).not.toBe(text);
		const [record] = await scene.open().all();
		if (record === undefined) throw new Error("Nothing was kept.");
		await scene.open().undo(record);
		expect(target.text).toBe(text);
		expect(await scene.open().all()).toEqual([]);
	});

	test("that made a file deletes it again", async () => {
		const scene = new Scene();
		await scene.open().write(plan("cursor", ""));
		expect(scene.text("/home/ann/cursor").isThere).toBe(true);
		for (const record of await scene.open().all()) await scene.open().undo(record);
		expect(scene.text("/home/ann/cursor").isThere).toBe(false);
	});

	test("is not undone after the file was changed: a sentence says what to do", async () => {
		const scene = new Scene();
		const target = scene.fill("claude-code", claude);
		await scene.open().write(plan("claude-code", claude));
		const changed = target.text.replace("7", "8");
		target.text = changed;
		const [record] = await scene.open().all();
		if (record === undefined) throw new Error("Nothing was kept.");
		await expect(scene.open().undo(record)).rejects.toThrow(
			"/home/ann/claude-code was changed after MCP Host wrote it, so it was not restored. Remove the entry “mcp-host” there yourself. It replaced “raw”, “here”: add them there again if you need them.",
		);
		expect(target.text).toBe(changed);
		// By hand it is gone, and with it the offer.
		target.text = claude.replace("7", "9");
		await expect(scene.open().undo(record)).rejects.toThrow("It replaced");
		expect(await scene.open().all()).toEqual([]);
	});

	test("of a file that is already as before only forgets it", async () => {
		const scene = new Scene();
		const target = scene.fill("cursor", "{}");
		await scene.open().write(plan("cursor", "{}"));
		target.text = "{}";
		for (const record of await scene.open().all()) await scene.open().undo(record);
		expect([target.text, await scene.open().all()]).toEqual(["{}", []]);
	});

	test("is not made if the file was changed since it was shown", async () => {
		const scene = new Scene();
		const shown = plan("cursor", "{}");
		const target = scene.fill("cursor", '{ "a": 1 }');
		await expect(scene.open().write(shown)).rejects.toThrow("was changed in the meantime");
		expect([target.text, await scene.open().all()]).toEqual(['{ "a": 1 }', []]);
	});

	test("that cannot be written leaves nothing to undo", async () => {
		const scene = new Scene();
		scene.fill("cursor", "{}").onWrite = () => {
			throw new Error("read-only");
		};
		await expect(scene.open().write(plan("cursor", "{}"))).rejects.toThrow("read-only");
		expect(await scene.open().all()).toEqual([]);
	});

	test("of a file a second time is undone with the first", async () => {
		const scene = new Scene();
		const target = scene.fill("cursor", '{ "mcpServers": {} }');
		await scene.open().write(plan("cursor", target.text));
		const moved = { ...command, command: "/elsewhere/mcp-host" };
		const second = { ...fileOf("cursor"), text: target.text, isNew: false, folders: [] };
		await scene.open().write(planFile(second, moved, servers));
		expect(target.text).toContain("/elsewhere");
		for (const record of await scene.open().all()) await scene.open().undo(record);
		expect(target.text).toBe('{ "mcpServers": {} }');
	});

	test("keeps former entries in the key store, and on no other machine", async () => {
		const scene = new Scene();
		scene.fill("claude-code", claude);
		await scene.open().write(plan("claude-code", claude));
		expect([...scene.secrets.values.keys()]).toEqual(["mcpHost.handOver/here//home/ann/claude-code"]);
		expect(JSON.stringify(scene.notes.entries)).not.toContain("secret");
	});
});

describe("The list of agents", () => {
	const shorten = (file: string): string => file.replace("/home/ann", "~");

	test("says what happens to each file, and ticks those of agents that were used", async () => {
		const scene = new Scene();
		scene.fill("claude-code", claude);
		scene.fill("cursor", "{ broken");
		scene.fill("codex", plan("codex", "").after);
		const own = agents.map(({ id }) => fileOf(id, { isSuggested: id === "claude-code" }));
		const open = (file: string): MemoryText => scene.text(file);
		const services = { open, command, servers, folders: ["/ws"], followed: ["/home/ann/vscode"] };
		const rows = handOverRows(await planFiles(own, services), shorten);
		expect(rows.map(({ label, detail, isPicked }) => [label, detail, isPicked])).toEqual([
			["Copilot", "Adds “mcp-host”.", false],
			[
				"Claude Code",
				"Adds “mcp-host” in place of “raw”, “here”. “mine” stay: MCP Host runs them in this workspace only.",
				true,
			],
			["Codex", "Uses your servers already.", false],
			["Cursor", "Not possible: It is not valid JSON. Or it is too large to be edited.", false],
			[
				"VS Code",
				"Not possible: MCP Host reads servers from this file (mcpHost.followedFiles). Import them first.",
				false,
			],
		]);
	});

	test("asks with the files, and says when that turns on sharing", () => {
		const plans = [plan("claude-code", claude), plan("codex", codex)];
		expect(handOverQuestion(plans, shorten, false)).toBe(
			"Change 2 files of other agents as shown? ~/claude-code, ~/codex. This also turns on mcpHost.shareServers. Undo restores them to the byte.",
		);
		expect(handOverQuestion(plans, shorten, true)).not.toContain("shareServers");
		expect(handOverDone(plans)).toContain("Claude Code and Codex use your servers through MCP Host");
	});

	test("of what can be undone names the entries that return", async () => {
		const scene = new Scene();
		scene.fill("codex", codex);
		await scene.open().write(plan("codex", codex));
		await scene.open().write(plan("cursor", ""));
		const rows = (await scene.open().all()).map((record) => undoRow(record, (id) => id, shorten));
		expect(rows).toEqual([
			{ label: "cursor", description: "~/cursor", detail: "Deletes the file." },
			{ label: "codex", description: "~/codex", detail: "Removes “mcp-host”. Restores “files”." },
		]);
	});
});
