/** Stories of servers that come as bundles: inspected, set up, approved, used, updated, and removed. */
import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleOf } from "../unit/setup/bundles/zipArchive.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { chooseInMenu, clicks, patience, waitForCondition } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const secret = "weather-token-0123456789-canary";
const packed = path.join(import.meta.dirname, "../bundles/node.mcpb");
let folder: TestFolder;
let workspace: string;
let editor: RunningEditor;

beforeAll(async () => {
	folder = await TestFolder.create();
	workspace = await folder.workspace("bundles", { "readme.md": "# Bundles" });
	await copyFile(packed, path.join(workspace, "weather.mcpb"));
	const manifest = JSON.parse(
		await readFile(path.join(import.meta.dirname, "../bundles/node/manifest.json"), "utf8"),
	) as { server: { mcp_config: { args: string[] } } };
	manifest.server.mcp_config.args.push("--new");
	const next = { ...manifest, version: "1.1.0" };
	const main = await readFile(path.join(import.meta.dirname, "../bundles/node/server/index.mjs"));
	const files = [{ name: "server/index.mjs", content: main }];
	await writeFile(path.join(workspace, "weather-1.1.mcpb"), bundleOf(files, JSON.stringify(next)));
	await writeFile(path.join(workspace, "evil.mcpb"), bundleOf([{ name: "../../evil.js", content: "evil" }]));
	const typing = { "editor.autoClosingBrackets": "never", "editor.autoClosingQuotes": "never" };
	const settings = { ...followsColorScheme, ...typing, "workbench.editor.useModal": "off" };
	editor = await startEditorWithVsix({ workspace, settings });
});

afterAll(async () => {
	await editor?.stop();
	await folder?.[Symbol.asyncDispose]();
});

/** The files unpacked for bundles. */
async function unpacked(): Promise<readonly string[]> {
	const storage = path.join(editor.userDataFolder, "User/globalStorage/mcp-host.mcp-host/bundles");
	return existsSync(storage) ? readdir(storage) : [];
}

/** Chooses the entry of the context menu of a file in the explorer. */
async function installFromExplorer(file: string): Promise<void> {
	await editor.palette.run("View: Show Explorer");
	const row = editor.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: file });
	const item = editor.page.getByRole("menuitem", { name: "Install Bundle…" });
	await chooseInMenu(item, () => clicks(row, { button: "right", timeout: 3000 }));
}

/** Accepts the form of settings, unchanged or after a change. */
async function acceptSettings(change?: (form: FrameLocator) => Promise<void>): Promise<void> {
	await editor.editors.waitForActive("Settings of Weather");
	const form = await editor.webview.document("Settings of “Weather”");
	await form.locator("#submit").waitFor({ timeout: patience });
	await change?.(form);
	await form.locator("#submit").click();
}

async function preview(title: string): Promise<FrameLocator> {
	await editor.editors.waitForActive(title);
	const panel = await editor.webview.document(title);
	await panel.locator("#add").waitFor({ timeout: patience });
	return panel;
}

test("a bundle in the explorer is inspected, set up, approved and used; nothing runs before approval, and no secret is written (BND-04)", async () => {
	await installFromExplorer("weather.mcpb");
	await acceptSettings(async (form) => {
		expect(await form.locator("main").innerText()).toContain("Nothing is installed yet");
		await takePictures(editor, "bundle-settings");
		await form.getByLabel("Units").fill("kelvin");
	});
	const panel = await preview("Install Bundle");
	const text = await panel.locator("main").innerText();
	expect(text).toContain("Ada Example");
	expect(text).toMatch(/[\da-f]{64}/);
	const units = panel.getByRole("group", { name: "Environment WEATHER_UNITS" });
	expect(await units.getByLabel("Value").inputValue()).toBe("kelvin");
	expect(await unpacked()).toEqual([]);
	const token = panel.getByRole("group", { name: "Environment WEATHER_TOKEN" });
	expect(await token.getByLabel("Kept as").inputValue()).toBe("secret");
	await token.getByLabel("Value").fill(secret);
	await takePictures(editor, "bundle-preview");
	await panel.locator("#add-review").click();

	const review = await ServerReviewPanel.of(editor, "weather");
	const text2 = await review.text();
	expect(text2).toContain("It runs files of the bundle “Weather” 1.0.0 of Ada Example, according to the bundle.");
	expect((await review.row("Arguments")).values[0]).toMatch(/index\.mjs$/);
	await takePictures(editor, "bundle-review");
	await review.button("Approve and Start").click();
	await editor.tree.open(container);
	await editor.tree.expand(["weather", "Tools"]);
	await editor.tree.click(["weather", "Tools", "forecast"]);
	await editor.editors.waitForActive("Run forecast");
	const form = await editor.webview.document("Run forecast");
	await form.getByLabel("city").fill("Oslo");
	await form.locator("#submit").click();
	await editor.editors.waitForActive("Tool: forecast");
	const result = await editor.webview.document("sunny: Oslo kelvin");
	await result.locator("main", { hasText: secret }).waitFor({ timeout: patience });
	expect(await editor.userSettings()).toContain("${input:weather-token}");
	expect(await editor.userSettings()).not.toContain(secret);
	await editor.dialogs.clearNotifications();
});

test("a bundle that is dragged from the explorer onto the tree is inspected like any other (BND-07)", async () => {
	const { page } = editor;
	const middleOf = async (target: Locator): Promise<readonly [number, number]> => {
		await target.waitFor({ timeout: patience });
		const box = await target.boundingBox();
		if (box === null) throw new Error(`${String(target)} is not to be seen.`);
		return [box.x + Math.min(40, box.width / 2), box.y + box.height / 2];
	};
	/** Drags a file by the mouse, as a user does: over the icon of the view, which opens it, to a row. */
	const drag = async (name: string): Promise<void> => {
		await editor.palette.run("View: Show Explorer");
		await page.mouse.move(
			...(await middleOf(page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name }))),
		);
		await page.mouse.down();
		const [x, y] = await middleOf(page.locator(".activitybar .action-item a[aria-label^='MCP Host']").first());
		const row = page
			.locator(".pane-body .monaco-list-row:visible", { hasText: "weather" })
			.filter({ hasNotText: "mcpb" });
		await page.mouse.move(x, y, { steps: 10 });
		// The editor opens a view after something is held over its icon for a moment.
		await waitForCondition("The tree over which the file is held", async () => {
			await page.mouse.move(x + 1, y);
			await page.mouse.move(x, y);
			return row.first().isVisible();
		});
		const [left, top] = await middleOf(row.first());
		await page.mouse.move(left, top, { steps: 10 });
		await page.mouse.move(left + 2, top);
		await page.mouse.up();
	};
	await drag("weather.mcpb");
	await editor.dialogs.waitForModal("of “Weather” is installed as “weather”.");
	await takePictures(editor, "bundle-dropped");
	await page.keyboard.press("Escape");
	await drag("readme.md");
	await editor.dialogs.waitForNotification("Nothing was added. Drop a bundle (.mcpb or .dxt)");
	await editor.dialogs.clearNotifications();
});

test("a bundle's address is pasted, its origin is shown, and one Undo removes its files (BND-04, BND-06)", async () => {
	const bytes = await readFile(packed);
	const server = createServer((_request, response) => void response.end(bytes));
	await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
	const before = await unpacked();
	try {
		const { port } = server.address() as AddressInfo;
		await editor.palette.run("MCP Host: Add Servers…");
		await editor.editors.waitForActive("Add Servers");
		const adding = await editor.webview.document("Paste the instructions from the server's page");
		await adding.locator("#text").fill(`http://127.0.0.1:${port}/weather.mcpb`);
		await adding.locator("#open-bundle").waitFor({ timeout: patience });
		await takePictures(editor, "bundle-pasted");
		await adding.locator("#open-bundle").click();
		await editor.dialogs.waitForModal("of “Weather” is installed as “weather”.");
		await editor.dialogs.answerModal("Add as Another…");
		await acceptSettings();
		const panel = await preview("Install Bundle");
		const text = await panel.locator("main").innerText();
		expect(text).toContain("It was received over a connection that is not encrypted (http)");
		expect(text).toContain("Its hash was not announced");
		expect(await panel.getByLabel("Name", { exact: true }).inputValue()).toBe("weather-2");
		await panel.locator("#add").click();
	} finally {
		server.close();
	}
	await editor.tree.open(container);
	await editor.tree.waitForDescription("weather-2", "unapproved");
	expect(await unpacked()).toHaveLength(before.length + 1);
	await editor.dialogs.answerNotification("Added “weather-2” to User Settings.", "Undo");
	await editor.tree.waitUntilGone("weather-2");
	await expect.poll(unpacked, { timeout: patience }).toEqual(before);
	await editor.editors.close("Add Servers");
});

test("an archive that would write outside its folder is refused with the reason (BND-01)", async () => {
	const before = await unpacked();
	await installFromExplorer("evil.mcpb");
	const said = await editor.dialogs.waitForNotification("evil.mcpb was not installed");
	expect(said).toContain("The path “../../evil.js” in it points outside its folder.");
	await editor.dialogs.clearNotifications();
	expect(await unpacked()).toEqual(before);
});

test("another version shows its changes, keeps the settings, and asks again; removing deletes its files (BND-05)", async () => {
	const before = await unpacked();
	expect(before).toHaveLength(1);
	await installFromExplorer("weather-1.1.mcpb");
	expect(await editor.dialogs.waitForModal("Version 1.0.0 of “Weather” is installed as “weather”.")).toContain("1.1.0");
	await editor.dialogs.answerModal("Update…");
	await acceptSettings(async (form) => {
		expect(await form.getByLabel("Units").inputValue()).toBe("kelvin");
	});
	const panel = await preview("Update Bundle");
	const text = await panel.locator("main").innerText();
	expect(text).toContain("Version: 1.0.0 → 1.1.0");
	expect(text).toContain("--new");
	expect(await panel.locator("#add").innerText()).toBe("Update Server");
	await takePictures(editor, "bundle-update");
	expect(await unpacked()).toEqual(before);
	await panel.locator("#add").click();
	await editor.dialogs.waitForNotification("Updated “weather”");
	await editor.tree.open(container);
	await editor.tree.waitForDescription("weather", /unapproved/);
	const after = await unpacked();
	expect(after).toHaveLength(1);
	expect(after).not.toEqual(before);
	await editor.dialogs.clearNotifications();

	await editor.tree.contextMenu("weather", "Remove Server…");
	expect(await editor.dialogs.waitForModal("Remove the server")).toContain("files of its bundle are deleted too");
	await editor.dialogs.answerModal("Remove");
	await editor.dialogs.waitForNotification("with the files of its bundle");
	await editor.tree.waitUntilGone("weather");
	await expect.poll(unpacked, { timeout: patience }).toEqual([]);
});

test("files of a bundle whose entry was deleted by hand are offered for removal, and kept until then (BND-08)", async () => {
	await installFromExplorer("weather.mcpb");
	await acceptSettings();
	await (await preview("Install Bundle")).locator("#add").click();
	await editor.tree.open(container);
	await editor.tree.waitForDescription("weather", /unapproved/);
	await editor.dialogs.clearNotifications();
	const settings = JSON.parse(await editor.userSettings()) as Record<string, unknown>;
	await editor.palette.run("Preferences: Open User Settings (JSON)");
	await editor.editors.waitForActive("settings.json");
	await editor.editors.waitForText("mcpHost.servers");
	await editor.page.locator(".part.editor .monaco-editor.focused").waitFor({ timeout: patience });
	await editor.page.keyboard.press("Control+A");
	await editor.page.keyboard.insertText(JSON.stringify({ ...settings, "mcpHost.servers": {} }));
	await editor.page.keyboard.press("Control+S");
	await expect.poll(() => editor.userSettings(), { timeout: patience }).not.toContain("WEATHER_TOKEN");
	await editor.tree.waitUntilGone("weather");
	await editor.dialogs.waitForNotification("No server runs the bundle “Weather” 1.0.0 any more.");
	expect(await unpacked()).toHaveLength(1);
	await editor.tree.titleAction("Remove Unused Bundles…");
	await editor.palette.waitForRow(/Weather/);
	await takePictures(editor, "bundles-unused");
	await editor.palette.cancel();
	await editor.dialogs.answerNotification("No server runs the bundle", "Remove Files");
	await expect.poll(unpacked, { timeout: patience }).toEqual([]);
});
