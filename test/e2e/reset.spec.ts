/** Stories of one page that shows what may run, and of revoking all of it. */
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureEditor } from "../editor/ensureEditor.ts";
import { runCommand } from "../editor/processes.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import { repositoryRoot } from "./pages/workbench.ts";

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

test("one page shows what may run, and Reset… revokes it (CFG-46, SEC-12)", async () => {
	const servers = { small: smallEntry(folder.file("small.log")), other: smallEntry(folder.file("other.log")) };
	const window = await editor.newWindow(await folder.workspace("shop", { ".vscode/mcp.json": { servers } }));
	const { palette, dialogs, editors, tree, webview } = window;
	await tree.open(container);
	await approve(window, "small");
	await tree.waitForRunning("small");
	await dialogs.clearNotifications();

	await palette.run("MCP Host: Show What May Run");
	await editors.waitForActive("What May Run");
	const page = await webview.document("What May Run");
	const line = (name: string) =>
		page.getByRole("region", { name: "Servers" }).getByRole("listitem").filter({ hasText: name });
	await line("small")
		.first()
		.getByText(/may start · starts when a window opens · running/)
		.waitFor({ timeout: patience });
	expect(await line("other").first().innerText()).toMatch(/may not start: unapproved/);
	await takePictures(window, "may-run");

	await palette.run("MCP Host: Reset…");
	await palette.waitForTitle("Reset MCP Host");
	const rows = await palette.waitForRow("Server Approvals");
	expect(rows[0]?.label).toBe("Server Approvals");
	await takePictures(window, "reset");
	await palette.pick("Server Approvals");
	await palette.accept();
	const question = await dialogs.waitForModal("Delete Server Approvals?");
	expect(question).toContain("Running servers stop");
	await takePictures(window, "reset-question");
	await dialogs.answerModal("Delete");
	await dialogs.waitForNotification("Deleted: Server Approvals.");
	await tree.waitForDescription("small", "unapproved");
	// The page is updated.
	await line("small")
		.first()
		.getByText(/may not start: unapproved/)
		.waitFor({ timeout: patience });
	await window.close();
});

test("an approved server asks again after the extension was uninstalled and installed (SEC-13)", async () => {
	const installed = await ensureEditor();
	// The desktop's command line talks to the running window.
	if (installed.kind !== "server") return;
	await using own = await startEditorWithVsix({ isServerOwn: true });
	const servers = { small: smallEntry(folder.file("again.log")) };
	const window = await own.newWindow(await folder.workspace("again", { ".vscode/mcp.json": { servers } }));
	await window.tree.open(container);
	await approve(window, "small");
	await window.reload();
	await window.tree.waitForRunning("small");

	const vsix = path.resolve(repositoryRoot, process.env["MCP_HOST_VSIX"] ?? "mcp-host.vsix");
	const folders = ["--user-data-dir", own.userDataFolder, "--extensions-dir", own.extensionsFolder];
	for (const change of [
		["--uninstall-extension", "mcp-host.mcp-host"],
		["--install-extension", vsix],
	]) {
		const { code, output } = await runCommand(installed.nodePath, [installed.entryPath, ...folders, ...change]);
		expect(code, output).toBe(0);
	}
	await window.reload();
	await window.tree.waitForDescription("small", "unapproved");
	await window.dialogs.waitForNotification("MCP Host was uninstalled and installed again.");
});
