/**
 * The three first uses, each from an empty profile with every act counted: A has servers elsewhere and a model of their own, B
 * builds a server, C is careful. `npm run test:e2e -- firstUses` prints the table of docs/first-hour.md.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, questionLink } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { FirstUse } from "./fixtures/firstUse.ts";
import { edit, runResult, source } from "./fixtures/greetServer.ts";
import { packageEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import { type ScriptedModel, startScriptedModel } from "../servers/scriptedModel.ts";

let folder: TestFolder;
let home: string;
let model: ScriptedModel;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	home = folder.file("home");
	await mkdir(home);
	model = await ownModel();
	editor = await startEditorWithVsix({ settings: followsColorScheme, size: { width: 1440, height: 900 }, home });
	editor.remainders.add(() => model.clear());
});
afterAll(async () => {
	await editor?.stop();
	await model?.close();
	await folder?.[Symbol.asyncDispose]();
});

/** A server of models on one of the usual ports that is free on this machine. */
async function ownModel(): Promise<ScriptedModel> {
	for (const port of [1234, 8000, 8080, 11434]) {
		const started = await startScriptedModel({ port, models: ["own-model"] }).catch(() => undefined);
		if (started !== undefined) return started;
	}
	throw new Error("None of the usual ports of local models is free.");
}

test("A: servers of another host and a model of this machine give a first answer with a tool in 12 clicks (FST-21)", async () => {
	const { tree, chat, palette, dialogs } = editor;
	const mcpServers = Object.fromEntries(
		["notes", "calendar", "search"].map((name) => [name, smallEntry(folder.file(`${name}.log`))]),
	);
	await writeContent(path.join(home, ".cursor/mcp.json"), { mcpServers });
	const use = await FirstUse.begin(editor, "A");
	await use.click(() => tree.open(container));
	await use.click(() => tree.welcomeButton("Import Servers…").click({ timeout: patience }));
	await editor.editors.waitForActive("Import Servers");
	const adding = await editor.webview.document("Import Servers");
	await use.decide(() => adding.getByRole("button", { name: "Add 3 Servers" }).click({ timeout: patience }));
	await use.click(() => dialogs.answerNotification("3 servers imported", "Review…"));
	await editor.editors.waitForActive("Review Waiting Servers");
	const review = await editor.webview.document("waiting for your approval");
	await use.click(() => review.getByRole("button", { name: "Select All" }).click({ timeout: patience }));
	await use.decide(() => review.getByRole("button", { name: /^Approve and Start/ }).click({ timeout: patience }));
	for (const name of ["notes", "calendar", "search"]) await tree.waitForRunning(name);
	await use.reach("three servers of another host run");

	await use.click(() => tree.titleAction("Open Chat"));
	await chat.waitForInput("@mcp");
	await use.enter(() => chat.type("@mcp hello"));
	await use.click(() => chat.submit());
	await chat.waitForText("No model yet.");
	await use.click(() => chat.clickLink("Detect Local Models"));
	await palette.waitForTitle("Detect Local Models");
	// The editor shows the title before it has the rows.
	const [found] = await palette.waitForRow(/./);
	expect(found?.detail).toBe("1 model: own-model");
	await takePictures(editor, "first-use-model");
	await use.decide(() => palette.acceptRow());
	await dialogs.waitForNotification(/Added .*Choose a model/);
	await chat.waitForModel("own-model");
	model.next(
		{ toolCalls: [{ nameEndsWith: "notes_echo", arguments: { text: "Hello from my server." } }] },
		{ text: "Your server says hello." },
	);
	await use.enter(() => chat.type("@mcp say hello"));
	await use.click(() => chat.submit());
	await questionLink(editor, 1, "Allow Once");
	await takePictures(editor, "first-use-call");
	await use.decide(() => answerCall(editor, 1, "Allow Once"));
	await chat.waitForText("Your server says hello.");
	const { clicks } = await use.reach("the own model answers with a tool of an own server");
	await takePictures(editor, "first-use-answer");
	await use.end();
	expect(clicks).toBeLessThanOrEqual(12);
});

test("B: the command of a server that is built is pasted, and an edit of its file is one click from its new result (ADD-08)", async () => {
	const files = {
		"server.mjs": source("Hello, "),
		"package.json": { name: "@acme/orders", private: true },
	};
	await editor.writeSettings(followsColorScheme);
	const window = await editor.newWindow(await folder.workspace("wsB", files));
	// The window has a copy of it.
	const { workspaceFolder: workspace } = window;
	const use = await FirstUse.begin(window, "B");
	await use.click(() => window.tree.open(container));
	await window.tree.welcomeButton("New Server from Template…").waitFor({ timeout: patience });
	await window.screenshot("development-empty");
	await use.click(() => window.tree.welcomeButton("Add Servers…").click({ timeout: patience }));
	await window.editors.waitForActive("Add Servers");
	const adding = await window.webview.document("Paste the instructions from the server's page");
	await adding.locator("#text:focus").waitFor({ timeout: patience });
	await use.enter(() => adding.locator("#text").fill("node server.mjs"));
	await adding.getByText("It runs in wsB, which has “server.mjs”.").waitFor({ timeout: patience });
	expect(await adding.locator("#place option:checked").innerText()).toBe(".vscode/mcp.json in wsB");
	await takePictures(window, "development-add");
	await use.click(() => adding.getByRole("button", { name: "Add and Review…" }).click());

	const review = await ServerReviewPanel.of(window, "orders");
	expect((await review.row("Working directory")).values).toEqual([workspace]);
	await use.decide(() => review.button("Approve and Start").click());
	expect(JSON.parse(await readFile(path.join(workspace, ".vscode/mcp.json"), "utf8"))).toMatchObject({
		servers: { orders: { command: "node", args: ["server.mjs"] } },
	});

	await window.tree.row(["orders", "Tools", "greet"]);
	await use.click(() => window.tree.click(["orders", "Tools", "greet"]));
	await window.editors.waitForActive("Run greet");
	const form = await window.webview.document("Run greet");
	await form.locator("#submit").waitFor({ timeout: patience });
	await use.enter(() => form.getByRole("textbox", { name: "name" }).fill("Ann"));
	await use.click(() => form.locator("#submit").click());
	const first = await runResult(window, "Hello, Ann");
	await first.getByRole("group", { name: "Log of this call" }).getByText("greeting Ann").waitFor({ timeout: patience });
	await use.reach("the first result of the server");

	// Editing the own file is the author's work, not a step of ours.
	await edit(window, source("Good day, "));
	await window.tree.waitForDescription("orders", "server.mjs changed · Restart");
	await window.editors.activate("Tool: greet");
	await first.getByText("server.mjs changed since the server started.").waitFor({ timeout: patience });
	await takePictures(window, "development-changed");
	await use.click(() => first.getByRole("button", { name: "Restart and Run Again" }).click());
	await runResult(window, "Good day, Ann");
	const { clicks } = await use.reach("the result after an edit of its file");
	await takePictures(window, "development-result");
	await use.end();
	expect(clicks).toBeLessThanOrEqual(8);

	// From the source, one key does the same; what a restart changed is on the row.
	await edit(window, source("Good evening, "));
	await window.tree.waitForDescription("orders", "server.mjs changed · Restart");
	await window.page.keyboard.press("ControlOrMeta+k");
	await window.page.keyboard.press("Shift+r");
	await runResult(window, "Good evening, Ann");

	await edit(window, source("Good evening, ", "Greets someone in the evening."));
	await window.tree.waitForDescription("orders", "server.mjs changed · Restart");
	await window.tree.inlineAction("orders", "Restart Server");
	await window.tree.waitForSpoken("orders", "since restart: 1 tool changed");
	await window.close();
});

test("C: a write outside the folder is denied by a rule that is made without JSON (FST-14)", async () => {
	// As A ends: a server runs, and a model of one's own is there.
	const files = packageEntry("@modelcontextprotocol/server-filesystem", folder.path);
	await editor.writeSettings({
		...followsColorScheme,
		"mcpHost.servers": { files },
		"mcpHost.models": [{ name: "Own", baseURL: model.url, models: ["own-model"] }],
	});
	const window = await editor.newWindow(await folder.workspace("wsC", { "notes.txt": "Notes" }));
	const { tree, palette, chat, page, workspaceFolder } = window;
	await tree.open(container);
	await approve(window, "files");
	await chat.open();
	await chat.waitForModel("own-model");
	const write = async (file: string, text: string): Promise<void> => {
		model.next({ toolCalls: [{ nameEndsWith: "write_file", arguments: { path: file, content: "Mine" } }] }, { text });
		await chat.send(`@mcp write ${path.basename(file)}`);
	};

	const use = await FirstUse.begin(window, "C");
	// The menu of the view, and its entry.
	await use.click(() => Promise.resolve());
	await use.click(() => tree.titleAction("Manage Rules and Grants…"));
	await use.click(() => palette.choose(/Add a Rule for Calls/));
	await use.decide(() => palette.pick("User Settings"));
	await use.decide(() => palette.pick(/Only in These Folders/));
	await use.decide(() => palette.pick("files"));
	await use.decide(() => palette.pick("write_file"));
	await palette.waitForRow(/Choose Folders/);
	await takePictures(window, "policy-folders");
	await use.decide(() => palette.pick(path.basename(workspaceFolder)));
	await palette.waitForRow("path");
	await takePictures(window, "policy-paths");
	// The argument that is a path is ticked already.
	await use.decide(() => palette.accept());
	await page.locator(".editor-instance .view-lines", { hasText: "except" }).first().waitFor({ timeout: patience });
	await takePictures(window, "policy-rule");
	const modal = page.locator(".monaco-modal-editor-block");
	await use.click(() =>
		waitForCondition("The end of the settings", async () => {
			await page.keyboard.press("Escape");
			return succeeds(modal.waitFor({ state: "hidden", timeout: 3000 }));
		}),
	);
	await use.reach("the rule is in force");
	const outside = path.join(workspaceFolder, "../outside.txt");
	await use.enter(() => Promise.resolve());
	await use.click(() => write(`${workspaceFolder}/../outside.txt`, "Not outside."));
	await chat.waitForText("Not outside.");
	expect(await chat.lastText()).toMatch(/denied by rule 1 of User Settings: deny files · write_file · except path =/);
	const { clicks } = await use.reach("a write outside the folder was denied");
	await takePictures(window, "policy-denied");
	await use.end();
	expect(clicks).toBeLessThanOrEqual(12);
	expect(existsSync(outside)).toBe(false);

	const inside = path.join(workspaceFolder, "inside.txt");
	await write(inside, "Inside.");
	await answerCall(window, 1, "Allow Once");
	await chat.waitForText("Inside.");
	expect(await readFile(inside, "utf8")).toBe("Mine");
});
