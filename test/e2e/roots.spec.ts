/** Stories of roots: a server sees exactly the workspace folders, and is notified when they change. */
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { messagesOf, readReceived } from "../servers/received.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { answerCall, toolResults } from "./fixtures/chatStory.ts";
import { packageEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container, reviewFromTree } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { clicks, patience, press, succeeds, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let model: ScriptedModel;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	model = await startScriptedModel();
	editor = await startEditorWithVsix({
		workspace: "test/workspace/roots/roots.code-workspace",
		// Without Workspace Trust: to trust a workspace file reopens it, see `waitForFolders`.
		isTrusted: false,
		settings: {
			"security.workspace.trust.enabled": false,
			"mcpHost.models": [{ name: "Scripted", baseURL: model.url }],
			"mcpHost.servers": {
				files: packageEntry("@modelcontextprotocol/server-filesystem"),
				legacy: smallEntry(legacyLog(), "--era", "legacy"),
			},
		},
	});
	await editor.tree.open(container);
	await approve(editor, "files");
	await approve(editor, "legacy");
	await waitForFolders();
	await editor.chat.open();
	await editor.chat.waitForModel("scripted-model");
});

afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await folder?.[Symbol.asyncDispose]();
});

// Folders and choices of a failed story must not reach the next one.
beforeEach(async () => {
	const { tree, palette } = editor;
	if ((await readFile(editor.workspace, "utf8")).includes("docs")) await openFolders("client", "server");
	await tree.open(container);
	await tree.expand("files");
	await tree.waitForDescription(["files", "Roots"], /^2$/);
	await tree.expand("legacy");
	if ((await tree.read(["legacy", "Roots"])).accessibleName.includes("chosen by you")) {
		await tree.contextMenu("legacy", "Choose Roots…");
		await palette.pick("All Workspace Folders (default)");
		await palette.accept();
		await tree.waitForDescription(["legacy", "Roots"], /^2$/);
	}
	await tree.collapse("legacy");
});

/**
 * Sometimes the editor gives extensions no folders of a workspace file that it has just opened, and none when the file
 * changes: then the story reloads the window, as a user would.
 */
async function waitForFolders(): Promise<void> {
	await waitForCondition("The folders of the workspace", async () => {
		await editor.tree.expand("files");
		const { description } = await editor.tree.waitForDescription(["files", "Roots"], /^\d+$/);
		if (description !== "0") return true;
		await editor.reload();
		await editor.tree.open(container);
		await editor.tree.waitForRunning("files");
		return false;
	});
}

test("every workspace folder is a root, and a file server serves exactly these", async () => {
	await editor.tree.expand(["files", "Roots"]);
	await editor.tree.waitForDescription(["files", "Roots"], /^2$/);
	await editor.tree.row(["files", "Roots", "client"]);
	await editor.tree.row(["files", "Roots", "server"]);
	await editor.screenshot("roots-tree");

	expect(await allowedFolders()).toEqual(["client", "server"]);
	expect(await call("read_text_file", { path: pathOf("client", "README.md") })).toContain("# Client");
	expect(await call("read_text_file", { path: pathOf("roots.code-workspace") })).toMatch(/Access denied/);
	expect(JSON.parse(await call("roots"))).toEqual(roots("client", "server"));
});

test("adding and removing a folder reaches a legacy server", async () => {
	const heard = announcements();
	await mkdir(pathOf("docs"));
	await openFolders("client", "server", "docs");
	await editor.tree.waitForDescription(["files", "Roots"], /^3$/);
	await expect.poll(announcements, { timeout: patience }).toBe(heard + 1);
	expect(JSON.parse(await call("roots"))).toEqual(roots("client", "server", "docs"));
	// The file server requests the roots again before it applies them.
	await expect.poll(allowedFolders, { timeout: patience }).toEqual(["client", "server", "docs"]);

	await openFolders("client", "server");
	await editor.tree.waitForDescription(["files", "Roots"], /^2$/);
	await expect.poll(announcements, { timeout: patience }).toBe(heard + 2);
	await expect.poll(allowedFolders, { timeout: patience }).toEqual(["client", "server"]);
	expect(await call("read_text_file", { path: pathOf("docs", "README.md") })).toMatch(/Access denied/);
});

test("the user chooses the roots of one server without a restart, and only that server is notified", async () => {
	const before = { heard: announcements(), starts: starts() };
	await editor.tree.collapse("files");
	await editor.tree.expand("legacy");
	await editor.tree.inlineAction(["legacy", "Roots"], "Choose Roots…");
	await editor.palette.waitForTitle("Roots of legacy");
	await expect.poll(ticks).toEqual({
		"All Workspace Folders (default)": true,
		"No Roots": false,
		client: true,
		server: true,
	});
	await expect.poll(() => editor.palette.placeholder()).toMatch(/it asked for them at/);
	await editor.palette.pick("client");
	await expect.poll(ticks, { timeout: patience }).toEqual({
		"All Workspace Folders (default)": false,
		"No Roots": false,
		client: false,
		server: true,
	});
	await editor.screenshot("roots-choose");
	await editor.palette.accept();
	await editor.tree.waitForSpoken(["legacy", "Roots"], "1, chosen by you");
	await expect.poll(announcements, { timeout: patience }).toBe(before.heard + 1);
	expect(JSON.parse(await call("legacy_roots"))).toEqual(roots("server"));
	expect(await allowedFolders()).toEqual(["client", "server"]);

	await editor.tree.contextMenu("legacy", "Choose Roots…");
	await editor.palette.waitForTitle("Roots of legacy");
	await editor.palette.pick("No Roots");
	await expect.poll(ticks, { timeout: patience }).toMatchObject({ "No Roots": true, server: false });
	await editor.palette.accept();
	await editor.tree.waitForSpoken(["legacy", "Roots"], "0, chosen by you");
	expect(JSON.parse(await call("legacy_roots"))).toEqual([]);
	expect(starts()).toBe(before.starts);
});

test("a folder beside the workspace is added, and the choice is kept after a reload", async () => {
	await mkdir(pathOf("beside"), { recursive: true });
	await editor.tree.contextMenu("legacy", "Choose Roots…");
	await editor.palette.waitForTitle("Roots of legacy");
	await editor.palette.waitForRow("No Roots");
	if ((await ticks())["No Roots"] !== true) {
		await editor.palette.pick("No Roots");
		await expect.poll(ticks).toMatchObject({ "No Roots": true });
	}
	await editor.palette.pressButton("Add Folder…");
	await editor.palette.waitForTitle("Add Folder as Root");
	// The dialog begins with a folder of its own, which it fills in when it has read it.
	await expect.poll(() => editor.palette.input.inputValue()).toMatch(/\/client\/$/);
	await editor.palette.fill(`${pathOf("beside")}/`);
	// The dialog ignores buttons while it reads the typed path.
	const add = editor.palette.widget.getByRole("button", { name: "Add as Root" }).first();
	await waitForCondition("The end of the dialog", async () => {
		await clicks(add);
		return succeeds(add.waitFor({ state: "hidden", timeout: 3000 }));
	});
	await editor.palette.waitForTitle("Roots of legacy");
	await expect.poll(ticks).toMatchObject({ "No Roots": false, client: false, server: false, beside: true });
	await editor.screenshot("roots-add-folder");
	await editor.palette.accept();
	await editor.tree.expand(["legacy", "Roots"]);
	await editor.tree.row(["legacy", "Roots", "beside"]);
	expect(JSON.parse(await call("legacy_roots"))).toEqual(roots("beside"));

	await editor.reload();
	await editor.tree.open(container);
	await editor.tree.waitForRunning("legacy");
	await editor.tree.expand("legacy");
	await editor.tree.waitForSpoken(["legacy", "Roots"], "1, chosen by you");
	await editor.tree.contextMenu(["legacy", "Roots"], "Choose Roots…");
	await editor.palette.pick("All Workspace Folders (default)");
	await editor.palette.accept();
	await editor.tree.waitForDescription(["legacy", "Roots"], /^2$/);
	// The previous window ends with its servers; until then it starts approved servers, as every window of this folder
	// does.
	await expect.poll(() => starts() - ends(), { timeout: patience }).toBe(1);
});

test("a server of a folder's file gets that folder, and more only after a review that shows it", async () => {
	const file = pathOf("client", ".vscode", "mcp.json");
	const entry = smallEntry(folder.file("shared.log"), "--era", "modern");
	await writeContent(file, { servers: { shared: { ...entry, roots: { folders: ["*"], extra: ["/etc"] } } } });
	await editor.tree.waitForDescription("shared", "unapproved");
	const panel = await reviewFromTree(editor, "shared");
	expect(await panel.row("Workspace folders as roots")).toEqual({ values: ["*"], former: [] });
	expect(await panel.row("Other roots")).toEqual({ values: ["/etc"], former: [] });
	await editor.screenshot("roots-review");
	await press(panel.button("Approve and Start"));
	await editor.tree.waitForRunning("shared");
	await editor.tree.expand(["shared", "Roots"]);
	await editor.tree.waitForSpoken(["shared", "Roots"], "3, as in .vscode/mcp.json in client");

	const more = { folders: ["*"], extra: ["/etc", "/usr", "https://example.com/x"] };
	await writeContent(file, { servers: { shared: { ...entry, roots: more } } });
	await editor.tree.waitForDescription(["shared", "Roots"], /^1 waits for approval$/);
	await expect.poll(() => editor.tree.text(), { timeout: patience }).toContain("is not a file: URI");
	await editor.screenshot("roots-waiting");
	expect(readReceived(folder.file("shared.log")).filter(({ kind }) => kind === "start")).toHaveLength(1);
	await writeContent(file, { servers: {} });
	await editor.tree.waitUntilGone("shared");
});

/** The rows of the list of roots with their ticks. */
async function ticks(): Promise<Readonly<Record<string, boolean>>> {
	return Object.fromEntries((await editor.palette.rows()).map(({ label, isChecked }) => [label, isChecked]));
}

/** How often the legacy server was started. */
function starts(): number {
	return readReceived(legacyLog()).filter(({ kind }) => kind === "start").length;
}

/** How often the legacy server was asked to end. */
function ends(): number {
	return readReceived(legacyLog()).filter(({ kind }) => kind === "end").length;
}

function legacyLog(): string {
	return folder.file("legacy.log");
}

/** How often the legacy server was notified that the roots changed. */
function announcements(): number {
	return messagesOf(readReceived(legacyLog()), "notifications/roots/list_changed").length;
}

function pathOf(...names: readonly string[]): string {
	return path.join(editor.workspaceFolder, ...names);
}

/** Changes the folders of the open workspace by editing its file. The first one stays the first one. */
function openFolders(...names: readonly string[]): Promise<void> {
	return writeContent(editor.workspace, { folders: names.map((name) => ({ path: name })) });
}

function roots(...names: readonly string[]): readonly object[] {
	return names.map((name) => ({ uri: pathToFileURL(pathOf(name)).href, name }));
}

/** The folders, beside the workspace file, that the file server reports as allowed. */
async function allowedFolders(): Promise<readonly string[]> {
	const [list = ""] = (await call("list_allowed_directories")).split("\n\n");
	const [heading, ...folders] = list.split("\n");
	expect(heading).toBe("Allowed directories:");
	return folders.map((folder) => path.relative(editor.workspaceFolder, folder));
}

/** Has the model call a tool, allows it, and returns the result that the model received. */
async function call(tool: string, args: object = {}): Promise<string> {
	const number = model.requests.length;
	model.next({ toolCalls: [{ nameEndsWith: tool, arguments: args }] }, { text: "Done." });
	await editor.chat.send(`@mcp ${tool}`);
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitUntilDone();
	const [result = ""] = toolResults(await model.request(number + 1));
	return result;
}
