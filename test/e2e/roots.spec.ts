/** Stories of roots: a server sees the workspace folders, no more and no less, and hears when they change. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messagesOf, readReceived } from "../servers/received.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { answerCall, toolResults } from "./fixtures/chatStory.ts";
import { packageEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let model: ScriptedModel;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	model = await startScriptedModel();
	editor = await startEditorWithVsix({
		workspace: "test/workspace/roots/roots.code-workspace",
		settings: {
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
	await editor.chat.open();
	await editor.chat.waitForModel("scripted-model");
});

afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await folder?.[Symbol.asyncDispose]();
});

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
	await mkdir(pathOf("docs"));
	await openFolders("client", "server", "docs");
	await editor.tree.waitForDescription(["files", "Roots"], /^3$/);
	await expect.poll(announcements, { timeout: patience }).toBe(1);
	expect(JSON.parse(await call("roots"))).toEqual(roots("client", "server", "docs"));
	// The file server asks for the roots anew before it takes them over.
	await expect.poll(allowedFolders, { timeout: patience }).toEqual(["client", "server", "docs"]);

	await openFolders("client", "server");
	await editor.tree.waitForDescription(["files", "Roots"], /^2$/);
	await expect.poll(announcements, { timeout: patience }).toBe(2);
	await expect.poll(allowedFolders, { timeout: patience }).toEqual(["client", "server"]);
	expect(await call("read_text_file", { path: pathOf("docs", "README.md") })).toMatch(/Access denied/);
});

function legacyLog(): string {
	return folder.file("legacy.log");
}

/** How often the legacy server heard that the roots changed. */
function announcements(): number {
	return messagesOf(readReceived(legacyLog()), "notifications/roots/list_changed").length;
}

function pathOf(...names: readonly string[]): string {
	return path.join(editor.workspaceFolder, ...names);
}

/** Changes the folders of the open workspace as somebody does who edits its file. The first one stays the first one. */
function openFolders(...names: readonly string[]): Promise<void> {
	return writeContent(editor.workspace, { folders: names.map((name) => ({ path: name })) });
}

function roots(...names: readonly string[]): readonly object[] {
	return names.map((name) => ({ uri: pathToFileURL(pathOf(name)).href, name }));
}

/** The folders, beside the workspace file, that the file server says it may use. */
async function allowedFolders(): Promise<readonly string[]> {
	const [list = ""] = (await call("list_allowed_directories")).split("\n\n");
	const [heading, ...folders] = list.split("\n");
	expect(heading).toBe("Allowed directories:");
	return folders.map((folder) => path.relative(editor.workspaceFolder, folder));
}

/** Has the model call a tool, allows it, and returns what the model was told of the result. */
async function call(tool: string, args: object = {}): Promise<string> {
	const number = model.requests.length;
	model.next({ toolCalls: [{ nameEndsWith: tool, arguments: args }] }, { text: "Done." });
	await editor.chat.send(`@mcp ${tool}`);
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitUntilDone();
	const [result = ""] = toolResults(await model.request(number + 1));
	return result;
}
