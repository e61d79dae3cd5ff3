/** Stories of servers: found in files, reviewed, started, changed, failing, and ended; nothing runs without consent. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesOf, readReceived } from "../servers/received.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { faultyEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { approve, container, reviewFromTree, ServerReviewPanel } from "./fixtures/serverReview.ts";
import { TestFolder, writeContent } from "./fixtures/testFolder.ts";
import { patience } from "./pages/conditions.ts";
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

test("the welcome view leads to a running demo in two clicks", async () => {
	await editor.tree.open(container);
	await editor.tree.welcomeButton("Try the Demo Server").waitFor({ timeout: patience });
	await editor.screenshot("welcome-light");
	await editor.tree.welcomeButton("Try the Demo Server").click();
	await editor.tree.waitForRunning("travel");
	await editor.chat.waitForInput("Barcelona for two");
	await editor.waitForStatus("MCP 1");

	await editor.tree.expand("travel");
	await editor.tree.waitForDescription(["travel", "Tools"], /^5\b/);
	await editor.tree.waitForDescription(["travel", "Resources"], /^\d+$/);
	await editor.tree.waitForDescription(["travel", "Resource Templates"], /^2$/);
	await editor.tree.waitForDescription(["travel", "Prompts"], /^1$/);
	await editor.tree.expand(["travel", "Tools"]);
	await editor.tree.row(["travel", "Tools", "Search Flights"]);
	await editor.dialogs.clearNotifications();
	await takePictures(editor, "tree");
	// Windows that open later run without the demo.
	await editor.writeSettings(followsColorScheme);
});

test("a file that appears and disappears with its folder is noticed; a faulty entry is a problem on its line, valid ones wait for approval, nothing starts", async () => {
	const log = folder.file("listed.log");
	const window = await openWindow("listed", { "read.me": "Nothing is configured here." });
	const home = path.join(window.workspaceFolder, ".vscode");
	await writeContent(path.join(home, "mcp.json"), { servers: { late: smallEntry(log) } });
	await window.tree.waitForDescription("late", /unapproved/);
	await rm(home, { recursive: true });
	await window.tree.waitUntilGone("late");

	const lines = [
		"{",
		'\t"servers": {',
		'\t\t"broken": { "command": 5 }, // not a text',
		`\t\t"sound": ${JSON.stringify(smallEntry(log))},`,
		"\t}",
		"}",
	];
	await writeContent(path.join(home, "mcp.json"), lines.join("\n"));
	await writeContent(path.join(window.workspaceFolder, ".mcp.json"), { mcpServers: { plain: smallEntry(log) } });
	await window.tree.waitForDescription("sound", "unapproved");
	await window.tree.waitForDescription("plain", "unapproved");
	expect((await window.tree.rows()).map(({ label }) => label)).not.toContain("broken");

	await window.palette.run("Problems: Focus on Problems View");
	const problem = window.page.locator(".markers-panel .monaco-list-row").filter({ hasText: "MCP Host" });
	await problem.waitFor({ timeout: patience });
	expect(await problem.innerText()).toMatch(/"command" must be a string\.[^]*Ln 3\b/);
	await window.tree.row('broken: "command" must be a string.');
	await takePictures(window, "problems");
	expect(existsSync(log)).toBe(false);
	await window.close();
});

test("a server runs exactly what its review shows, once it is approved", async () => {
	const log = folder.file("reviewed.log");
	const oddArguments = ["two words", "zero\u200Bwidth", "two\nlines", "$HOME", "right\u202Eleft"];
	const entry = {
		...faultyEntry("legacyOnly", log, ...oddArguments),
		env: { TOKEN: "very-secret", MODE: "${env:HOME}" },
	};
	const window = await openWindow("reviewed", { ".vscode/mcp.json": { servers: { reviewed: entry } } });
	await window.tree.waitForDescription("reviewed", "unapproved");

	let panel = await reviewFromTree(window, "reviewed");
	expect((await panel.row("Command")).values).toEqual([process.execPath]);
	const [script = "", mode, ...rest] = entry.args;
	expect((await panel.row("Arguments")).values).toEqual([
		script,
		mode,
		"two words",
		"zero\\u200Bwidth",
		"two\\u000Alines",
		"$HOME",
		"right\\u202Eleft",
		...rest.slice(oddArguments.length),
	]);
	expect((await panel.row("Working directory")).values).toEqual([window.workspaceFolder]);
	expect((await panel.row("Environment")).values).toEqual(["TOKEN=(masked: 11 characters)", "MODE=${env:HOME}"]);
	expect(await panel.text()).not.toContain("very-secret");
	expect(await panel.text()).toContain("hidden characters");
	await takePictures(window, "server-review");

	await panel.button("Don't Start").click();
	await window.editors.waitUntilClosed("Review: reviewed");
	panel = await reviewFromTree(window, "reviewed");
	await window.editors.close("Review: reviewed");
	await window.editors.waitUntilClosed("Review: reviewed");
	await window.tree.waitForDescription("reviewed", "unapproved");
	expect(existsSync(log)).toBe(false);

	await approve(window, "reviewed");
	const [start] = readReceived(log);
	expect(start).toMatchObject({ kind: "start", cwd: window.workspaceFolder, args: entry.args.slice(1) });
	await window.close();
});

test("a changed command stops the server and asks again, and shows the approved command beside it (BLT-03, BLT-04)", async () => {
	const log = folder.file("changed.log");
	const marker = folder.file("changed-marker.log");
	const window = await openWindow("changed", { ".vscode/mcp.json": { servers: { changed: smallEntry(log) } } });
	await approve(window, "changed");
	const [before = 0] = processesOf(readReceived(log));

	const configuration = path.join(window.workspaceFolder, ".vscode/mcp.json");
	const changed = smallEntry(marker, "--era", "legacy");
	await writeContent(configuration, { servers: { changed } });
	await window.tree.waitForDescription("changed", "unapproved: the definition changed");
	await expect.poll(() => isAlive(before), { timeout: patience }).toBe(false);
	expect(existsSync(marker)).toBe(false);

	const panel = await reviewFromTree(window, "changed");
	const row = await panel.row("Arguments");
	expect(row.values).toEqual(changed.args);
	expect(row.former).toEqual(smallEntry(log).args);
	expect((await panel.row("Command")).former).toEqual([]);
	expect(await panel.text()).toContain("has changed");
	await takePictures(window, "server-review-changed");
	await panel.button("Don't Start").click();
	await window.editors.waitUntilClosed("Review: changed");
	expect(existsSync(marker)).toBe(false);

	await writeContent(configuration, { servers: { changed: smallEntry(log) } });
	await window.tree.waitForDescription("changed", "stopped");
	await window.close();
});

test("an approved server starts automatically after a reload, another does not; both can be ended", async () => {
	const log = folder.file("again.log");
	const never = folder.file("never.log");
	const window = await openWindow("again", {
		".mcp.json": { mcpServers: { again: smallEntry(log), never: smallEntry(never) } },
	});
	await approve(window, "again");
	const running = (): readonly number[] => processesOf(readReceived(log)).filter(isAlive);
	const [first] = running();

	await window.reload();
	await window.tree.open(container);
	await window.tree.waitForRunning("again");
	await expect.poll(running, { timeout: patience }).toHaveLength(1);
	const [second] = running();
	expect(second).not.toBe(first);
	await window.tree.waitForDescription("never", "unapproved");
	expect(existsSync(never)).toBe(false);

	await window.tree.inlineAction("again", "Restart Server");
	await expect.poll(() => processesOf(readReceived(log)).length, { timeout: patience }).toBe(3);
	await expect.poll(running, { timeout: patience }).toHaveLength(1);
	await window.tree.waitForRunning("again");
	await window.tree.inlineAction("again", "Stop Server");
	await window.tree.waitForDescription("again", "stopped");
	await expect.poll(running, { timeout: patience }).toEqual([]);
	await window.tree.inlineAction("again", "Start Server");
	await window.tree.waitForRunning("again");
	expect(running()).toHaveLength(1);
	await window.close();
});

test("each failure shows one message with the server and the next step, and does not affect the others", async () => {
	const log = folder.file("failures.log");
	const window = await openWindow("failures", {
		".vscode/mcp.json": {
			servers: {
				fine: faultyEntry("legacyOnly", log),
				missing: { command: "no-such-command-anywhere", args: ["--stdio"] },
				leaves: faultyEntry("exitAtOnce", log),
				closed: { url: `http://127.0.0.1:${await closedPort()}/mcp` },
			},
		},
	});
	await approve(window, "fine");
	const failures: Record<string, RegExp> = {
		missing: /no-such-command-anywhere/,
		leaves: /exit/,
		closed: /connection refused/,
	};
	for (const [server, reason] of Object.entries(failures)) {
		await approve(window, server, reason);
		const message = await window.dialogs.waitForNotification(`"${server}"`);
		expect(message).toMatch(reason);
		expect(await window.dialogs.notification(`"${server}"`).getByRole("button", { name: "Show Log" }).count()).toBe(1);
		if (server === "leaves") await window.screenshot("failure-light");
		await window.dialogs.clearNotifications();
	}
	await window.tree.expand("leaves");
	await window.tree.row(["leaves", "Set SMALL_API_KEY and start again."]);
	await window.tree.waitForRunning("fine");
	await takePictures(window, "failures");
	expect(processesOf(readReceived(log)).filter(isAlive)).toHaveLength(1);
	await window.close();
});

test("in a workspace that is not trusted nothing starts, whatever the user clicks", async () => {
	const log = folder.file("restricted.log");
	const files = { ".vscode/mcp.json": { servers: { local: smallEntry(log) } } };
	const restricted = await openWindow("restricted", files, { isTrusted: false });
	await restricted.tree.waitForDescription("local", "the workspace is not trusted");
	await restricted.tree.inlineAction("local", "Review Server…");
	await restricted.dialogs.waitForNotification(/"local".*not trusted/);
	await restricted.screenshot("restricted-light");
	await restricted.dialogs.clearNotifications();
	await restricted.palette.run("MCP Host: Start Server");
	await restricted.palette.pick("local");
	await restricted.dialogs.answerNotification(/"local".*not trusted/, "Manage Workspace Trust");
	expect(existsSync(log)).toBe(false);

	await restricted.page.getByRole("button", { name: "Trust", exact: true }).first().click();
	await restricted.tree.waitForDescription("local", "unapproved");
	expect(existsSync(log)).toBe(false);
	await restricted.close();
});

test("a server of the user with an argument in an untrusted folder says so before the tick, and starts once trust is given (FST-23)", async () => {
	const window = await openWindow("argument", { "notes.txt": "Notes" }, { isTrusted: false });
	const log = path.join(window.workspaceFolder, "mine.log");
	await editor.writeSettings({
		...followsColorScheme,
		"mcpHost.servers": { mine: smallEntry(log) },
	});
	await window.reload();
	await window.tree.open(container);
	await window.tree.waitForDescription("mine", /^unapproved/);
	await window.tree.click("mine");
	const review = await ServerReviewPanel.of(window, "mine");
	expect(await review.text()).toMatch(/This workspace is not trusted, and argument \d is in it/);
	await takePictures(window, "restricted-review");
	await review.button("Approve and Start").click();
	await window.tree.waitForSpoken("mine", /failed/);
	await takePictures(window, "restricted-failed");
	expect(existsSync(log)).toBe(false);
	await window.trust();
	await window.tree.waitForRunning("mine");
	expect(existsSync(log)).toBe(true);
	await window.close();
});

test("no server outlives the editor", async () => {
	const names = ["one", "two", "three", "four"];
	const entries = names.map((name) => [name, smallEntry(folder.file(`${name}.log`))]);
	const own = await startEditorWithVsix({
		settings: { "mcpHost.servers": Object.fromEntries(entries) },
		isServerOwn: true,
	});
	try {
		await own.tree.open(container);
		for (const name of names) await approve(own, name);
	} finally {
		await own.stop();
	}
	const processes = processesOf(names.flatMap((name) => readReceived(folder.file(`${name}.log`))));
	expect(processes).toHaveLength(names.length);
	await expect.poll(() => processes.filter(isAlive), { timeout: patience }).toEqual([]);
});

/** A window of its own on the given files, showing the servers. Approvals of other windows do not count in it. */
async function openWindow(
	name: string,
	files: Readonly<Record<string, string | object>>,
	options: { readonly isTrusted?: boolean } = {},
): Promise<Workbench> {
	const window = await editor.newWindow(await folder.workspace(name, files), options);
	await window.tree.open(container);
	return window;
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	await promisify(server.close.bind(server))();
	return port;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
