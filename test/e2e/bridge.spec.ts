/** A story of an agent outside of VS Code that uses the servers of a window, and of what its user sees. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messagesOf, readReceived } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
import { repositoryRoot } from "./pages/workbench.ts";

let folder: TestFolder;
let editor: RunningEditor;
let home: string;

beforeAll(async () => {
	folder = await TestFolder.create();
	home = folder.file("home");
	await mkdir(home);
	const settings = { ...followsColorScheme, "mcpHost.servers": { small: smallEntry(folder.file("small.log")) } };
	editor = await startEditorWithVsix({ settings, home });
	await editor.tree.open(container);
	await approve(editor, "small");
	await editor.dialogs.clearNotifications();
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

const share = "Share Servers with Other Agents…";

interface HttpEntry {
	readonly mcpServers: { readonly "mcp-host": { readonly url: string; readonly headers: Record<string, string> } };
}

const json = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

function received(): number {
	return messagesOf(readReceived(folder.file("small.log")), "tools/call").length;
}

test("an agent calls a tool after the user shared servers, allowed it, and allowed the call (GST-07, GST-08, GST-15)", async () => {
	const { palette, dialogs, tree, webview } = editor;
	const meeting = path.join(home, ".mcp-host");
	expect(existsSync(meeting)).toBe(false);
	await tree.titleAction(share);
	await palette.pick(/Share the Servers of This Window/);
	await expect
		.poll(() => (existsSync(meeting) ? readdirSync(meeting).length : 0), { timeout: patience })
		.toBeGreaterThan(1);

	const client = new Client({ name: "story agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
	const script = path.join(repositoryRoot, "dist", "cli.js");
	const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
	const cwd = editor.workspaceFolder;
	await client.connect(
		new StdioClientTransport({ command: process.execPath, args: [script, "serve"], env, cwd, stderr: "ignore" }),
	);
	const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name);
	try {
		expect(await names()).toEqual([]);
		const question = /calls itself “story agent” wants to use your MCP servers/;
		expect(await dialogs.waitForNotification(question)).toContain("dist/cli.js ←");
		await takePictures(editor, "bridge-program");
		await dialogs.answerNotification(question, "Allow");
		await expect.poll(names, { timeout: patience }).toContain("small_echo");

		const called = client.callTool({ name: "small_echo", arguments: { text: "from outside" } });
		const announced = "small (server) has a tool call waiting for you";
		await dialogs.waitForNotification(announced);
		expect(received()).toBe(0);
		await dialogs.answerNotification(announced, "Review");
		const form = await webview.document("The program “story agent” wants to call echo of small");
		await expect
			.poll(() => form.getByRole("textbox", { name: /text/ }).inputValue(), { timeout: patience })
			.toBe("from outside");
		await takePictures(editor, "bridge-call");
		await form.getByRole("button", { name: "Allow Once" }).click();
		expect((await called).content).toEqual([{ type: "text", text: "from outside" }]);
		expect(received()).toBe(1);

		await palette.run("MCP Host: Show Activity");
		const activity = await webview.document("Activity");
		await activity.locator(".entries .entry", { hasText: "echo" }).first().click();
		await activity
			.getByText(/story agent 1\.0\.0 \(process \d+: /)
			.first()
			.waitFor({ timeout: patience });

		await tree.titleAction(share);
		await palette.pick(/Add a Key for HTTP/);
		await palette.enter("web agent");
		await dialogs.waitForNotification(/the key of “web agent”/);
		const entry = JSON.parse(await editor.page.evaluate<string>("navigator.clipboard.readText()")) as HttpEntry;
		const { url, headers } = entry.mcpServers["mcp-host"];
		const statusWith = async (sent: Readonly<Record<string, string>>): Promise<number> =>
			(await fetch(url, { method: "POST", headers: { ...sent, ...json }, body: JSON.stringify(ping) })).status;
		expect([await statusWith(headers), await statusWith({})]).toEqual([200, 401]);
		await palette.run("MCP Host: Show What May Run");
		const page = await webview.document("What May Run");
		await page.getByText("web agent", { exact: false }).first().waitFor({ timeout: patience });
		await takePictures(editor, "bridge-key");

		await tree.titleAction(share);
		await palette.waitForRow(/Show What May Run/);
		await palette.pick(/Stop Sharing/);
		await expect.poll(() => existsSync(meeting), { timeout: patience }).toBe(false);
		// The command may learn a moment later that the window has gone, and says so of a call that it sent before.
		const again = async (): Promise<string> =>
			JSON.stringify((await client.callTool({ name: "small_echo", arguments: { text: "again" } })).content);
		await expect.poll(again, { timeout: patience }).toContain("No VS Code window");
		expect(received()).toBe(1);
	} finally {
		await client.close();
	}
});
