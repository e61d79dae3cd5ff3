/** Stories of exporting servers: losses are shown before anything is copied, and the copy can be imported again. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { container } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const secret = "sk-export-0123456789-canary";
const servers = {
	notes: {
		command: "npx",
		args: ["-y", "@acme/notes@1.2.0"],
		env: { NOTES_API_KEY: secret, NOTES_MODE: "quiet" },
	},
	tickets: {
		type: "http",
		url: "https://mcp.example.com/mcp",
		headers: { Authorization: "Bearer ${input:tickets}" },
		oauth: { clientId: "me" },
	},
};
let editor: RunningEditor;

beforeAll(async () => {
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.servers": servers,
			"mcpHost.inputs": [{ type: "promptString", id: "tickets", description: "Ticket token", password: true }],
		},
	});
	await editor.tree.open(container);
	await editor.tree.waitForDescription("tickets", "unapproved");
});
afterAll(() => editor?.stop());

test("servers are exported for another host, and losses are shown first (EXP-04)", async () => {
	const { palette, dialogs, editors } = editor;
	await editor.tree.titleAction("Export Servers…");
	await palette.waitForTitle("Export Servers");
	await palette.pick("notes");
	await palette.pick("tickets");
	await palette.acceptRow();
	await palette.waitForTitle("Export 2 servers");
	await takePictures(editor, "export-ways");
	await palette.fill("Codex");
	await palette.choose("Codex");
	const question = await dialogs.waitForModal("Export 2 servers for Codex?");
	expect(question).toContain("Paste it into .codex/config.toml. It contains no secrets.");
	expect(question).toContain("notes: The value of “NOTES_API_KEY of notes” looks secret and was left out.");
	expect(question).toContain("tickets: Codex reads “Ticket token” from the environment variable TICKETS");
	expect(question).toContain("tickets: Codex has no counterpart for “clientId” of its sign-in.");
	expect(question).not.toContain(secret);
	await takePictures(editor, "export-question");
	await dialogs.answerModal("Open in Editor");
	await editors.waitForText('bearer_token_env_var = "TICKETS"');
	await editors.waitForText('NOTES_MODE = "quiet"');
	await takePictures(editor, "export-text");
	await editor.closeEverything();
});

test("a badge from a row is copied and pasted as the same server; Escape copies nothing (EXP-04)", async () => {
	const { palette, dialogs, page, tree } = editor;
	const clipboard = async (): Promise<unknown> => page.evaluate("navigator.clipboard.readText()");
	await page.evaluate('navigator.clipboard.writeText("before")');
	await tree.contextMenu("notes", "Export Servers…");
	await palette.waitForTitle("Export “notes”");
	await palette.fill("badge for MCP Host");
	await palette.choose("Install Badge for MCP Host");
	await dialogs.waitForModal("Export “notes” as Install Badge for MCP Host?");
	await page.keyboard.press("Escape");
	await dialogs.modal.waitFor({ state: "hidden", timeout: patience });
	expect(await clipboard()).toBe("before");

	await tree.contextMenu("notes", "Export Servers…");
	await palette.fill("badge for MCP Host");
	await palette.choose("Install Badge for MCP Host");
	await dialogs.waitForModal("Export “notes” as Install Badge for MCP Host?");
	await dialogs.answerModal("Copy");
	await dialogs.waitForNotification("Copied.");
	const text = await clipboard();
	expect(text).toMatch(
		/^\[!\[Install notes in MCP Host\]\(https:\/\/img\.shields\.io\/badge\/\S+\)\]\(https:\/\/vscode\.dev\/redirect\?url=vscode\S+\)\n$/,
	);
	expect(text).not.toContain(secret);

	await palette.run("MCP Host: Add Servers…");
	const panel = await editor.webview.document("Paste the instructions from the server's page");
	await panel.locator("#text:focus").waitFor({ timeout: patience });
	await page.keyboard.press("ControlOrMeta+v");
	await panel.getByText("already configured as “notes”").waitFor({ timeout: patience });
	expect(
		await panel.getByRole("group", { name: "Environment NOTES_MODE" }).getByRole("textbox").first().inputValue(),
	).toBe("NOTES_MODE");
	await takePictures(editor, "export-back");
	await editor.closeEverything();
});
