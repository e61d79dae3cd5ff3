/** Stories of servers found in a registry: by keyboard, shown whole, added without being started, remembered offline (REG-10). */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npmPackage, registryEntry, startRegistry, type TestRegistry } from "../servers/registryServer.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { container, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

const entries = [
	registryEntry("io.github.acme/weather", {
		title: "Weather",
		description: "Forecasts and warnings for any place",
		packages: [
			npmPackage("@acme/weather", {
				environmentVariables: [
					{ name: "WEATHER_KEY", description: "API key of the weather service", isRequired: true, isSecret: true },
					{ name: "UNITS", default: "celsius" },
					{ name: "PROXY", description: "A proxy" },
				],
			}),
		],
		remotes: [{ type: "streamable-http", url: "https://weather.example.com/mcp" }],
	}),
	registryEntry(
		"io.github.newcomer/files",
		{
			title: "Filesystem",
			description: "Your files",
			packages: [npmPackage("@modelcontextprotocol/server-filesytem")],
		},
		2,
	),
	registryEntry("io.github.acme/crate", { packages: [{ registryType: "cargo", identifier: "crate" }] }),
	registryEntry("io.github.evil/shell", { title: "Shell", packages: [npmPackage("a", { runtimeHint: "bash" })] }),
	...Array.from({ length: 40 }, (_, index) =>
		registryEntry(`io.github.many/server-${index}`, { packages: [npmPackage(`server-${index}`)] }),
	),
];
let registry: TestRegistry;
let folder: TestFolder;
let editor: RunningEditor;
beforeAll(async () => {
	registry = await startRegistry(entries);
	folder = await TestFolder.create();
	const bundle = await readFile(path.join(import.meta.dirname, "../bundles/node.mcpb"));
	registry.files.set("/weather.mcpb", bundle);
	const packageOf = (fileSha256: string) => ({
		packages: [{ registryType: "mcpb", identifier: `${registry.url}/weather.mcpb`, fileSha256 }],
	});
	registry.entries = [
		...entries,
		registryEntry("io.github.acme/packed", packageOf(createHash("sha256").update(bundle).digest("hex")), 3),
		registryEntry("io.github.evil/swapped", packageOf("0".repeat(64))),
	];
	editor = await startEditorWithVsix({
		settings: { ...followsColorScheme, "mcpHost.registry.url": registry.url },
		home: folder.path,
	});
	await editor.tree.open(container);
});
afterAll(async () => {
	await editor?.stop();
	await registry?.[Symbol.asyncDispose]();
	await folder?.[Symbol.asyncDispose]();
});

test("a server is found by its name, shown whole for one way to run it, and added without being started (REG-10)", async () => {
	const { palette, editors, webview, dialogs, tree } = editor;
	// Before the search: the available choices come first, and the note that nothing was searched comes last.
	registry.answer = (response) => response.writeHead(503).end();
	await palette.run("MCP Host: Find Servers…");
	const unsearched = await palette.waitForRow(/The registry was not searched/);
	expect(unsearched.map(({ label }) => /not searched/.test(label))).toEqual([
		...unsearched.slice(1).map(() => false),
		true,
	]);
	await editor.screenshot("find-servers-not-searched");
	await palette.cancel();
	registry.answer = undefined;
	await tree.welcomeButton("Find Servers…").click({ timeout: patience });
	await palette.waitForTitle("Find Servers (127.0.0.1");
	await palette.waitForRow("Weather");
	const rows = await palette.rows();
	expect(rows.map(({ label }) => label)).not.toContain("crate");
	expect(rows.find(({ label }) => label === "Weather")).toMatchObject({
		description: "1.2.0 · published 3 months ago · io.github.acme/weather",
		detail: expect.stringContaining(
			"Forecasts and warnings for any place — https://weather.example.com/mcp or 1 more",
		) as string,
	});
	// Enter takes the first server.
	await palette.widget.locator(".monaco-list-row.focused", { hasText: "Weather" }).waitFor({ timeout: patience });
	await takePictures(editor, "find-servers");
	await palette.fill("weather");
	await expect
		.poll(() => registry.asked.some((asked) => asked.includes("search=weather")), { timeout: patience })
		.toBe(true);
	await palette.settled();
	await palette.acceptRow();
	await palette.waitForTitle("Weather");
	await takePictures(editor, "find-servers-ways");
	await palette.choose(/^npm package @acme\/weather/);

	await editors.waitForActive("Add Server");
	const panel = await webview.document("io.github.acme/weather 1.2.0");
	const texts = await panel.locator(".values code").allInnerTexts();
	expect(texts.slice(-3)).toEqual(["npx", "-y", "@acme/weather@1.2.0"]);
	const key = panel.getByRole("group", { name: "Environment WEATHER_KEY" });
	expect(await key.getByLabel("Kept as").inputValue()).toBe("secret");
	await key.getByLabel("Value").fill("weather-canary-0123");
	await takePictures(editor, "find-servers-preview");
	await panel.locator("#add").click();
	// One notification reports it and links to its review (FST-06).
	await dialogs.answerNotification("Added “weather” to User Settings.", "Review…");
	const review = await ServerReviewPanel.of(editor, "weather");
	expect(await review.text()).toContain("@acme/weather@1.2.0");
	await editor.waitForStatus("MCP 1 waiting");
	await editors.close("Review: weather");
	await tree.waitForDescription("weather", "unapproved");
	const settings = await editor.userSettings();
	expect(settings).toContain("@acme/weather@1.2.0");
	expect(settings).not.toContain("canary");
});

test("servers of other hosts and bundles on this machine are found in the same place, each with its command (REG-13)", async () => {
	const { palette, editors, webview } = editor;
	await mkdir(folder.file(".cursor"), { recursive: true });
	await mkdir(folder.file("Downloads"), { recursive: true });
	const linear = {
		command: "npx",
		args: ["-y", "linear-mcp@1.0.0"],
		env: { LINEAR_TOKEN: "linear-canary-0123456789" },
	};
	await writeFile(folder.file(".cursor/mcp.json"), JSON.stringify({ mcpServers: { linear } }));
	await copyFile(path.join(import.meta.dirname, "../bundles/node.mcpb"), folder.file("Downloads/forecasts.mcpb"));
	await palette.run("MCP Host: Find Servers…");
	await palette.waitForRow("linear");
	await palette.widget.locator(".monaco-list-row", { hasText: "forecasts.mcpb" }).waitFor({ timeout: patience });
	await palette.settled();
	const rows = await palette.rows();
	expect(rows.find(({ label }) => label === "linear")).toMatchObject({
		description: "Cursor",
		detail: "npx -y linear-mcp@1.0.0, asks for LINEAR_TOKEN (secret)",
	});
	expect(rows.map(({ description }) => description)).toContain("1.0.0 · Ada Example · forecasts.mcpb");
	await takePictures(editor, "find-servers-one-place");
	await palette.fill("linear");
	await palette.settled();
	await palette.choose("linear");
	await editors.waitForActive("Import Server");
	await webview.document("linear-mcp@1.0.0");
	await editor.closeEverything();

	// A link that only names a server leads to the registry's results for that name (ADD-07).
	await palette.run("MCP Host: Add Servers…");
	const adding = await webview.document("Paste the instructions from the server's page");
	await adding.locator("#text").fill("vscode:mcp/by-name/io.github.acme/weather");
	await adding.locator("#open-listed").waitFor({ timeout: patience });
	await takePictures(editor, "add-servers-listed");
	await adding.locator("#open-listed").click();
	await palette.waitForTitle("Find Servers (127.0.0.1");
	await palette.waitForRow("Weather");
	await palette.settled();
	expect((await palette.rows()).map(({ label }) => label)).not.toContain("Filesystem");
	await palette.cancel();
	await editor.closeEverything();

	// A typed domain lists the servers that it offers (REG-14).
	const card = { name: "com.acme/forecasts", version: "1.0.0", description: "Forecasts" };
	const remotes = [{ type: "streamable-http", url: "https://mcp.acme.example/mcp" }];
	const catalog = { entries: [{ type: "application/mcp-server-card+json", data: { ...card, remotes } }] };
	registry.files.set("/.well-known/ai-catalog.json", Buffer.from(JSON.stringify(catalog)));
	await palette.run("MCP Host: Find Servers…");
	await palette.fill(new URL(registry.url).host);
	await palette.waitForRow(/Ask 127/);
	await palette.settled();
	await takePictures(editor, "find-servers-domain");
	await palette.choose(/Ask 127/);
	await editors.waitForActive("Add Server");
	const panel = await webview.document("com.acme/forecasts 1.0.0");
	expect(await panel.locator("main").innerText()).toContain("written by its publisher");
	await takePictures(editor, "find-servers-card");
	await editor.closeEverything();
});

test("a newer version is found on request, shows its changes, and replaces the older one after consent (REG-11)", async () => {
	const { palette, editors, webview, dialogs } = editor;
	const newer = { ...entries[0], server: { ...(entries[0]?.["server"] as object), version: "1.3.0" } };
	const packages = [npmPackage("@acme/weather", { version: "1.3.0" })];
	registry.entries = [{ ...newer, server: { ...newer.server, packages } }, ...registry.entries.slice(1)];
	await editor.tree.titleAction("Update Servers…");
	await palette.waitForTitle("Server Updates (127.0.0.1");
	const [row] = await palette.waitForRow("weather");
	expect(row?.description).toContain("1.2.0 → 1.3.0");
	await takePictures(editor, "newer-versions");
	await palette.choose("weather");
	await editors.waitForActive("Update Server");
	const panel = await webview.document("Package: @acme/weather@1.2.0 → @acme/weather@1.3.0");
	expect(await editor.userSettings()).toContain("@acme/weather@1.2.0");
	await takePictures(editor, "newer-version-preview");
	await panel.locator("#add").click({ timeout: patience });
	await dialogs.waitForNotification("Updated “weather”. It asks for your approval before it starts.");
	const written = await editor.userSettings();
	expect(written).toContain("@acme/weather@1.3.0");
	expect(written).not.toContain("@acme/weather@1.2.0");
	await dialogs.clearNotifications();
	await editor.tree.titleAction("Update Servers…");
	await dialogs.waitForNotification("has no newer version for 1 server.");
	await dialogs.clearNotifications();
});

test("facts about trust are shown in words before a server is added, and unusable servers with the reason (REG-10)", async () => {
	const { palette, editors, webview } = editor;
	await palette.run("MCP Host: Find Servers…");
	await palette.fill("files");
	await palette.waitForRow("Filesystem");
	await palette.settled();
	await palette.choose("Filesystem");
	await editors.waitForActive("Add Server");
	const panel = await webview.document(
		"Its name is similar to the well-known package “@modelcontextprotocol/server-filesystem”",
	);
	await panel.getByText("It was first published 2 days ago.").waitFor({ timeout: patience });
	await takePictures(editor, "find-servers-trust");
	await editor.page.setViewportSize({ width: 700, height: 800 });
	await editor.screenshot("find-servers-trust-narrow");
	await editor.page.setViewportSize({ width: 1280, height: 800 });
	await editor.closeEverything();

	await palette.run("MCP Host: Find Servers…");
	await palette.fill("shell");
	await palette.waitForRow("Shell");
	await palette.settled();
	await palette.choose("Shell");
	await editors.waitForActive("Add Server");
	await webview.document("“bash” does not run an npm package.");
	await editor.closeEverything();
});

test("a bundle is downloaded, compared with the hash in the registry, and shown with the registry's text (REG-10)", async () => {
	const { palette, editors, webview, dialogs } = editor;
	await palette.run("MCP Host: Find Servers…");
	await palette.fill("swapped");
	await palette.waitForRow("swapped");
	await palette.settled();
	await palette.choose("swapped");
	await dialogs.waitForNotification(/weather\.mcpb/);
	await dialogs.clearNotifications();

	await palette.run("MCP Host: Find Servers…");
	await palette.fill("packed");
	await palette.waitForRow("packed");
	await palette.settled();
	await palette.choose("packed");
	await editors.waitForActive("Settings of Weather");
	const form = await webview.document("Settings of “Weather”");
	await form.locator("#submit").click({ timeout: patience });
	await editors.waitForActive("Install Bundle");
	const panel = await webview.document("io.github.acme/packed 1.2.0");
	await panel.getByText("(as announced)").waitFor({ timeout: patience });
	await panel.getByText("It was first published 3 days ago.").waitFor({ timeout: patience });
	await takePictures(editor, "find-servers-bundle");
	await editor.closeEverything();
});

test("without a network, earlier results are shown and marked as such (REG-10)", async () => {
	const { palette } = editor;
	registry.answer = (response) => response.writeHead(503).end();
	await palette.run("MCP Host: Find Servers…");
	await palette.fill("Forecasts");
	await palette.waitForRow("Weather");
	await palette.waitForTitle(/not reached, saved results from today/);
	await palette.cancel();
});
