/** Stories of roots: a server sees the workspace folders, no more and no less, and hears when they change. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { packageEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;
let log: string;

beforeAll(async () => {
	folder = await TestFolder.create();
	log = folder.file("legacy.log");
	editor = await startEditorWithVsix({
		workspace: "test/workspace/roots/roots.code-workspace",
		settings: {
			"mcpHost.servers": {
				files: packageEntry("@modelcontextprotocol/server-filesystem"),
				legacy: smallEntry(log, "--era", "legacy"),
			},
		},
	});
	await editor.tree.open(container);
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});
