/**
 * A story of a company's machine: its policy file decides before approvals, rules and settings, everywhere the same. The
 * file of the story replaces the machine's in the installed copy of the extension: nothing else can name another one.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messagesOf, readReceived } from "../servers/received.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import type { Workbench } from "./pages/workbench.ts";

/** The place of the file in the code of the extension, on the systems that have a server for windows. */
const machineFile = "/etc/mcp-host/policy.json";

let folder: TestFolder;
let model: ScriptedModel;
let editor: RunningEditor;
let policyFile: string;
beforeAll(async () => {
	folder = await TestFolder.create();
	policyFile = folder.file("policy.json");
	model = await startScriptedModel({ models: ["scripted-model"] });
	editor = await startEditorWithVsix({
		isServerOwn: true,
		size: { width: 1440, height: 900 },
		settings: {
			...followsColorScheme,
			"mcpHost.models": [{ name: "Scripted", baseURL: model.url, models: ["scripted-model"] }],
			"mcpHost.servers": { small: smallEntry(folder.file("small.log")) },
		},
	});
	expect(await pointTo(policyFile)).toBe(1);
});
afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await folder?.[Symbol.asyncDispose]();
});

/** Has the installed extension read another file; returns in how many of its scripts the place is. */
async function pointTo(file: string): Promise<number> {
	const name = (await readdir(editor.extensionsFolder)).find((one) => one.startsWith("mcp-host.")) ?? "";
	const dist = path.join(editor.extensionsFolder, name, "dist");
	let count = 0;
	for (const script of (await readdir(dist)).filter((one) => one.endsWith(".js") && one !== "cli.js")) {
		const text = await readFile(path.join(dist, script), "utf8");
		if (!text.includes(`"${machineFile}"`)) continue;
		await writeFile(path.join(dist, script), text.replaceAll(`"${machineFile}"`, JSON.stringify(file)));
		count++;
	}
	return count;
}

/** The row that says why a server is not used. */
async function waitForRow({ tree }: Workbench, label: RegExp): Promise<string> {
	await expect
		.poll(async () => (await tree.rows()).some((row) => label.test(row.label)), { timeout: patience })
		.toBe(true);
	return (await tree.rows()).find((row) => label.test(row.label))?.label ?? "";
}

const received = (): number => messagesOf(readReceived(folder.file("small.log")), "tools/call").length;

test("the policy file of a machine decides first, and each place says that the organization does (REG-18)", async () => {
	const servers = { theirs: smallEntry(folder.file("theirs.log")) };
	const window = await editor.newWindow(await folder.workspace("shop", { ".vscode/mcp.json": { servers } }));
	const { tree, chat, palette, editors, webview, dialogs } = window;
	await tree.open(container);
	await approve(window, "small");
	await tree.waitForRunning("small");
	await approve(window, "theirs");
	await tree.waitForRunning("theirs");
	await dialogs.clearNotifications();

	// An administrator writes the file: what it denies stops, although it was approved.
	const rules = [{ decision: "deny", tool: "echo", reason: "Ask the platform team." }];
	const denied = [{ package: "npm:evil-*" }];
	await writeFile(policyFile, JSON.stringify({ servers: { denied, ofWorkspaces: false }, registries: [], rules }));
	await waitForRow(window, /^theirs: Your organization does not allow servers of workspaces/);
	await tree.waitForRunning("small");
	await takePictures(window, "organization-rows");

	await chat.open();
	await chat.waitForModel("scripted-model");
	model.next({ toolCalls: [{ nameEndsWith: "echo", arguments: { text: "hello" } }] }, { text: "It is not allowed." });
	await chat.send("@mcp say hello");
	await chat.waitForText("It is not allowed.");
	await chat.waitForText(/denied by rule 1 of your organization's policy/);
	expect(received()).toBe(0);
	await takePictures(window, "organization-call");

	await palette.run("MCP Host: Show What May Run");
	await editors.waitForActive("What May Run");
	const page = await webview.document("What May Run");
	const section = page.getByRole("region").first();
	await section.getByText("Servers of workspaces", { exact: true }).waitFor({ timeout: patience });
	const text = await section.innerText();
	for (const shown of ["Organization", "package npm:evil-*", "not started", "deny * · echo", "theirs", policyFile])
		expect(text).toContain(shown);
	expect(await section.getByRole("button").count()).toBe(0);
	await takePictures(window, "organization-may-run");

	await palette.run("MCP Host: Add Servers…");
	await editors.waitForActive("Add Servers");
	const panel = await webview.document("Paste the instructions from the server's page");
	await panel.locator("#text").fill("npx -y evil-server");
	await panel
		.getByText(/Your organization does not allow the server “evil-server”/)
		.first()
		.waitFor({ timeout: patience });
	await takePictures(window, "organization-add");

	await palette.run("MCP Host: Find Servers…");
	await dialogs.waitForNotification("Your organization allows no registry");

	// A file with a mistake allows nothing.
	await writeFile(policyFile, '{\n\t"servers": { "denied": [ }');
	const row = await waitForRow(window, /^small: Your organization's policy .* cannot be read/);
	expect(row).toContain("line 2");
	await expect.poll(() => tree.text(), { timeout: patience }).not.toMatch(/^small$/m);

	// Without the file everything is as it was, the approvals, too.
	await rm(policyFile);
	await tree.waitForDescription("small", "");
	await expect
		.poll(async () => (await tree.rows()).some(({ label }) => label.includes("Your organization")))
		.toBe(false);
	await window.close();
});
