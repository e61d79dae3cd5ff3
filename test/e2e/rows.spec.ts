/** Stories of what the rows of servers and the status bar say, and of what stays as it was when the window is opened anew. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { demoEntry, faultyEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { moveMouseAway, patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	const log = (name: string): string => folder.file(`${name}.log`);
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.servers": {
				travel: demoEntry(),
				files: smallEntry(log("files"), "--era", "legacy"),
				database: faultyEntry("exitAtOnce", log("database")),
				"issue-tracker": smallEntry(log("tracker")),
				notes: { ...smallEntry(log("notes")), disabled: true },
			},
		},
		workspace: await folder.workspace("rows", { ".mcp.json": { mcpServers: { files: smallEntry(log("own")) } } }),
		size: { width: 1440, height: 900 },
	});
	await editor.tree.open(container);
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

const files = "files (User Settings)";

test("a row has its name and one thing at most, and the status bar is short (UI-26, UI-16)", async () => {
	const { tree } = editor;
	await editor.waitForStatus("MCP 5 to approve");
	await approve(editor, "travel");
	await approve(editor, files);
	await approve(editor, "database", /SMALL_API_KEY|exit/);
	await editor.dialogs.clearNotifications();
	expect((await tree.read("travel")).description).toBe("");
	expect((await tree.read(files)).description).toBe("");
	await tree.waitForDescription("issue-tracker", /^unapproved$/);
	await tree.waitForDescription("notes", /^off$/);
	await editor.waitForStatus(/^\s*MCP 2 to approve\s*$/);
	await editor.waitForStatusHover(
		"MCP 2 to approve",
		/2 of 6 MCP servers running[^]*1 failed[^]*2 waiting for your approval/,
	);

	await tree.expand(["travel", "Tools"]);
	await tree.expand(["travel", "Prompts"]);
	await tree.row(["travel", "Tools", "Search Flights"]);
	for (const { label, description } of await tree.rows()) expect(`${label}: ${description}`).not.toContain(" · ");
	await takePictures(editor, "rows");
	const { page } = editor;
	for (const [scheme, theme] of [
		["dark", "hc-black"],
		["light", "hc-light"],
	] as const) {
		await page.emulateMedia({ forcedColors: "active", colorScheme: scheme });
		await page.locator(`.monaco-workbench.${theme}`).waitFor({ timeout: patience });
		await editor.screenshot(`rows-${theme}`);
	}
	await page.emulateMedia({ forcedColors: "none", colorScheme: "light" });
	await page.locator(".monaco-workbench.vs").waitFor({ timeout: patience });
	await page.setViewportSize({ width: 620, height: 900 });
	await moveMouseAway(page);
	await editor.screenshot("rows-narrow");
	await page.setViewportSize({ width: 1440, height: 900 });
});

test("what was unfolded is unfolded in the next window, and what was folded is folded (UI-17)", async () => {
	const { tree } = editor;
	await approve(editor, "issue-tracker");
	await tree.expand(["issue-tracker", "Prompts"]);
	await tree.expand(files);
	await tree.collapse(["travel", "Prompts"]);
	const open = async (): Promise<readonly string[]> =>
		(await tree.rows()).filter(({ isExpanded }) => isExpanded === true).map(({ label }) => label);
	const before = await open();
	expect(before).toEqual(["travel", "Tools", files, "issue-tracker", "Prompts"]);
	// What is done last tells that all of it was written down.
	await tree.contextMenu([files, "Resources"], "Sort Resources…");
	await editor.palette.choose("Name");
	await editor.reloadWithMemory("mcpHost.tree.resources");
	await tree.open(container);
	await tree.waitForRunning("issue-tracker");
	await expect.poll(open, { timeout: patience }).toEqual(before);
	await takePictures(editor, "rows-reloaded");
});
