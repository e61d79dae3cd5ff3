/**
 * Stories of VS Code's own MCP host, which reads the same file: which host runs its servers is asked, shown and
 * respected.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesOf, readReceived } from "../servers/received.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container, reviewFromTree } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience, press } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const chooseRunner = "MCP Host: Choose Host for Shared Servers…";
let folder: TestFolder;
let model: ScriptedModel;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	model = await startScriptedModel();
	editor = await startEditorWithVsix({
		workspace: await folder.workspace("shared", { ".vscode/mcp.json": { servers: { shared: smallEntry(log()) } } }),
		settings: {
			"mcpHost.models": [{ name: "Scripted", baseURL: model.url, models: ["scripted-model"] }],
			// The editor's own default, which other stories turn off.
			"chat.mcp.access": undefined,
		},
		size: { width: 1440, height: 900 },
	});
	await editor.tree.open(container);
});

afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await folder?.[Symbol.asyncDispose]();
});

function log(): string {
	return folder.file("shared.log");
}

/** The running processes of the file's server, started by either host. */
function census(): readonly number[] {
	const ids =
		process.platform === "win32" ? undefined : execFileSync("ps", ["-Ao", "pid=,args="], { encoding: "utf8" });
	if (ids === undefined) return processesOf(readReceived(log()));
	return ids
		.split("\n")
		.filter((line) => line.includes(log()))
		.map((line) => Number.parseInt(line, 10));
}

/** How often the server of the file was started since the story began. */
function starts(): number {
	return readReceived(log()).filter(({ kind }) => kind === "start").length;
}

/** The workspace's settings for the editor's own host. */
function access(): unknown {
	const file = path.join(editor.workspace, ".vscode/settings.json");
	if (!existsSync(file)) return undefined;
	return (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>)["chat.mcp.access"];
}

async function turn(): Promise<void> {
	model.next({ text: "Nothing to do." });
	expect(await editor.chat.ask("@mcp Hello")).toContain("Nothing to do.");
}

test("with Run Here Only, a turn of @mcp starts only processes that MCP Host starts (CFG-32)", async () => {
	// Asked once, shown in the row and in the review, and nothing is set meanwhile.
	await editor.tree.waitForSpoken("shared", "unapproved, VS Code can run it too");
	// The question stays in the status bar until it is answered, and lies over nothing (FST-18).
	const question = editor.page.locator(".statusbar-item", { hasText: "MCP: Choose Host" });
	await question.waitFor({ timeout: patience });
	await editor.dialogs.clearNotifications();
	await question.click();
	await editor.palette.waitForRow("Don't Ask Again");
	await editor.screenshot("shared-question");
	await editor.palette.cancel();
	await question.waitFor({ timeout: patience });
	const review = await reviewFromTree(editor, "shared");
	expect(await review.text()).toContain(
		"VS Code's own MCP host also reads this file and can run this server as a second process",
	);
	await press(review.button("Don't Start"));
	expect(access()).toBeUndefined();

	// The reason: by the editor's defaults, a message to @mcp has the editor's own host start the server, without
	// approval here.
	await editor.chat.open();
	await editor.chat.waitForModel("scripted-model");
	await turn();
	await expect.poll(census).toHaveLength(1);
	await editor.tree.waitForSpoken("shared", "unapproved, VS Code can run it too");

	await editor.palette.runAndPick(chooseRunner, "Run Here Only, in This Workspace");
	await editor.dialogs.waitForNotification(/VS Code's own MCP host is off: chat\.mcp\.access is "none"/);
	await expect.poll(access).toBe("none");
	await question.waitFor({ state: "hidden", timeout: patience });
	await expect.poll(census).toEqual([]);
	await editor.tree.waitForSpoken("shared", /^shared, waits for approval, unapproved, (?!VS Code)/);
	await editor.dialogs.clearNotifications();
	await turn();
	expect(census()).toEqual([]);
	await approve(editor, "shared");
	await turn();
	expect(census()).toHaveLength(1);
	expect(starts()).toBe(2);
});

/** Approves the server and chooses to run it here only, unless that is the case. */
async function runHere(): Promise<void> {
	if ((await editor.tree.read("shared")).accessibleName.startsWith("shared, running")) return;
	await editor.palette.runAndPick(chooseRunner, "Run Here Only, in This Workspace");
	await expect.poll(access).toBe("none");
	await editor.tree.waitForSpoken("shared", /^shared, (?:waits for approval|running)/);
	if ((await editor.tree.read("shared")).description === "unapproved") await approve(editor, "shared");
	await editor.dialogs.clearNotifications();
}

test("a server left to VS Code is not run here, and the same command undoes the choice (CFG-33)", async () => {
	await runHere();
	await editor.palette.runAndPick(chooseRunner, "Leave to VS Code");
	await editor.dialogs.waitForNotification("MCP Host leaves the servers of mcp.json to VS Code.");
	await expect.poll(access).toBeUndefined();
	await editor.tree.waitForDescription("shared", /^left to VS Code$/);
	await expect.poll(census).toEqual([]);
	await editor.dialogs.clearNotifications();
	await editor.palette.run("MCP Host: Start Server");
	await editor.palette.pick("shared");
	await editor.dialogs.waitForNotification('You left "shared" to VS Code. MCP Host does not run it.');
	await editor.screenshot("left-to-editor");
	expect(census()).toEqual([]);
	await editor.dialogs.clearNotifications();

	// A server that was approved before runs again, as it would after the window was reopened.
	await editor.palette.runAndPick(chooseRunner, "Run Here Only, in This Workspace");
	await editor.tree.waitForRunning("shared");
	expect(census()).toHaveLength(1);
	await editor.dialogs.clearNotifications();
});
