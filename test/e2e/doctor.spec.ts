/**
 * Stories of a server that does not start: the texts of its row and toast, the findings of the doctor, and a fix that
 * works.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
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

test("a server without its key is reported, and the doctor's fix provides the key without writing it to a file (DOC-01, DOC-05)", async () => {
	const { command, args } = smallEntry(folder.file("keyed.log"));
	const [script = "", ...rest] = args;
	const keyed = [
		'if (!process.env.ACME_API_KEY) throw new Error("ACME_API_KEY is required");',
		`await import(${JSON.stringify(script)});`,
	].join("\n");
	const entry = { type: "stdio", command, args: ["${workspaceFolder}/keyed.mjs", ...rest] };
	const window = await openWindow("keyed", {
		"keyed.mjs": keyed,
		".vscode/mcp.json": `{\n\t// The servers of the team.\n\t"servers": {\n\t\t"acme": ${JSON.stringify(entry)}\n\t}\n}\n`,
	});
	await approve(window, "acme", /ACME_API_KEY is not set, and the server needs it\./);
	const toast = await window.dialogs.waitForNotification('"acme"');
	expect(toast).toMatch(/"acme" did not start\. ACME_API_KEY is not set, and the server needs it\./);
	await takePictures(window, "doctor-toast");
	await window.dialogs.answerNotification('"acme"', "Check Server");

	await window.editors.waitForActive("Check: acme");
	let panel = await window.webview.document("Check: acme");
	await finished(panel);
	const cause = panel.getByRole("article", { name: "Cause" });
	expect(await cause.innerText()).toMatch(
		/Cause · Start[^]*ACME_API_KEY is not set[^]*Error: ACME_API_KEY is required/,
	);
	await takePictures(window, "doctor");

	await cause.getByRole("button", { name: "Set Variable…" }).click();
	await window.palette.waitForTitle("acme: ACME_API_KEY");
	await window.palette.enter("a-very-secret-key");
	const review = await ServerReviewPanel.of(window, "acme");
	expect(await review.text()).toContain("A server that you approved has changed");
	expect((await review.row("Environment")).values).toEqual(["ACME_API_KEY=${input:acme-acme-api-key}"]);
	await review.button("Approve and Start").click();
	await window.tree.waitForRunning("acme");

	await window.editors.activate("Check: acme");
	panel = await window.webview.document("Check: acme");
	await panel.getByText("It is running").first().waitFor({ timeout: patience });
	await finished(panel);
	await takePictures(window, "doctor-mended");
	const written = await readFile(path.join(window.workspaceFolder, ".vscode/mcp.json"), "utf8");
	expect(written).toContain("// The servers of the team.");
	expect(written).toContain('"ACME_API_KEY": "${input:acme-acme-api-key}"');
	expect(written).not.toContain("a-very-secret-key");
	await window.close();
});

test("all servers are examined together, and none is started", async () => {
	const log = folder.file("all.log");
	const window = await openWindow("all", {
		".vscode/mcp.json": {
			servers: {
				sound: smallEntry(log),
				slip: { command: "npxx", args: ["-y", "acme-mcp"] },
			},
		},
	});
	await window.tree.waitForDescription("sound", "unapproved");
	await approve(window, "slip", /npxx was not found/);
	await window.dialogs.clearNotifications();
	await window.tree.titleAction("Check All Servers");
	await window.editors.waitForActive("Check: All Servers");
	const panel = await window.webview.document("Check: All Servers");
	await finished(panel);
	const region = (name: string): ReturnType<FrameLocator["locator"]> => panel.getByRole("region", { name });
	expect(await region("slip").innerText()).toMatch(/There is no command “npxx”[^]*Did you mean “npx”/);
	expect(await region("sound").innerText()).toMatch(/It waits for you: unapproved/);
	await takePictures(window, "doctor-all");
	await region("slip")
		.getByRole("button", { name: /^Open at Line \d+$/ })
		.click();
	await window.editors.waitForActive("mcp.json");
	await window.tree.waitForDescription("sound", "unapproved");
	await window.close();
});

/** Waits until all servers are examined. */
async function finished(panel: FrameLocator): Promise<void> {
	await panel.getByRole("button", { name: "Check Again" }).waitFor({ timeout: patience });
}

async function openWindow(name: string, files: Readonly<Record<string, string | object>>): Promise<Workbench> {
	const window = await editor.newWindow(await folder.workspace(name, files));
	await window.tree.open(container);
	return window;
}
