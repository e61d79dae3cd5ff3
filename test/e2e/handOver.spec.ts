/** A story of handing servers over to other agents, and of its undo in another window. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;
let home: string;

const share = "Share Servers with Other Agents…";
const bridge = "mcp-host";

/** The files of agents, as they are before. */
let claude = "";
let codex = "";

function at(name: string): string {
	return path.join(home, name);
}

function textOf(name: string): string {
	return existsSync(at(name)) ? readFileSync(at(name), "utf8") : "";
}

beforeAll(async () => {
	folder = await TestFolder.create();
	home = folder.file("home");
	const small = smallEntry(folder.file("small.log"));
	const { command, args } = small;
	claude = `${JSON.stringify({ numStartups: 7, mcpServers: { mine: { type: "stdio", command, args } }, theme: "dark" }, undefined, 2)}\n`;
	codex = `# my settings\nmodel = "o"\n\n[mcp_servers.small]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n\n[tui]\ntheme = "x"\n`;
	await mkdir(at(".codex"), { recursive: true });
	await writeFile(at(".claude.json"), claude);
	await writeFile(at(".codex/config.toml"), codex);
	editor = await startEditorWithVsix({ settings: { ...followsColorScheme, "mcpHost.servers": { small } }, home });
	await editor.tree.open(container);
	await approve(editor, "small");
	await editor.dialogs.clearNotifications();
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

test("servers are handed over to agents, an agent starts the written entry, and the undo restores each file (GST-20)", async () => {
	const { palette, dialogs, tree } = editor;
	await tree.titleAction(share);
	await palette.pick("Hand Over to Agents…");
	await palette.waitForTitle("Hand Over Servers to Other Agents");
	const rows = await palette.waitForRow("Claude Code");
	expect(rows.map(({ label, detail, isChecked }) => [label, detail, isChecked])).toEqual([
		["Copilot", "Adds “mcp-host”.", false],
		["Claude Code", "Adds “mcp-host” in place of “mine”.", true],
		["Codex", "Adds “mcp-host” in place of “small”.", true],
		["Cursor", "Adds “mcp-host”.", false],
		["VS Code", "Adds “mcp-host”.", false],
	]);
	await palette.settled();
	await takePictures(editor, "handover-agents");
	await palette.accept();

	const question = /Change 2 files of other agents as shown\? ~\/\.claude\.json, ~\/\.codex\/config\.toml\./;
	expect(await dialogs.waitForNotification(question)).toContain("turns on mcpHost.shareServers");
	expect(textOf(".claude.json")).toBe(claude);
	await editor.page
		.locator(".multiDiffEntry, .multi-diff-editor .monaco-editor")
		.first()
		.waitFor({ timeout: patience });
	await takePictures(editor, "handover-difference");
	await dialogs.answerNotification(question, "Change Files");
	await dialogs.waitForNotification(/Claude Code and Codex use your servers through MCP Host/);

	const launcher = at(`.mcp-host/bin/${bridge}`);
	expect(JSON.parse(textOf(".claude.json"))).toEqual({
		numStartups: 7,
		mcpServers: { [bridge]: { command: launcher, args: ["serve"] } },
		theme: "dark",
	});
	expect(textOf(".codex/config.toml")).toBe(
		`# my settings\nmodel = "o"\n\n[tui]\ntheme = "x"\n\n[mcp_servers.${bridge}]\ncommand = "${launcher}"\nargs = [ "serve" ]\n`,
	);
	await takePictures(editor, "handover-done");

	// The entry is started as an agent does.
	const client = new Client({ name: "story agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
	const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
	const cwd = editor.workspaceFolder;
	await client.connect(new StdioClientTransport({ command: launcher, args: ["serve"], env, cwd, stderr: "ignore" }));
	try {
		const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name);
		expect(await names()).toEqual([]);
		await dialogs.answerNotification(/calls itself “story agent”/, "Allow");
		await expect.poll(names, { timeout: patience }).toContain("small_echo");
	} finally {
		await client.close();
	}

	// An agent writes into its file.
	const changed = textOf(".claude.json").replace("7", "8");
	await writeFile(at(".claude.json"), changed);
	await editor.reload();
	await tree.open(container);
	await undo();
	await dialogs.waitForNotification(/~\/\.claude\.json was changed after MCP Host wrote it, so it was not restored/);
	await waitForCondition("The restored file", async () => textOf(".codex/config.toml") === codex);
	expect(textOf(".claude.json")).toBe(changed);
	await takePictures(editor, "handover-refused");
	await dialogs.clearNotifications();

	await writeFile(at(".claude.json"), changed.replace("8", "7"));
	await undo();
	await waitForCondition("The restored file", async () => textOf(".claude.json") === claude);
	await waitForCondition("The end of the launcher", async () => !existsSync(at(".mcp-host/bin")));

	async function undo(): Promise<void> {
		await tree.titleAction(share);
		await palette.pick("Undo Hand-Over…");
		await palette.waitForTitle("Undo Hand-Over");
		await palette.waitForRow("Claude Code");
		await palette.accept();
	}
});

test("the palette installs the command in a folder of the user, and uninstalls it (GST-21)", async () => {
	const { palette, dialogs } = editor;
	await palette.run("MCP Host: Install 'mcp-host' Command in PATH");
	await dialogs.waitForNotification(/The command “mcp-host” is installed: /);
	await takePictures(editor, "command-installed");
	const { status, stdout } = spawnSync(at(`.local/bin/${bridge}`), ["serve", "--help"], { encoding: "utf8" });
	expect([status, stdout]).toEqual([0, expect.stringContaining("Usage: mcp-host serve")]);
	await dialogs.clearNotifications();
	await palette.run("MCP Host: Uninstall 'mcp-host' Command from PATH");
	await dialogs.waitForNotification("The command “mcp-host” was removed: ~/.local/bin/mcp-host.");
	expect(existsSync(at(`.local/bin/${bridge}`))).toBe(false);
	await palette.run("MCP Host: Uninstall 'mcp-host' Command from PATH");
	await dialogs.waitForNotification("The command “mcp-host” is not installed.");
});
