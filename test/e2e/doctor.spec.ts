/** A story of servers that do not run: the findings of the doctor about all of them. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	const workspace = await folder.workspace("all", {
		".vscode/mcp.json": {
			servers: {
				sound: smallEntry(folder.file("all.log")),
				slip: { command: "npxx", args: ["-y", "acme-mcp"] },
			},
		},
	});
	editor = await startEditorWithVsix({ settings: followsColorScheme, workspace });
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

test("all servers are examined together, and none is started", async () => {
	await editor.tree.open(container);
	await editor.tree.waitForDescription("sound", "unapproved");
	await approve(editor, "slip", /npxx was not found/);
	await editor.dialogs.clearNotifications();
	await editor.tree.titleAction("Check All Servers");
	await editor.editors.waitForActive("Check: All Servers");
	const panel = await editor.webview.document("Check: All Servers");
	await panel.getByRole("button", { name: "Check Again" }).waitFor({ timeout: patience });
	const region = (name: string): ReturnType<FrameLocator["locator"]> => panel.getByRole("region", { name });
	expect(await region("slip").innerText()).toMatch(/There is no command “npxx”[^]*Did you mean “npx”/);
	expect(await region("sound").innerText()).toMatch(/It waits for you: unapproved/);
	await takePictures(editor, "doctor-all");
	await region("slip")
		.getByRole("button", { name: /^Open at Line \d+$/ })
		.click();
	await editor.editors.waitForActive("mcp.json");
	await editor.tree.waitForDescription("sound", "unapproved");
});
