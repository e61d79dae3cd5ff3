/** A story of a user with two windows that share their servers: one process of a server, and what is left when it stops. */
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesOf, readReceived } from "../servers/received.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;
let home: string;

beforeAll(async () => {
	folder = await TestFolder.create();
	home = folder.file("home");
	await mkdir(home);
	// Without roots, which are the same in windows with different folders.
	const servers = { small: { ...smallEntry(folder.file("small.log")), roots: false } };
	editor = await startEditorWithVsix({ settings: { "mcpHost.servers": servers }, home });
	await editor.tree.open(container);
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

test("a second window uses the process of the first one, and starts its own when that stops (GST-16)", async () => {
	const { tree, palette } = editor;
	const meeting = path.join(home, ".mcp-host");
	await tree.titleAction("Share Servers with Other Agents…");
	await palette.pick(/Share the Servers of This Window/);
	await expect
		.poll(() => (existsSync(meeting) ? readdirSync(meeting).filter((name) => name.endsWith(".sock")) : []).length, {
			timeout: patience,
		})
		.toBe(1);
	await approve(editor, "small");
	const processes = (): number => processesOf(readReceived(folder.file("small.log"))).length;
	await expect.poll(processes, { timeout: patience }).toBe(1);

	const second = await editor.newWindow("test/workspace/roots/client", { isSameUser: true });
	await second.tree.open(container);
	await second.tree.waitForRunning("small");
	await second.tree.hover("small", /Runs in another window of VS Code \(process \d+\)/);
	await second.screenshot("second-window-shared");
	expect(processes()).toBe(1);

	await tree.inlineAction("small", "Stop Server");
	await expect.poll(processes, { timeout: patience }).toBe(2);
	await second.tree.waitForRunning("small");
	await second.tree.hover("small", /Process: \d+/);
	await second.screenshot("second-window-own");
});
