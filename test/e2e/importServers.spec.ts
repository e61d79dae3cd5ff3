/** Stories of servers of other hosts: imported with one click, used in place, and started by neither action. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { stringify as toToml } from "smol-toml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify as toYaml } from "yaml";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const secret = "sk-import-0123456789-canary";
let folder: TestFolder;
let home: string;
let editor: RunningEditor;

/** A server of the story, with the members that most hosts share. */
function small(name: string): { readonly command: string; readonly args: readonly string[] } {
	const { command, args } = smallEntry(logOf(name));
	return { command, args };
}

function logOf(name: string): string {
	return folder.file(`${name}.log`);
}

/** Twelve servers in the files of six hosts, each in its own format. */
async function writeHosts(): Promise<void> {
	const write = (file: string, content: string | object): Promise<void> => writeContent(path.join(home, file), content);
	const { command, args } = small("opencode-one");
	await write(".config/Claude/claude_desktop_config.json", {
		mcpServers: { notes: { ...small("notes"), env: { NOTES_API_KEY: secret } }, calendar: small("calendar") },
	});
	await write(".cursor/mcp.json", {
		mcpServers: { browser: small("browser"), tickets: { url: "http://127.0.0.1:1/mcp" } },
	});
	await write(
		".codex/config.toml",
		toToml({ model: "m", mcp_servers: { docs: small("docs"), search: small("search") } }),
	);
	const stdio = (name: string) => {
		const { command: cmd, args: words } = small(name);
		return { type: "stdio", name, cmd, args: words, enabled: true, timeout: 300 };
	};
	const developer = { type: "builtin", name: "developer", enabled: true };
	await write(
		".config/goose/config.yaml",
		toYaml({ extensions: { developer, memory: stdio("memory"), drive: stdio("drive") } }),
	);
	await write(".config/zed/settings.json", {
		theme: "One Dark",
		context_servers: { zed: { source: "custom", ...small("zed") }, github: { source: "extension", settings: {} } },
	});
	await write(".config/opencode/opencode.json", {
		mcp: {
			one: { type: "local", command: [command, ...args], enabled: true },
			two: { type: "remote", url: "http://127.0.0.1:1/two" },
		},
	});
	await write(".claude.json", {
		numStartups: 3,
		mcpServers: { reviewer: small("reviewer") },
		oauthAccount: { accessToken: secret },
	});
}

const names = "notes calendar browser tickets docs search memory drive zed one two reviewer".split(" ");

beforeAll(async () => {
	folder = await TestFolder.create();
	home = folder.file("home");
	await mkdir(home);
	editor = await startEditorWithVsix({ settings: followsColorScheme, home });
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

async function importPanel(): Promise<FrameLocator> {
	await editor.editors.waitForActive("Import Servers");
	const panel = await editor.webview.document("Import Servers");
	await panel.locator("#add").waitFor({ timeout: patience });
	return panel;
}

async function rowNames(): Promise<readonly string[]> {
	return (await editor.tree.rows()).map(({ label }) => label);
}

function userSettings(): Promise<string> {
	return readFile(path.join(editor.userDataFolder, "User/settings.json"), "utf8");
}

test("without other hosts, the places that were searched are listed", async () => {
	await editor.tree.open(container);
	await editor.palette.run("MCP Host: Import Servers…");
	await editor.dialogs.waitForNotification("No new servers of other hosts were found");
	await editor.dialogs.clearNotifications();
});

test("twelve servers of seven hosts are listed after three clicks, and one Undo removes them (IMP-05)", async () => {
	await writeHosts();
	let clicks = 1;
	await editor.tree.open(container);
	clicks++;
	await editor.tree.welcomeButton("Import Servers…").click({ timeout: patience });
	const panel = await importPanel();
	expect(await panel.locator("#add").innerText()).toBe("Add 12 Servers");
	const text = await panel.locator("main").innerText();
	for (const host of ["Claude Desktop", "Cursor", "Codex", "Goose", "Zed", "opencode", "Claude Code"])
		expect(text).toContain(host);
	expect(text).not.toContain(secret);
	await takePictures(editor, "import-servers");
	clicks++;
	await panel.locator("#add").click();
	await editor.tree.waitForDescription("reviewer", "unapproved");
	expect(clicks).toBeLessThanOrEqual(4);
	expect(await rowNames()).toEqual(expect.arrayContaining(names));
	const message = await editor.dialogs.waitForNotification("12 servers imported");
	expect(message).toContain("1 not translated: github.");
	for (const name of names) expect(existsSync(logOf(name))).toBe(false);
	const settings = await userSettings();
	expect(settings).toContain("${input:");
	expect(settings).not.toContain(secret);
	await takePictures(editor, "import-servers-listed");

	// A server that exists already is not offered again.
	await editor.palette.run("MCP Host: Import Servers…");
	expect(await (await importPanel()).locator("#add").isDisabled()).toBe(true);
	await editor.editors.close("Import Servers");

	await editor.dialogs.answerNotification("12 servers imported", "Undo");
	await editor.tree.waitUntilGone("reviewer");
	expect(await userSettings()).not.toContain("calendar");
});

test("a linked file is used in place, and each change of it asks (IMP-03)", async () => {
	await writeHosts();
	await editor.tree.open(container);
	await editor.palette.run("MCP Host: Import Servers…");
	const panel = await importPanel();
	for (const all of await panel.locator('input[id^="all-"]').all()) await all.uncheck();
	for (const host of ["Zed", "Claude Code"]) {
		const group = panel
			.locator("section.group")
			.filter({ has: panel.getByRole("heading", { name: host, exact: true }) });
		await group.locator('input[id^="choose-"]').first().uncheck();
	}
	const cursor = panel
		.locator("section.group")
		.filter({ has: panel.getByRole("heading", { name: "Cursor", exact: true }) });
	await cursor.getByLabel(/^Follow this file/).check();
	await expect.poll(() => panel.locator("#add").innerText(), { timeout: patience }).toBe("Follow File");
	await takePictures(editor, "import-follow");
	await panel.locator("#add").click();
	await editor.tree.waitForSpoken("browser", "unapproved, Cursor, ~/.cursor/mcp.json");
	expect(await editor.dialogs.waitForNotification("is followed")).toContain("~/.cursor/mcp.json is followed");
	expect(await userSettings()).toContain('"~/.cursor/mcp.json"');
	expect(existsSync(logOf("browser"))).toBe(false);

	await approve(editor, "browser");
	const file = path.join(home, ".cursor/mcp.json");
	const { command, args } = small("browser");
	await writeContent(file, { mcpServers: { browser: { command, args: [...args, "--more"] }, late: small("late") } });
	await editor.tree.waitForSpoken("late", /unapproved, Cursor/);
	await editor.tree.waitForDescription("browser", /unapproved|changed/);
	await takePictures(editor, "import-followed-changed");
	await editor.dialogs.answerNotification("is followed", "Undo");
	await editor.tree.waitUntilGone("late");
	expect(await userSettings()).not.toContain("followedFiles");
});
