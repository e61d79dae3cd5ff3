/** Stories of the servers tree: tens of thousands of resources, in pages, folders and filters, by mouse and by keys. */
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type LibraryHttpServer, startLibraryServer } from "../servers/libraryHttp.ts";
import { liveUris } from "../servers/libraryResources.ts";
import { messagesOf } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { patience, succeeds, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const group = ["library", "Resources"];

let library: LibraryHttpServer;
let editor: RunningEditor;

beforeAll(async () => {
	library = await startLibraryServer({ resources: 50_000, pageSize: 2500, prompts: 3 });
	editor = await startEditorWithVsix({
		settings: {
			...followsColorScheme,
			"mcpHost.demoServer": true,
			"mcpHost.servers": { library: { url: library.url } },
		},
	});
	await editor.tree.open(container);
	await approve(editor, "library");
	await editor.tree.expand("library");
});

// Changes to the list by a failed story are undone: each story finds it whole and in its server's order.
afterEach(async ({ task }) => {
	if (task.result?.state !== "fail") return;
	const { tree, palette } = editor;
	await tree.open(container);
	await tree.expand(group);
	const { description, accessibleName } = await tree.read(group);
	if (description.includes(" for ")) await tree.inlineAction(group, "Clear Filter");
	if (!accessibleName.includes("by name")) return;
	await tree.contextMenu(group, "Sort Resources…");
	await palette.choose("Server's Order");
});

afterAll(async () => {
	await editor?.stop();
	await library?.[Symbol.asyncDispose]();
});

test("fifty thousand resources are in the folders of their URIs, and each folder shows a page at a time", async () => {
	const { tree } = editor;
	await tree.waitForDescription(group, /^50,000$/);
	await tree.expand([...group, "memo://"]);
	await tree.waitForDescription([...group, "memo://"], /^10,700$/);
	await tree.click([...group, "memo://", "Load More… (100 of 10,700)"]);
	// The focus moves to the first of the new rows.
	await expect.poll(focusedRow, { timeout: patience }).toMatch(/^Volume /);
	await tree.row([...group, "memo://", "Load More… (200 of 10,700)"]);
	await editor.screenshot("tree-more");
	await tree.collapse([...group, "memo://"]);
	await takePictures(editor, "tree-folders");
});

test("resources are sorted as the user wants, in folders as well", async () => {
	const { tree, palette } = editor;
	const inFolder = async (): Promise<readonly string[]> => {
		const rows = await tree.rows();
		const from = rows.findIndex(({ label }) => label === "bytes://");
		return rows.slice(from + 1, from + 5).map(({ label }) => label);
	};
	await tree.expand([...group, "bytes://"]);
	const byServer = ["picture.png", "script.svg", "HTML That Says It Is a Picture", "sound.wav"];
	await expect.poll(inFolder, { timeout: patience }).toEqual(byServer);
	await tree.contextMenu(group, "Sort Resources…");
	await palette.pick("Name");
	const byName = ["book.pdf", "broken-base64", "code.py", "HTML That Says It Is a Picture"];
	await expect.poll(inFolder, { timeout: patience }).toEqual(byName);
	await tree.waitForSpoken(group, /^Resources, 50,000, by name$/);
	await tree.contextMenu(group, "Sort Resources…");
	await palette.waitForRow("Name");
	await editor.screenshot("tree-sort");
	await palette.pick("Server's Order");
	await expect.poll(inFolder, { timeout: patience }).toEqual(byServer);
	await tree.collapse([...group, "bytes://"]);
});

test("one click previews and keeps the focus, a double click pins, as in the explorer", async () => {
	const { tree, editors } = editor;
	// Anything that another story has left open.
	await editor.closeEverything();
	await tree.expand([...group, "bytes://"]);
	await tree.click([...group, "bytes://", "code.py"]);
	await editors.waitForActive("code.py");
	await expect.poll(() => editors.titles()).toEqual(["code.py"]);
	expect(await focusIsInTree()).toBe(true);
	await tree.click([...group, "bytes://", "table.csv"]);
	await editors.waitForActive("table.csv");
	// The second preview replaced the first.
	await expect.poll(() => editors.titles()).toEqual(["table.csv"]);
	expect(await focusIsInTree()).toBe(true);
	await (await tree.row([...group, "bytes://", "table.csv"])).locator(".label-name").dblclick();
	// The title of a preview is in italics.
	await editor.page.locator(".part.editor .tab.active .monaco-icon-label:not(.italic)").waitFor({ timeout: patience });
	await tree.click([...group, "bytes://", "settings.json"]);
	await editors.waitForActive("settings.json");
	await expect.poll(() => editors.titles()).toEqual(["table.csv", "settings.json"]);
	// An open resource is live, and the row shows it in words.
	await tree.waitForDescription("settings.json", "live");
	const { accessibleName } = await tree.read("settings.json");
	expect(accessibleName).toMatch(/^settings\.json, resource, live/);
});

test("a resource can be dragged into the editor area and into the chat", async () => {
	const { tree, editors, chat } = editor;
	await tree.expand([...group, "bytes://"]);
	await tree.click([...group, "bytes://", "settings.json"]);
	await editors.waitForActive("settings.json");
	const row = await tree.row([...group, "bytes://", "page.html"]);
	await drag(
		row,
		editor.page.locator(".part.editor .editor-instance").first(),
		editor.page.locator("#monaco-workbench-editor-drop-overlay"),
	);
	await editors.waitForActive("page.html");
	await chat.open();
	await drag(
		await tree.row([...group, "bytes://", "code.py"]),
		chat.inputPart,
		editor.page.locator(".chat-dnd-overlay.visible"),
	);
	await chat.inputPart
		.locator(".chat-attached-context-attachment", { hasText: "code.py" })
		.waitFor({ timeout: patience });
	await editor.screenshot("tree-dragged-to-chat");
	await tree.collapse([...group, "bytes://"]);
});

test("everything can be reached by keys: typing finds a row, arrows open it, Enter opens the resource", async () => {
	const { tree, page, editors } = editor;
	await tree.expand(group);
	await tree.click([...group, "parts://"]);
	await waitForCondition("The row that was typed", async () => {
		// The editor does not join keys that are more than 800 ms apart to a word.
		await page.keyboard.type("size");
		const isFound = async (): Promise<boolean> => (await focusedRow()).startsWith("size://, folder, 4 resources");
		return succeeds(waitForCondition("The row", isFound, 3000));
	});
	await page.keyboard.press("ArrowRight");
	await tree.row([...group, "size://", "Huge and Says So"]);
	for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowDown");
	await expect.poll(focusedRow, { timeout: patience }).toMatch(/^One Line of 100 KB, resource/);
	await page.keyboard.press("Enter");
	await editors.waitForActive("one-line.txt");
	await expect.poll(focusIsInTree, { timeout: patience }).toBe(false);
	await tree.collapse([...group, "size://"]);
});

test("a row can be chosen while its list changes repeatedly", async () => {
	const { tree, editors, dialogs, page } = editor;
	// Of this row only: a click that another row received does not count.
	const asked = (): number => countAbout("prompts/get", "conversation");
	await tree.collapse(group);
	const storm = setInterval(() => {
		for (const kind of ["prompts", "tools"] as const) {
			library.world.added[kind] = 1 - library.world.added[kind];
			library.world.announce({ kind });
		}
	}, 150);
	try {
		await tree.expand(["library", "Prompts"]);
		for (let round = 0; round < 5; round++) {
			const before = asked();
			// While rows come and go, a click may hit the neighbouring row, as a user's would.
			await waitForCondition("The prompt of the row", async () => {
				await tree.click(["library", "Prompts", "A Conversation"]);
				const isAsked = (): Promise<boolean> => Promise.resolve(asked() > before);
				if (await succeeds(waitForCondition("The request", isAsked, 3000))) return true;
				await page.keyboard.press("Escape");
				return false;
			});
		}
	} finally {
		clearInterval(storm);
	}
	expect(await dialogs.notification("not found").count()).toBe(0);
	// Its preview takes the focus when it opens.
	await editors.waitForActive("Prompt: A Conversation");
	await editor.webview.document("A Conversation");
	await tree.collapse(["library", "Prompts"]);
	await tree.expand(group);
});

test("several contents of a resource are listed below it once they are known (BLT-22, BLT-23)", async () => {
	const { tree, palette, editors } = editor;
	await tree.expand([...group, "parts://"]);
	const several = [...group, "parts://", "Several Contents"];
	await tree.click(several);
	await palette.waitForTitle("Contents of parts://several");
	await palette.cancel();
	await tree.expand(several);
	await tree.click([...several, "text.txt"]);
	await editors.waitForActive("text.txt");
	await takePictures(editor, "tree-parts");
	await tree.collapse([...group, "parts://"]);
});

test("a watched resource that changes has a badge until the user looks at it", async () => {
	const { tree, editors } = editor;
	// Alone: the rows above it may be scrolled out of sight.
	const dashboard = "Dashboard";
	await tree.expand([...group, "live://"]);
	await tree.contextMenu(dashboard, "Watch Resource");
	await tree.waitForDescription(dashboard, "watched");
	// A change is relative to the content when the user began to watch.
	const isKnown = (): boolean =>
		["subscriptions/listen", "resources/subscribe"].some((method) => countAbout(method, liveUris.dashboard) > 0) &&
		countAbout("resources/read", liveUris.dashboard) > 0;
	await expect.poll(isKnown, { timeout: patience }).toBe(true);
	expect(await tree.badge(container)).toBe("");
	library.world.bump(liveUris.dashboard);
	library.world.announce({ kind: "resource", uri: liveUris.dashboard });
	await tree.waitForDescription(dashboard, /^changed$/);
	await expect.poll(() => tree.badge(container), { timeout: patience }).toBe("1");
	await takePictures(editor, "tree-changed");
	await tree.click(dashboard);
	await editors.waitForActive("dashboard.md");
	await tree.waitForDescription(dashboard, /^watched$/);
	await expect.poll(() => tree.badge(container), { timeout: patience }).toBe("");
	await tree.contextMenu(dashboard, "Stop Watching Resource");
	await tree.collapse([...group, "live://"]);
});

test("open rows of the tree are open again after their server was restarted", async () => {
	const { tree } = editor;
	await tree.expand([...group, "icons://"]);
	await tree.row([...group, "icons://", "icon png"]);
	const lists = (): number => messagesOf(library.received, "resources/list").length;
	const before = lists();
	await tree.inlineAction("library", "Restart Server");
	// The rows disappear only for a moment; those that the server lists again stay.
	await expect.poll(lists, { timeout: patience }).toBeGreaterThan(before);
	await tree.row([...group, "icons://", "icon png"]);
	await takeNarrowPicture("tree-icons-narrow");
	await tree.collapse([...group, "icons://"]);
});

test("a small list stays a list, and folders are one click away and remembered", async () => {
	const { tree } = editor;
	const small = ["travel", "Resources"];
	await tree.collapse("library");
	await tree.expand(small);
	await tree.row([...small, "Upcoming Events"]);
	await takePictures(editor, "tree-small");
	await tree.inlineAction(small, "View Resources as Tree");
	await tree.waitUntilGone([...small, "Upcoming Events"]);
	await tree.row([...small, "trips://history"]);
	await takePictures(editor, "tree-small-folders");
	await editor.reloadWithMemory('"layout":"tree"');
	await tree.open(container);
	await tree.expand(small);
	await tree.row([...small, "trips://history"]);
	expect(await tree.inlineActions(small)).toContain("View Resources as List");
});

/** How often the server received a request with this name or address. */
function countAbout(method: string, named: string): number {
	return messagesOf(library.received, method).filter(({ params }) =>
		JSON.stringify(params).includes(JSON.stringify(named)),
	).length;
}

/** Drags something to where `overlay` shows that it can be dropped; the overlay appears only during the drag. */
async function drag(source: Locator, target: Locator, overlay: Locator): Promise<void> {
	const { mouse } = editor.page;
	const box = await target.boundingBox();
	if (box === null) throw new Error("Nothing to drop on is shown.");
	const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
	await source.hover();
	await mouse.down();
	await mouse.move(x, y, { steps: 10 });
	let step = 0;
	await waitForCondition("The place to drop", async () => {
		await mouse.move(x + (step++ % 2), y, { steps: 2 });
		return overlay.first().isVisible();
	});
	// The next movements determine the exact place.
	for (let rest = 0; rest < 4; rest++) await mouse.move(x + rest, y);
	await mouse.up();
}

/** Keeps a picture of the window with the narrowest useful side bar, and restores its width. */
async function takeNarrowPicture(name: string): Promise<void> {
	const { page } = editor;
	const drag = async (by: number): Promise<void> => {
		const box = await page.locator(".part.sidebar").boundingBox();
		if (box === null) throw new Error("There is no side bar.");
		const [x, y] = [box.x + box.width + 1, box.y + box.height / 2];
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move(x + by, y, { steps: 5 });
		await page.mouse.up();
	};
	await drag(-110);
	await editor.screenshot(name);
	await drag(110);
}

function focusIsInTree(): Promise<boolean> {
	return editor.page.evaluate<boolean>("document.activeElement?.closest('.part.sidebar') !== null");
}

/** The accessible name of the focused row. */
async function focusedRow(): Promise<string> {
	const row = editor.page.locator(".part.sidebar .monaco-list-row.focused").first();
	return (await row.getAttribute("aria-label", { timeout: patience })) ?? "";
}
