/** Stories of editing servers from their rows: in files with comments, in the settings, and back again. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "jsonc-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({ settings: followsColorScheme });
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

const fileText = `{
	// the team's
	"servers": {
		"first": ${JSON.stringify(smallEntry("/dev/null"))}, // keep me
		"second": { "type": "http", "url": "http://127.0.0.1:9/mcp" } // and me
	}
}
`;

test("a server is turned off, edited, copied and removed from its row, and comments are kept", async () => {
	const window = await openWindow("rows", { ".vscode/mcp.json": fileText });
	const { tree, dialogs, editors, palette } = window;
	const file = path.join(window.workspaceFolder, ".vscode", "mcp.json");
	const text = async (): Promise<string> => readFile(file, "utf8");

	await tree.waitForDescription("first", "unapproved");
	const items = await tree.contextMenuItems("first");
	expect(items).toEqual(
		expect.arrayContaining([
			"Edit Server…",
			"Go to Definition",
			"Duplicate Server…",
			"Move Server to User Settings…",
			"Switch Off Server",
			"Remove Server…",
		]),
	);
	expect(items).not.toContain("Move Server to Workspace…");

	// Others share the file: the choice applies to the user only.
	await tree.contextMenu("second", "Switch Off Server");
	await tree.waitForDescription("second", "off");
	expect(await text()).toBe(fileText);
	await tree.inlineAction("second", "Switch On Server");
	await tree.waitForDescription("second", "unapproved");
	await tree.contextMenu("second", "Switch Off Server");
	await tree.waitForDescription("second", "off");

	await tree.contextMenu("second", "Go to Definition");
	await editors.waitForActive("mcp.json");
	await expect
		.poll(
			() =>
				window.page
					.locator(".statusbar-item")
					.filter({ hasText: /^Ln 5, Col/ })
					.count(),
			{ timeout: patience },
		)
		.toBe(1);
	await takePictures(window, "server-off");
	await editors.close("mcp.json");

	await tree.contextMenu("second", "Edit Server…");
	await editors.waitForActive("Edit second");
	const form = await window.webview.document("Edit the server");
	const url = form.getByRole("textbox", { name: "URL" });
	await url.fill("http://127.0.0.1:9/other");
	await takePictures(window, "server-edit");
	await form.getByRole("button", { name: "Save", exact: true }).click();
	await dialogs.waitForNotification('"second" was changed.');
	expect(await text()).toBe(fileText.replace("9/mcp", "9/other"));
	await dialogs.answerNotification('"second" was changed.', "Undo");
	await expect.poll(text, { timeout: patience }).toBe(fileText);

	await tree.contextMenu("first", "Duplicate Server…");
	await palette.fill("copy");
	await palette.accept();
	await tree.waitForDescription("copy", "unapproved");
	await dialogs.answerNotification('"copy" was added', "Undo");
	await tree.waitUntilGone("copy");
	expect(await text()).toBe(fileText);

	await tree.contextMenu("first", "Remove Server…");
	await dialogs.waitForModal('Remove the server "first"?');
	await takePictures(window, "server-remove");
	await dialogs.answerModal("Remove");
	await tree.waitUntilGone("first");
	expect(await text()).toBe(fileText.replace(/\t\t"first".*\n/, ""));
	await dialogs.answerNotification('"first" was removed', "Undo");
	await tree.waitForDescription("first", "unapproved");
	expect(await text()).toBe(fileText);
	await window.close();
});

test("a server in the settings is turned off in its entry, and moves to the folder without its secret, and back", async () => {
	const settings = path.join(editor.userDataFolder, "User", "settings.json");
	const before = (await readFile(settings, "utf8")).replace(
		/\n\}\s*$/,
		`,
	"mcpHost.servers": {
		"acme": { "command": "acme-server", "env": { "ACME_TOKEN": "s3cret-value", "LEVEL": "2" } },
		"other": { "command": "other-server" }
	}
}
`,
	);
	await writeContent(settings, before);
	const window = await openWindow("moving", { "read.me": "" });
	const { tree, dialogs } = window;
	const file = path.join(window.workspaceFolder, ".vscode", "mcp.json");
	await tree.waitForDescription("acme", "unapproved");

	await tree.contextMenu("other", "Switch Off Server");
	await tree.waitForDescription("other", "off");
	const servers = async (): Promise<unknown> =>
		(parse(await readFile(settings, "utf8")) as Readonly<Record<string, unknown>>)["mcpHost.servers"];
	const acme = { command: "acme-server", env: { ACME_TOKEN: "s3cret-value", LEVEL: "2" } };
	const other = { command: "other-server", disabled: true };
	await expect.poll(servers, { timeout: patience }).toEqual({ acme, other });

	await tree.contextMenu("acme", "Move Server to Workspace…");
	await dialogs.waitForModal('Move the server "acme" to .vscode/mcp.json');
	await dialogs.answerModal("Move");
	await dialogs.waitForNotification('"acme" was moved');
	const moved = await readFile(file, "utf8");
	expect(moved).not.toContain("s3cret-value");
	expect(parse(moved)).toMatchObject({
		servers: { acme: { env: { ACME_TOKEN: "${input:acme-acme-token}", LEVEL: "2" } } },
		inputs: [{ id: "acme-acme-token", password: true }],
	});
	expect(await servers()).toEqual({ other });
	// The row at the former place has the same name and words.
	await expect
		.poll(async () => tree.contextMenuItems("acme"), { timeout: patience })
		.toContain("Move Server to User Settings…");

	await dialogs.answerNotification('"acme" was moved', "Undo");
	await expect.poll(servers, { timeout: patience }).toEqual({ acme, other });
	await window.close();
	await editor.writeSettings(followsColorScheme);
});

/** A window of its own on the given files, showing the servers. */
async function openWindow(name: string, files: Readonly<Record<string, string | object>>): Promise<Workbench> {
	const window = await editor.newWindow(await folder.workspace(name, files));
	await window.tree.open(container);
	return window;
}
