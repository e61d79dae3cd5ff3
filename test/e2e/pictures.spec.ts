/**
 * The pictures of the README and of Get Started: what they show can be done. `node test/tasks/pictures.ts` makes them of this story,
 * twice as fine, and puts them into `media`.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, questionLink, reviewPanel } from "./fixtures/chatStory.ts";
import { pixelRatio } from "../editor/browser.ts";
import { followsColorScheme, useColorScheme } from "./fixtures/colorScheme.ts";
import { keepPicture, type Part, partOf, setSize } from "./fixtures/pictures.ts";
import { officeEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { clicks, patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let folder: TestFolder;
let editor: RunningEditor;
beforeAll(async () => {
	folder = await TestFolder.create();
	editor = await startEditorWithVsix({
		workspace: "test/workspace/demo",
		settings: {
			...followsColorScheme,
			"workbench.startupEditor": "none",
			// What else listens on the machine is in no picture.
			"remote.autoForwardPorts": false,
			"mcpHost.demoServer": true,
			"mcpHost.servers": {
				database: officeEntry("database", folder.file("database.log")),
				repository: officeEntry("repository", folder.file("repository.log")),
			},
		},
		size: { width: 1100, height: 680 },
	});
	await editor.tree.open(container);
	await approve(editor, "database");
	await approve(editor, "repository");
	await editor.closeEverything();
});
afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/**
 * Keeps the window, or a part of it, as `test-output/pictures/<name>.png`. Get Started stands in the editor itself, where a light
 * picture glares in a dark theme and a dark one in a light theme: its pictures are made in both, when they are made anew.
 */
async function keep(name: string, clip?: Part): Promise<void> {
	if (!name.startsWith("walkthrough/")) return keepPicture(editor, name, clip);
	await keepPicture(editor, `${name}-light`, clip);
	if (process.env[pixelRatio] === undefined) return;
	await useColorScheme(editor, "dark");
	await keepPicture(editor, `${name}-dark`, clip);
	await useColorScheme(editor, "light");
}

test("servers in the tree, and a resource of one", async () => {
	const { tree, palette, editors } = editor;
	await palette.run("MCP Host: Add Servers…");
	await editors.waitForActive("Add Servers");
	const adding = await editor.webview.document("Paste the instructions from the server's page");
	await adding
		.locator("#text")
		.fill("claude mcp add tickets --env TICKETS_TOKEN=tk_4f9a2c7d81 -- npx -y tickets-mcp@3");
	await adding.getByRole("group", { name: "Environment TICKETS_TOKEN" }).waitFor({ timeout: patience });
	await keep("walkthrough/servers", await partOf(editor, ".part.editor .editor-container"));
	await editors.close("Add Servers");
	await tree.expand(["database", "Tools"]);
	await tree.expand(["database", "Resources"]);
	await tree.click(["database", "Resources", "Table orders"]);
	await editors.waitForText(/create table orders/);
	await tree.expand(["repository", "Prompts"]);
	await keep("readme/tree");
	await editors.close(/orders/);
	await tree.collapse("database");
	await tree.collapse("repository");
});

test("a tool that was run by hand", async () => {
	const { tree, editors, webview } = editor;
	await tree.expand(["database", "Tools"]);
	await tree.click(["database", "Tools", "Run a Query"]);
	await editors.waitForActive("Run query");
	const form = await webview.document("Run query");
	await form.getByRole("textbox", { name: "sql" }).fill("select * from orders order by placed_at desc limit 5");
	await form.locator("#submit").click();
	await editors.waitForActive("Tool: query");
	const result = await webview.document("Done.");
	await expect.poll(() => result.locator("tbody tr").count()).toBe(5);
	await keep("readme/run", await partOf(editor, ".part.editor"));
	await editors.close("Tool: query");
	await tree.collapse("database");
});

test("a prompt with its arguments, and its messages", async () => {
	const { palette, editors, webview } = editor;
	await palette.run("MCP Host: Run Prompt…");
	await palette.choose("Review a Change");
	await palette.waitForTitle(/Review a Change/);
	await palette.widget.getByText("fix/refund-rounding").waitFor({ timeout: patience });
	await keep("walkthrough/prompt", await partOf(editor, ".quick-input-widget"));
	for (const value of ["fix/refund-rounding", "correctness"]) {
		await palette.fill(value.slice(0, 3));
		await palette.waitForRow(value);
		await palette.settled();
		await palette.acceptRow();
	}
	await editors.waitForActive(/^Prompt: /);
	const preview = await webview.document("Prompt: Review a Change");
	await preview.getByRole("region", { name: "Message 3, User" }).getByRole("textbox").waitFor({ timeout: patience });
	await keep("readme/prompt", await partOf(editor, ".part.editor"));
	await editors.close(/^Prompt: /);
});

test("a model endpoint is added", async () => {
	const { palette } = editor;
	await palette.run("MCP Host: Add Model Endpoint…");
	await palette.waitForRow("Ollama");
	await palette.settled();
	await keep("walkthrough/model", await partOf(editor, ".quick-input-widget", 300));
	await palette.cancel();
});

test("a call that waits in the chat, and a completion under review", async () => {
	const { palette, chat, editors } = editor;
	// So high that the call is seen whole, with its name.
	await setSize(editor, 1100, 820);
	await palette.openWith("trip-notes.md");
	await palette.pick("trip-notes.md");
	await editors.waitForActive("trip-notes.md");
	await palette.run("MCP Host: Try the Demo Server");
	await chat.waitForInput("@mcp Plan a long weekend in Barcelona for two");
	await chat.waitForModel(/Demo model/);
	await chat.submit();
	await chat.reveal(await questionLink(editor, 1, "Deny"));
	await keep("readme/chat");
	await keep("walkthrough/demo", await partOf(editor, ".part.auxiliarybar"));
	await chat.click(await questionLink(editor, 1, "Always…"));
	await palette.waitForTitle(/^\s*Always Allow/);
	await palette.widget.locator(".quick-input-list .monaco-list-row").first().waitFor({ timeout: patience });
	await palette.settled();
	await keep("walkthrough/rules", await partOf(editor, ".quick-input-widget"));
	await palette.cancel();
	await editors.close("trip-notes.md");
	for (const question of [1, 2, 3]) await answerCall(editor, question, "Allow Once");
	await setSize(editor, 1720, 900);
	const review = await reviewPanel(editor);
	await review.getByRole("button", { name: "Send to Model" }).click();
	const completion = review.getByRole("textbox", { name: "Text that the server receives" });
	await completion.waitFor({ timeout: patience });
	await completion.fill(`${await completion.inputValue()}\nTake the first one.`);
	await review.getByRole("button", { name: "Show Changes" }).click();
	await review.getByRole("textbox", { name: "System prompt" }).waitFor({ timeout: patience });
	await keep("readme/review", await partOf(editor, ".part.editor"));
	await setSize(editor, 1100, 680);
	await keep("walkthrough/review", await partOf(editor, ".part.editor .editor-container"));
	await review.getByRole("button", { name: "Reject" }).click();
});

test("what passed between the host and a server", async () => {
	const { palette, tree, editors, webview } = editor;
	await setSize(editor, 1500, 640);
	await palette.run("View: Hide Secondary Side Bar");
	await palette.run("MCP Host: Show Trace");
	const trace = await webview.documentWith("#grid");
	await trace.locator(".line").first().waitFor({ timeout: patience });
	await tree.expand(["database", "Tools"]);
	await tree.click(["database", "Tools", "Run a Query"]);
	await editors.waitForActive("Run query");
	const form = await webview.document("Run query");
	await form.getByRole("textbox", { name: "sql" }).fill("select customer, total from orders limit 2");
	await form.locator("#submit").click();
	await editors.waitForActive("Tool: query");
	await webview.document("Done.");
	await palette.run("View: Toggle Maximized Panel");
	await waitForCondition("The exchange with the query", async () => {
		await clicks(trace.locator(".line", { hasText: "tools/call query" }).last());
		return succeeds(trace.locator("#detail").getByText("select customer").first().waitFor({ timeout: 3000 }));
	});
	// No hover lies over the list.
	await editor.page.mouse.move(750, 620);
	await keep("readme/trace", await partOf(editor, ".part.panel"));
	await palette.run("View: Toggle Maximized Panel");
});
