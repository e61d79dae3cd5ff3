/**
 * Stories on the installed extension. Each one looks like this:
 *
 * ```ts
 * import { afterAll, beforeAll, expect, test } from "vitest";
 * import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";
 *
 * let editor: RunningEditor;
 * beforeAll(async () => {
 * 	editor = await startEditorWithVsix({
 * 		workspace: "test/workspace/demo", // copied to a temporary folder; `editor.workspace` is the copy
 * 		settings: { "mcpHost.something": true },
 * 		isTrusted: true, // whether the user trusts the folder as soon as it is open
 * 	});
 * });
 * afterAll(() => editor?.stop());
 *
 * test("a server's tools are listed", async () => {
 * 	await editor.tree.open("MCP Host");
 * 	await editor.tree.expand(["demo", "Tools"]);
 * 	expect(await editor.tree.text()).toContain("searchFlights");
 * 	await editor.screenshot("tree");
 * });
 * ```
 *
 * `editor.newWindow()` opens the same server in a new browser context: other windows, empty global state and secrets, the
 * same settings file. Read what users see, or what the test's own servers received; never the extension's inside. Wait
 * with the functions that wait (`row`, `waitFor…`) or `expect.poll`; never for a time. A failed story leaves a picture, the
 * console and the server's log in `test-output/failed`. Run some stories with `npm run test:e2e -- tree`, and with
 * `MCP_HOST_HEADED=1` to watch them.
 *
 * The editor has its default settings, but for those that keep it quiet (test/editor/profile.ts). A file has one of two shared
 * servers to itself while it runs (test/editor/sharedServers.ts). Stories of a file share its window and need nothing of each
 * other: what one needs it makes, or finds made. `npm test` runs those in the folder `journeys`, which share few windows.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { Chat } from "./chat.ts";
import { clicks, moveMouseAway, patience, succeeds, waitForCondition, waitForValue } from "./conditions.ts";
import { Dialogs } from "./dialogs.ts";
import { Editors } from "./editors.ts";
import { Palette } from "./palette.ts";
import { Tree } from "./tree.ts";
import { Webview } from "./webview.ts";

/** The root of the repository. */
export const repositoryRoot = fileURLToPath(new URL("../../..", import.meta.url));

/** Where pictures are kept. */
export const screenshotFolder = path.join(repositoryRoot, "test-output", "screenshots");

/** One window of the editor. */
export class Workbench {
	readonly page: Page;
	/** The folder or `.code-workspace` file that is open. */
	readonly workspace: string;
	readonly palette: Palette;
	readonly tree: Tree;
	readonly chat: Chat;
	readonly webview: Webview;
	readonly dialogs: Dialogs;
	readonly editors: Editors;
	readonly #console: string[] = [];

	constructor(page: Page, workspace: string) {
		this.page = page;
		page.on("console", (message) => this.#console.push(`[${message.type()}] ${message.text()}`));
		this.workspace = workspace;
		this.palette = new Palette(page);
		this.tree = new Tree(page);
		this.chat = new Chat(page);
		this.webview = new Webview(page);
		this.dialogs = new Dialogs(page);
		this.editors = new Editors(page);
	}

	/** The folder that is open, or that holds the `.code-workspace` file. */
	get workspaceFolder(): string {
		return folderOf(this.workspace);
	}

	/** Waits until the window can be used. Extensions may still be starting. */
	async waitUntilReady(): Promise<void> {
		await this.page.locator(".monaco-workbench .part.editor").waitFor({ timeout: 60_000 });
		await this.page.locator(".activitybar [role=tab]").first().waitFor({ timeout: 60_000 });
	}

	/** Trusts the folder or workspace, which the editor opens in Restricted Mode, with the banner above everything. */
	async trust(): Promise<void> {
		const banner = this.page.locator(".part.banner");
		const trust = this.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true });
		const restricted = banner.getByText("Restricted Mode");
		let isGiven = false;
		await waitForCondition("The trust of the workspace", async () => {
			// At its start the editor may open others in front of the requested one.
			if (!isGiven && !(await trust.first().isVisible())) {
				await clicks(banner.getByText("Manage", { exact: true }), { timeout: 5000 });
				if (!(await succeeds(trust.first().waitFor({ timeout: 2000 })))) return false;
			}
			if (await trust.first().isVisible()) isGiven = (await clicks(trust.first())) || isGiven;
			return succeeds(restricted.waitFor({ state: "hidden", timeout: 5000 }));
		});
		// It is in an editor above all others.
		const modal = this.page.locator(".monaco-modal-editor-block");
		await waitForCondition("The end of the editor of Workspace Trust", async () => {
			await clicks(modal.getByRole("button", { name: /^Close/ }).first());
			return succeeds(modal.waitFor({ state: "hidden", timeout: 3000 }));
		});
	}

	/** Closes questions, notifications and editors: dialogs, the palette, toasts, tabs. Unsaved content is lost. */
	async closeEverything(): Promise<void> {
		const { modal } = this.dialogs;
		const isFree = async (): Promise<boolean> => {
			if ((await modal.count()) + (await this.palette.widget.count()) === 0) return true;
			await this.page.keyboard.press("Escape");
			return false;
		};
		await succeeds(waitForCondition("The end of what is asked", isFree, 5000));
		await this.dialogs.clearNotifications();
		if ((await this.page.locator(".part.editor .tab").count()) === 0) return;
		await this.palette.run("View: Close All Editors");
		const isClosed = async (): Promise<boolean> => {
			if (await modal.isVisible()) await this.dialogs.answerModal("Don't Save");
			return (await this.page.locator(".part.editor .tab").count()) === 0;
		};
		await succeeds(waitForCondition("The end of all editors", isClosed, 10_000));
	}

	/** Keeps a picture of the window in `test-output/screenshots/<name>.png` and returns its path. */
	async screenshot(name: string): Promise<string> {
		await mkdir(screenshotFolder, { recursive: true });
		const file = path.join(screenshotFolder, `${name}.png`);
		await this.page.screenshot({ path: file, animations: "disabled" });
		return file;
	}

	/** The console output of the window, uncaught errors of extensions included. */
	console(): string {
		return this.#console.join("\n");
	}

	/** Closes the window. The editor keeps running. */
	async close(): Promise<void> {
		await this.page.close({ runBeforeUnload: false });
	}

	/** Opens an empty file without a name, and waits until it takes what is typed. */
	async newFile(): Promise<void> {
		await this.palette.run("File: New Untitled Text File");
		await this.editors.waitForFocus(/^Untitled-\d+$/);
	}

	/** Reloads the window; global state and secrets are kept, everything in memory starts new. */
	async reload(): Promise<void> {
		await this.page.reload();
		await this.waitUntilReady();
	}

	/**
	 * Waits until the editor has saved that this file is in front of a group, with a state of its page if one is given,
	 * and reloads the window. A browser saves once a minute at most, and changes while the window closes may be lost.
	 */
	async reloadWithEditor(name: string, state = ""): Promise<void> {
		await this.reloadOnceSaved("memento/workbench.parts.editor", name, (saved) =>
			editorsInFront(saved).some((editor) => editor.includes(name) && editor.includes(state)),
		);
	}

	/** The first group of a pattern in the saved state of the extension, once it is saved; empty on the desktop. */
	async remembered(pattern: RegExp): Promise<string> {
		const found = await waitForValue(
			`${String(pattern)} in the saved state of the extension`,
			async () => {
				const saved = await this.page.evaluate(savedStates, "mcp-host.mcp-host");
				if (saved === undefined) return [];
				return saved.map((text) => pattern.exec(text)).find((match) => match !== null) ?? undefined;
			},
			90_000,
		);
		return found[1] ?? "";
	}

	/** Waits until the editor has saved a text in the state of the extension, and reloads the window. */
	async reloadWithMemory(text: string): Promise<void> {
		await this.reloadOnceSaved("mcp-host.mcp-host", text, (saved) => saved.includes(text));
	}

	private async reloadOnceSaved(key: string, what: string, isIt: (saved: string) => boolean): Promise<void> {
		const isSaved = async (): Promise<boolean> => {
			const saved = await this.page.evaluate(savedStates, key);
			// The desktop keeps its state elsewhere, and saves it whenever a window closes.
			return saved === undefined || saved.some(isIt);
		};
		await waitForCondition(`${what} in the saved state of the editor`, isSaved, 90_000);
		await this.reload();
	}

	/** Points at the status-bar entry with a text until its hover has text. */
	async waitForStatusHover(text: string, said: RegExp): Promise<void> {
		const entry = this.page.locator(".part.statusbar .statusbar-item").filter({ hasText: text }).first();
		await waitForCondition(`The hover of ${text} with ${String(said)}`, async () => {
			// Not by its tooltip, which is redrawn meanwhile: the element below would show its own, which stays.
			await this.page.mouse.move(0, 0, { steps: 3 });
			if (!(await succeeds(entry.hover({ timeout: 2000 })))) return false;
			return succeeds(this.page.locator(".workbench-hover").filter({ hasText: said }).waitFor({ timeout: 3000 }));
		});
		await moveMouseAway(this.page);
	}

	/** The text of the status-bar entry that contains `text`, once it is there. */
	async waitForStatus(text: string | RegExp): Promise<string> {
		const entry = this.page.locator(".part.statusbar .statusbar-item").filter({ hasText: text }).first();
		await entry.waitFor({ timeout: patience });
		return (await entry.innerText()).trim();
	}
}

/** The folder itself, or the one that holds a `.code-workspace` file. */
export function folderOf(workspace: string): string {
	return workspace.endsWith(".code-workspace") ? path.dirname(workspace) : workspace;
}

/** The state of a group's tabs, as the workbench saves it. */
interface SavedGroup {
	readonly editors: readonly { readonly value: string }[];
	/** The indexes of the editors, the front one first. */
	readonly mru: readonly number[];
}

/** A part of the editor area, as the workbench saves it. */
type SavedGrid =
	| { readonly type: "leaf"; readonly data: SavedGroup }
	| { readonly type: "branch"; readonly data: readonly SavedGrid[] };

/** The saved state of the editor in front of each group. */
function editorsInFront(saved: string): readonly string[] {
	const state = JSON.parse(saved) as { "editorpart.state"?: { serializedGrid?: { root: SavedGrid } } };
	const groups = (grid: SavedGrid): readonly SavedGroup[] =>
		grid.type === "leaf" ? [grid.data] : grid.data.flatMap(groups);
	const root = state["editorpart.state"]?.serializedGrid?.root;
	return (root === undefined ? [] : groups(root)).flatMap(
		({ editors, mru: [front = -1] }) => editors[front]?.value ?? [],
	);
}

/** The workbench's saved value of a key, such as its open editors; undefined if it saves elsewhere. Runs in the page. */
async function savedStates(key: string): Promise<readonly string[] | undefined> {
	interface Request {
		readonly result: unknown;
		onsuccess: () => void;
		onerror: () => void;
	}
	interface Database {
		readonly objectStoreNames: { contains(name: string): boolean };
		transaction(store: string): { objectStore(store: string): { get(key: string): Request } };
		close(): void;
	}
	const { indexedDB } = globalThis as unknown as {
		readonly indexedDB: { databases(): Promise<readonly { readonly name: string }[]>; open(name: string): Request };
	};
	const settled = (request: Request): Promise<unknown> =>
		new Promise((resolve) => {
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => resolve(undefined);
		});
	const stores = (await indexedDB.databases()).filter(({ name }) => name.startsWith("vscode-web-state-db-"));
	if (stores.length === 0) return undefined;
	const found: string[] = [];
	for (const { name } of stores) {
		const database = (await settled(indexedDB.open(name))) as Database | undefined;
		if (database === undefined) continue;
		const table = "ItemTable";
		const saved = database.objectStoreNames.contains(table)
			? await settled(database.transaction(table).objectStore(table).get(key))
			: undefined;
		database.close();
		if (typeof saved === "string") found.push(saved);
	}
	return found;
}
