/** Stories of resources as files and live: compared, watched, saved, with several contents, large, and with wrong types. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LibraryHttpServer, startLibraryServer } from "../servers/libraryHttp.ts";
import { messagesOf } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const resources = ["library", "Resources"];
const dashboard = "live://dashboard.md";
const clock = "live://clock/same-length";

let library: LibraryHttpServer;
let editor: RunningEditor;

beforeAll(async () => {
	library = await startLibraryServer({ resources: 90 });
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.servers": { library: { url: library.url } },
			// A little less than the longest of the library's texts that every editor accepts.
			"mcpHost.limits.resourceSize": 0.09,
			"workbench.editor.enablePreview": false,
		},
	});
	await editor.tree.open(container);
	await approve(editor, "library");
	await editor.tree.expand(resources);
});

afterAll(async () => {
	await editor?.stop();
	await library?.[Symbol.asyncDispose]();
});

test("an update refreshes the open editor without taking the focus, and is compared with the previous content", async () => {
	const { tree, editors, palette, page } = editor;
	await tree.click([...resources, "Dashboard"]);
	await editors.waitForText("Revision 0");
	await palette.openWith(">");
	await palette.fill("a user types here");
	change(dashboard);
	await editors.waitForText("Revision 1");
	expect(await page.evaluate<boolean>("document.activeElement?.closest('.quick-input-widget') !== null")).toBe(true);
	expect(await palette.input.inputValue()).toBe("a user types here");
	await palette.cancel();

	await editors.titleAction("Compare with Previous");
	await editors.waitForActive(/^dashboard\.md \(.* ↔ Now\)$/);
	await waitForComparison("Revision 0", "Revision 1");
	await takePictures(editor, "resource-compare");
	// The current side follows the resource, the other one does not.
	change(dashboard);
	await waitForComparison("Revision 0", "Revision 2");
	await editors.close(/ ↔ Now/);
});

test("a resource is watched without being opened, marked when it changed, and still watched after a reload", async () => {
	const { tree, editors } = editor;
	const row = [...resources, "Clock of Equal Lengths"];
	await tree.contextMenu(row, "Watch Resource");
	await expect.poll(() => subscriptionsTo(clock), { timeout: patience }).toBe(1);
	// A change is relative to the content when the user began to watch.
	await expect.poll(() => readsOf(clock), { timeout: patience }).toBeGreaterThan(0);
	change(clock);
	await expect.poll(() => tree.inlineActions(row), { timeout: patience }).toContain("Compare with Previous");
	await takePictures(editor, "resource-changed");
	await tree.inlineAction(row, "Compare with Previous");
	await editors.waitForActive(/^same-length \(.* ↔ Now\)$/);
	await waitForComparison("tick 000000", "tick 000001");
	await expect.poll(() => tree.inlineActions(row), { timeout: patience }).not.toContain("Compare with Previous");
	await editors.close(/ ↔ Now/);

	await editor.reload();
	await expect.poll(() => subscriptionsTo(clock), { timeout: patience }).toBeGreaterThan(1);
	await tree.open(container);
	await tree.expand(resources);
	await tree.contextMenu(row, "Stop Watching Resource");
	await expect.poll(() => tree.contextMenuItems(row), { timeout: patience }).toContain("Watch Resource");
});

test("a resource is saved where the user chooses, and never over a file without a question (RES-02)", async () => {
	const { tree, palette, editors } = editor;
	const target = path.join(editor.workspaceFolder, "saved dashboard.md");
	await tree.click([...resources, "Dashboard"]);
	await editors.waitForText(/Revision \d/);
	const [revision = ""] = /Revision \d+/.exec(await editors.visibleText()) ?? [];
	await editors.titleAction("Save Resource As…");
	await expect.poll(() => palette.input.inputValue(), { timeout: patience }).toMatch(/\/dashboard\.md$/);
	await palette.fill(target);
	await palette.accept();
	await expect.poll(() => existsSync(target), { timeout: patience }).toBe(true);
	await expect.poll(() => readFileSync(target, "utf8"), { timeout: patience }).toContain(revision);

	writeFileSync(target, "mine");
	await editors.titleAction("Save Resource As…");
	await expect.poll(() => palette.input.inputValue(), { timeout: patience }).toMatch(/\/dashboard\.md$/);
	await palette.fill(target);
	await palette.accept();
	await palette.waitForTitle(/already exists/);
	await editor.screenshot("resource-save");
	// The first Escape declines the question, the next closes the dialog.
	const leave = async (): Promise<number> => {
		await editor.page.keyboard.press("Escape");
		return palette.widget.count();
	};
	await expect.poll(leave, { timeout: patience }).toBe(0);
	expect(readFileSync(target, "utf8")).toBe("mine");
});

test("several contents are entries below the resource, opened one by one or together (BLT-22, BLT-23)", async () => {
	const { tree, palette, editors } = editor;
	const row = [...resources, "Several Contents"];
	await tree.click(row);
	await palette.waitForRow("All Together");
	expect((await palette.rows()).map(({ label }) => label)).toEqual([
		"All Together",
		"parts://several/text.txt",
		"parts://several/picture.png",
		"parts://several/raw",
	]);
	await editor.screenshot("resource-contents-pick");
	await palette.pick("parts://several/text.txt");
	await editors.waitForActive("text.txt");
	await editors.waitForText("the first part");
	await tree.expand(row);
	await tree.click([...row, "picture.png"]);
	await editors.waitForActive("picture.png");
	await (await editor.webview.document()).locator("img").waitFor({ timeout: patience });
	await takePictures(editor, "resource-contents");
	await tree.collapse(row);
});

test("a large resource opens only when the user confirms (RES-06)", async () => {
	const { tree, palette, editors, dialogs } = editor;
	await tree.click([...resources, "One Line of 100 KB"]);
	const message = await dialogs.waitForNotification("size://one-line.txt");
	expect(message).toMatch(
		/of library has 97\.7 KB\. Resources of more than 92\.2 KB are opened only if you confirm it/,
	);
	await takePictures(editor, "resource-large");
	await dialogs.answerNotification("size://one-line.txt", "Open Anyway");
	await editors.waitForText("xxxxxxxx");

	// A size that the server declares is trusted before anything is read, and then at most that many bytes are read.
	await palette.run("MCP Host: Open Resource…");
	await palette.fill("says-huge");
	const labels = async (): Promise<readonly string[]> => (await palette.rows()).map(({ label }) => label);
	await expect.poll(labels, { timeout: patience }).toEqual(["says-huge.txt"]);
	await palette.pick("says-huge.txt");
	await dialogs.waitForNotification("4.5 TB");
	expect(readsOf("size://says-huge.txt")).toBe(0);
	await dialogs.answerNotification("4.5 TB", "Open Anyway");
	await editors.waitForText("small after all");
});

test("HTML declared as a picture is shown as text, despite its name (RES-05)", async () => {
	const { tree, editors } = editor;
	await tree.click([...resources, "HTML That Says It Is a Picture"]);
	await editors.waitForActive("lying.png.txt");
	await editors.waitForText("<script>alert(1)</script>");
	await editors.waitUntilClosed("lying.png");
	expect(await editor.dialogs.waitForNotification("bytes://lying.png")).toContain("as image/png, but it is text");
	await editor.screenshot("resource-lying");
	await editor.dialogs.clearNotifications();
	await tree.click([...resources, "picture.png"]);
	await editors.waitForActive("picture.png");
	await editors.titleAction("Open Resource With…");
	await editor.palette.pick("Hex Dump");
	await editors.waitForActive("picture.png.hex");
	await editors.waitForText(/00000000 {2}89 50 4e 47 0d 0a 1a 0a/);
	await editor.screenshot("resource-hex");
});

test("Markdown of a server is rendered beside, without scripts and network, and again when it changes (RES-13, RES-14)", async () => {
	await editor.tree.click([...resources, "Dashboard"]);
	await editor.editors.waitForActive("dashboard.md");
	await editor.editors.titleAction("Open Resource Preview");
	await editor.editors.waitForActive("Preview dashboard.md");
	const around = await editor.webview.documentWith("#stage > iframe");
	await around.getByText("nothing is loaded from the network").waitFor({ timeout: patience });
	const drawn = around.frameLocator("#stage > iframe");
	await drawn.getByRole("heading", { name: "Dashboard" }).waitFor({ timeout: patience });
	await drawn.getByRole("cell", { name: "Poetry" }).waitFor({ timeout: patience });
	await takePictures(editor, "resource-preview");
	const [revision = ""] = /Revision \d+/.exec(await drawn.locator("body").innerText()) ?? [];
	change(dashboard);
	await drawn.getByText(`Revision ${Number(revision.slice("Revision ".length)) + 1}`).waitFor({ timeout: patience });
	// This server notifies of changes.
	expect(await around.getByRole("button", { name: "Reload" }).count()).toBe(0);
	await editor.editors.close("Preview dashboard.md");
});

test("a server that answers with another URI than requested is reported (RES-04)", async () => {
	const { tree, editors, dialogs } = editor;
	await tree.click([...resources, "A Content of Another URI"]);
	await editors.waitForActive("other-uri");
	await editors.waitForText("from elsewhere");
	expect(await dialogs.waitForNotification("parts://elsewhere")).toContain('instead of "parts://other-uri"');
	await editor.screenshot("resource-other-uri");
	await dialogs.clearNotifications();
});

test("a URI that no server lists is typed and read from the server with a matching template", async () => {
	const { palette, editors } = editor;
	const uri = "catalog://20th/Stanis%C5%82aw%20Lem/Solaris";
	await palette.run("MCP Host: Open Resource…");
	await palette.fill(uri);
	const [row] = await palette.waitForRow("Read from library");
	expect(row).toMatchObject({ description: uri, detail: expect.stringContaining("catalog://{century}") as string });
	await editor.screenshot("resource-typed");
	await palette.pick("Read from library");
	await editors.waitForText(`This is ${uri}`);
});

/** Waits until the comparison in front has these words on its sides. */
async function waitForComparison(former: string, present: string): Promise<void> {
	await expect
		.poll(() => editor.editors.comparison())
		.toEqual([expect.stringContaining(former), expect.stringContaining(present)]);
}

/** Gives a resource another content and notifies the subscribers. */
function change(uri: string): void {
	library.world.bump(uri);
	library.world.announce({ kind: "resource", uri });
}

/** How often a resource was read. */
function readsOf(uri: string): number {
	const reads = messagesOf(library.received, "resources/read");
	return reads.filter(({ params }) => (params as { readonly uri: string }).uri === uri).length;
}

/** How often the server was asked to notify of changes of a resource. */
function subscriptionsTo(uri: string): number {
	const requests = ["subscriptions/listen", "resources/subscribe"].flatMap((method) =>
		messagesOf(library.received, method),
	);
	return requests.filter(({ params }) => JSON.stringify(params).includes(JSON.stringify(uri))).length;
}
