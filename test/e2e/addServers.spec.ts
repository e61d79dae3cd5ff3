/** Stories of adding servers from the text of a page: pasted, previewed, kept without secrets, and undone. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPanel, paste, pastedSecret, readme } from "./fixtures/addServers.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { smallEntry } from "./fixtures/serverEntries.ts";
import { container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience, succeeds, waitForCondition } from "./pages/conditions.ts";
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

/** In the window: delivers the messages of a socket together, at most every 150 ms. */
const slowSockets = `{
	const listen = WebSocket.prototype.addEventListener;
	WebSocket.prototype.addEventListener = function (type, listener, options) {
		if (type !== "message") return listen.call(this, type, listener, options);
		let waiting = [];
		const hold = (event) => {
			if (typeof event.data === "string") return listener.call(this, event);
			waiting.push(event.data);
			if (waiting.length > 1) return;
			setTimeout(() => {
				const data = new Blob(waiting);
				waiting = [];
				listener.call(this, new MessageEvent("message", { data }));
			}, 150);
		};
		listen.call(this, type, hold, options);
	};
}`;

/** Reloads the window over a slow connection. */
async function slowDown(window: Workbench): Promise<void> {
	await window.page.addInitScript(slowSockets);
	await window.reload();
}

test("several servers are added to the folder's file without their secrets, and one Undo removes them; closing adds nothing (ADD-04)", async () => {
	const original = `{\n\t// ours\n\t"servers": {\n\t\t"first": ${JSON.stringify(smallEntry(folder.file("first.log")))}\n\t}\n}\n`;
	const window = await editor.newWindow(await folder.workspace("several", { ".vscode/mcp.json": original }));
	await window.tree.open(container);
	await window.tree.waitForDescription("first", "unapproved");
	const file = path.join(window.workspaceFolder, ".vscode/mcp.json");
	const text = `claude mcp add one -e ONE_TOKEN=${pastedSecret} -- npx -y @acme/one "two words"\nclaude mcp add first -t http https://mcp.example.com/mcp\nnpm install -g x | tee log\n`;

	await window.palette.run("MCP Host: Add Servers…");
	await addPanel(window);
	await paste(window, text);
	await window.editors.close("Add Servers");
	await window.editors.waitUntilClosed("Add Servers");
	expect(await readFile(file, "utf8")).toBe(original);

	await window.palette.run("MCP Host: Add Servers…");
	const panel = await addPanel(window);
	await paste(window, text);
	await panel.getByText("it pipes one command into another").waitFor({ timeout: patience });
	expect(await panel.locator("#add").innerText()).toBe("Add 2 Servers");
	const names = panel.getByLabel("Name", { exact: true });
	await expect.poll(() => names.count()).toBe(2);
	expect(await names.nth(1).inputValue()).toBe("first-2");
	await panel.getByLabel("Keep in").selectOption({ index: 1 });
	await takePictures(window, "add-servers-several");
	await panel.locator("#add").click();
	await window.tree.waitForDescription("one", "unapproved");
	await window.tree.waitForDescription("first-2", "unapproved");
	const written = await readFile(file, "utf8");
	expect(written).toContain("// ours");
	expect(written).toContain('"two words"');
	expect(written).not.toContain(pastedSecret);

	await window.dialogs.answerNotification("Added “one”, “first-2”", "Undo");
	await window.tree.waitUntilGone("one");
	await expect.poll(() => readFile(file, "utf8"), { timeout: patience }).toBe(original);
	await window.close();
});

test("over a slow connection the tools of a server unfold and can be chosen (UI-31)", async () => {
	const window = await editor.newWindow(await folder.workspace("slow", { "README.md": "" }));
	await slowDown(window);
	await window.tree.open(container);
	await window.palette.run("MCP Host: Add Servers…");
	const panel = await addPanel(window);
	await paste(window, readme(folder.file("slow.log")));
	await panel.getByRole("button", { name: "Add and Review…" }).click();
	const review = await ServerReviewPanel.of(window, "small");
	await review.button("Approve and Start").click();

	await window.tree.row(["small", "Tools", "whoami"]);
	// Clicked as often as a user would: a row that is redrawn in that moment does not receive the click.
	await waitForCondition("The form of whoami", async () => {
		await window.tree.click(["small", "Tools", "whoami"]);
		return succeeds(
			waitForCondition("Its tab", async () => (await window.editors.activeTitle()) === "Run whoami", 5000),
		);
	});
	await window.close();
});
