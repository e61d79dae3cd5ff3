import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messagesOf, processesOf, readReceived } from "../servers/received.ts";
import { faultyEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container, reviewFromTree } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({ settings: lightTheme });
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

const lightTheme = { "workbench.colorTheme": "Light Modern" };
const darkTheme = { "workbench.colorTheme": "Dark Modern" };

test("the welcome view leads to a running demo in two clicks", async () => {
	await editor.tree.open(container);
	await editor.tree.welcomeButton("Try the Demo Server").waitFor({ timeout: patience });
	await editor.screenshot("welcome-light");
	await editor.tree.welcomeButton("Try the Demo Server").click();
	await editor.tree.waitForDescription("travel", /^stdio · 2026-/);
	await editor.waitForStatus("MCP 1");

	await editor.tree.expand("travel");
	await editor.tree.waitForDescription(["travel", "Tools"], /^5$/);
	await editor.tree.waitForDescription(["travel", "Resources"], /^\d+$/);
	await editor.tree.waitForDescription(["travel", "Resource Templates"], /^2$/);
	await editor.tree.waitForDescription(["travel", "Prompts"], /^1$/);
	await editor.tree.expand(["travel", "Tools"]);
	await editor.tree.row(["travel", "Tools", "Search Flights"]);
	await editor.dialogs.clearNotifications();
	await editor.screenshot("tree-light");

	await editor.writeSettings({ ...darkTheme, "mcpHost.demoServer": true });
	await editor.page.locator(".monaco-workbench.vs-dark").waitFor({ timeout: patience });
	await editor.screenshot("tree-dark");
	await editor.writeSettings(lightTheme);
	await editor.page.locator(".monaco-workbench.vs").waitFor({ timeout: patience });
});
