import { beforeEach, describe, expect, it } from "vitest";
import { isActivityEntry } from "../../../../src/records/activity/journal/entry.ts";
import { eventOf, subjectOf } from "../../../../src/records/activity/journal/words.ts";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import {
	choose,
	close,
	forgetAnswer,
	isToBeAsked,
	questionOf,
	runnerItems,
} from "../../../../src/servers/otherHosts/choosing.ts";
import { remarkOn, rowNote, tooltipRemark } from "../../../../src/servers/otherHosts/remarks.ts";
import { stillStarted, stillStartedBriefly } from "../../../../src/servers/otherHosts/startFacts.ts";
import type { Runner } from "../../../../src/servers/otherHosts/left.ts";
import { SharedFiles, type SettingScope } from "../../../../src/servers/otherHosts/sharedFiles.ts";
import { userOrigin, workspaceOrigin } from "../fixtures.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { FakeEditor } from "./fakeEditor.ts";

const rootFile: ConfigOrigin = { ...workspaceOrigin, kind: "dot-mcp-json", file: "/ws/.mcp.json" };
let editor: FakeEditor;

beforeEach(() => {
	editor = new FakeEditor();
});

const chosen = (runner: Runner, scope: SettingScope = "workspace"): Promise<string> =>
	choose(editor.shared, editor, runner, scope);
const isAsked = (origins = [workspaceOrigin], isTrusted = true): boolean =>
	isToBeAsked(editor.shared, origins, isTrusted);
const current = (): readonly string[] =>
	runnerItems(editor.shared, editor).flatMap(({ label, isCurrent }) => (isCurrent ? [label] : []));

describe("Files that VS Code's own MCP host reads too", () => {
	it("are .vscode/mcp.json and .mcp.json, wherever VS Code adds servers", () => {
		for (const isRootTarget of [false, true]) {
			editor.others.set("chat.mcp.workspaceRootConfig.enabled", isRootTarget);
			const isShared = [workspaceOrigin, rootFile, userOrigin].map((origin) => editor.shared.isShared(origin));
			expect(isShared).toEqual([true, true, false]);
		}
	});

	it("are none in an editor without such a host, despite answers elsewhere", async () => {
		await chosen("editor");
		editor.hasHost = false;
		expect(editor.shared.isShared(workspaceOrigin)).toBe(false);
		expect(editor.shared.isLeft(workspaceOrigin)).toBe(false);
		expect(remarkOn(editor.shared, workspaceOrigin)).toBeUndefined();
	});

	it("are shown with two hosts in row, tooltip and review, as long as both can run them (CFG-31)", async () => {
		expect(rowNote(editor.shared, workspaceOrigin)).toBe("VS Code can run it too");
		expect(remarkOn(editor.shared, workspaceOrigin)).toMatch(/can run this server as a second process/);
		expect(rowNote(editor.shared, userOrigin)).toBeUndefined();
		// Settings of the user or a policy count as much as an answer.
		editor.policy = "none";
		expect(rowNote(editor.shared, workspaceOrigin)).toBeUndefined();
		expect(remarkOn(editor.shared, workspaceOrigin)).toBeUndefined();
		editor.policy = undefined;
		await chosen("here");
		expect(remarkOn(editor.shared, workspaceOrigin)).toBeUndefined();
		// It was turned on again, perhaps by a change of the workspace's settings.
		await editor.write("workspace", "all");
		expect(rowNote(editor.shared, workspaceOrigin)).toBe("VS Code can run it too");
	});
});

describe("The hosts that Run Here Only leaves on (CFG-42)", () => {
	it("are shown in row and tooltip of a server: which hosts no longer run it, and which still can", async () => {
		editor.policy = "none";
		expect(rowNote(editor.shared, rootFile)).toBeUndefined();
		editor.policy = undefined;
		await chosen("here");
		expect(rowNote(editor.shared, workspaceOrigin)).toBeUndefined();
		expect(tooltipRemark(editor.shared, workspaceOrigin)).toBe(
			"Only MCP Host runs this server. VS Code's own MCP host is off and no longer forwards it to sessions of Copilot, Claude and Codex.",
		);
		expect(rowNote(editor.shared, rootFile)).toBe("agent sessions can run it too");
		const still = remarkOn(editor.shared, rootFile) ?? "";
		expect(tooltipRemark(editor.shared, rootFile)).toBe(still);
		expect(still).toMatch(/^VS Code's own MCP host is off and no longer runs this server\. /);
		expect(still).toContain("Agent sessions of Copilot, Claude and Codex still can");
		expect(still).toContain("MCP Host: Move Servers of .mcp.json…");
		expect(tooltipRemark(editor.shared, userOrigin)).toBeUndefined();
	});

	it("are shown for .mcp.json if VS Code's host is limited to its registry, which does not include that file", () => {
		editor.policy = "registry";
		expect([rowNote(editor.shared, rootFile), rowNote(editor.shared, workspaceOrigin)]).toEqual([
			undefined,
			"VS Code can run it too",
		]);
		expect(isToBeAsked(editor.shared, [rootFile], true)).toBe(false);
		expect(remarkOn(editor.shared, rootFile)).toMatch(
			/^VS Code's own MCP host does not start the servers of this file\. Agent sessions of Copilot, Claude and Codex still can/,
		);
	});

	it("are shown for a server that was left to VS Code while that is off", async () => {
		await chosen("editor");
		editor.policy = "none";
		expect(remarkOn(editor.shared, rootFile)).toContain("so only sessions of Copilot, Claude and Codex run it");
		expect(rowNote(editor.shared, rootFile)).toBeUndefined();
	});

	it("are named in the question, in each answer that turns VS Code's host off, and afterwards", async () => {
		expect(questionOf(editor.shared)).toContain(stillStartedBriefly());
		for (const { runner, detail } of runnerItems(editor.shared, editor))
			expect(detail.includes(stillStartedBriefly())).toBe(runner === "here");
		expect(await chosen("here")).toContain(stillStarted());
	});
});

describe("The question about the host of shared servers (CFG-32)", () => {
	it("is asked again once its answer is forgotten, which undoes the answer's settings", async () => {
		await chosen("here", "user");
		expect(editor.settings).toEqual({ user: "none" });
		await forgetAnswer(editor.shared, editor);
		expect(editor.settings).toEqual({});
		expect(editor.shared.answer).toBeUndefined();
		expect(isAsked()).toBe(true);
	});

	it("has its answers in the activity (JRN-19)", async () => {
		const notes = new CollectedNotes();
		for (const runner of ["here", "editor", "both"] as const)
			await choose(editor.shared, editor, runner, "workspace", notes);
		expect(notes.entries.map((entry) => `${subjectOf(entry)}: ${eventOf(entry)}`)).toEqual([
			'Servers of mcp.json: run here only; chat.mcp.access is "none" in the settings of this workspace: chosen by you',
			"Servers of mcp.json: left to VS Code: chosen by you",
			"Servers of mcp.json: run by MCP Host and VS Code: chosen by you",
		]);
		expect(notes.entries.every(isActivityEntry)).toBe(true);
	});

	it("is asked once, for a file of a trusted workspace that both run", async () => {
		expect(isAsked()).toBe(true);
		expect(isAsked([workspaceOrigin], false)).toBe(false);
		expect(isAsked([userOrigin])).toBe(false);
		expect(isAsked([rootFile])).toBe(true);
		await close(editor.shared);
		expect(isAsked()).toBe(false);
		// In the next window, too.
		expect(isToBeAsked(new SharedFiles(editor.state, editor), [workspaceOrigin], true)).toBe(false);
	});

	it("is not asked if VS Code's host is off or missing", () => {
		editor.scopes.set("user", "none");
		expect(isAsked()).toBe(false);
		editor.hasHost = false;
		expect(isAsked()).toBe(false);
	});

	it("has the three answers, and explains what the one sets", () => {
		expect([...new Set(runnerItems(editor.shared, editor).map(({ runner }) => runner))]).toEqual([
			"here",
			"editor",
			"both",
		]);
		expect(questionOf(editor.shared)).toContain("chat.mcp.access");
	});

	it("proposes the user's own settings first, and names the file that others share", () => {
		const [first, second] = runnerItems(editor.shared, editor, "team.code-workspace");
		expect([first?.scope, second?.scope]).toEqual(["user", "workspace"]);
		expect(first?.detail).toMatch(/^For you\. .* in your user settings\./);
		expect(second?.detail).toMatch(
			/^For everyone who gets team\.code-workspace, a file that teams share: those without MCP Host lose/,
		);
	});

	it("sets nothing by being closed", async () => {
		await close(editor.shared);
		expect(editor.settings).toEqual({});
		expect(editor.shared.isLeft(workspaceOrigin)).toBe(false);
		expect(current()).toEqual([]);
	});
});

describe("An outdated answer (CFG-39)", () => {
	const asked = (): string => questionOf(editor.shared);

	it("is asked again when VS Code's host was turned on again, with the reason", async () => {
		await chosen("here");
		expect(isAsked()).toBe(false);
		await editor.write("workspace", "all");
		expect(isAsked()).toBe(true);
		expect(isAsked([userOrigin])).toBe(false);
		expect(isAsked([workspaceOrigin], false)).toBe(false);
		expect(asked()).toMatch(/^You chose "Run Here Only", but VS Code's own MCP host is on again in this workspace/);
		expect(asked()).toContain("chat.mcp.access");
		// In the next window, too.
		expect(isToBeAsked(new SharedFiles(editor.state, editor), [workspaceOrigin], true)).toBe(true);
	});

	it("is asked again if VS Code's host had been off before the answer", async () => {
		editor.scopes.set("user", "none");
		await chosen("here");
		expect(isAsked()).toBe(false);
		await editor.write("workspace", "registry");
		expect(isAsked()).toBe(true);
	});

	it("is asked once per change: closing keeps the written settings, which can be undone", async () => {
		await chosen("here", "user");
		await editor.write("workspace", "all");
		await close(editor.shared);
		expect(isAsked()).toBe(false);
		await editor.write("workspace", "registry");
		expect(isAsked()).toBe(false);
		expect(rowNote(editor.shared, workspaceOrigin)).toBe("VS Code can run it too");
		await chosen("both");
		expect(editor.settings).toEqual({ workspace: "registry" });
	});

	it("is asked again at the next change after the same answer", async () => {
		for (const value of ["all", "registry"]) {
			await chosen("here");
			expect([isAsked(), editor.settings]).toEqual([false, { workspace: "none" }]);
			await editor.write("workspace", value);
			expect(isAsked()).toBe(true);
		}
	});

	it.each<Runner>(["editor", "both"])(
		"is not asked again when it was “%s”, whatever is turned on or off",
		async (runner) => {
			await chosen(runner);
			await editor.write("workspace", "none");
			await editor.write("workspace", "all");
			expect(isAsked()).toBe(false);
		},
	);

	it("is never asked about while another answer undoes it", async () => {
		await chosen("here");
		const moments: boolean[] = [];
		editor.shared.onDidChange(() => moments.push(isAsked()));
		await chosen("both");
		await chosen("here");
		await chosen("here", "user");
		expect(moments).not.toContain(true);
		expect(moments.length).toBeGreaterThan(0);
	});
});

describe("An answer (CFG-32)", () => {
	it("turns VS Code's host off in the chosen scope, and reports where", async () => {
		expect(await chosen("here")).toContain('chat.mcp.access is "none" in the settings of this workspace');
		expect(editor.settings).toEqual({ workspace: "none" });
		expect(current()).toEqual(["Run Here Only, in This Workspace"]);
		expect(await chosen("here", "user")).toContain("in your user settings");
		expect(editor.settings).toEqual({ user: "none" });
		expect(current()).toEqual(["Run Here Only, in All Workspaces"]);
	});

	it("is undone by another, which restores the previous setting", async () => {
		editor.scopes.set("workspace", "registry");
		await chosen("here");
		expect(editor.settings).toEqual({ workspace: "none" });
		await chosen("both");
		expect(editor.settings).toEqual({ workspace: "registry" });
		expect(current()).toEqual(["Both"]);
	});

	it("keeps a setting that was written in its place", async () => {
		await chosen("here");
		await editor.write("workspace", "all");
		await chosen("editor");
		expect(editor.settings).toEqual({ workspace: "all" });
	});

	it("leaves the servers to VS Code and changes no setting of VS Code", async () => {
		expect(await chosen("editor")).toMatch(/^MCP Host leaves/);
		expect(editor.settings).toEqual({});
		expect(editor.shared.isLeft(workspaceOrigin)).toBe(true);
		expect(editor.shared.isLeft(userOrigin)).toBe(false);
		expect(rowNote(editor.shared, workspaceOrigin)).toBeUndefined();
		expect(remarkOn(editor.shared, workspaceOrigin)).toMatch(/^You left the servers of this file to VS Code\. /);
		expect(current()).toEqual(["Leave to VS Code"]);
		editor.policy = "none";
		expect(remarkOn(editor.shared, workspaceOrigin)).toContain("so nothing runs it");
		expect(await chosen("editor")).toContain("is off (chat.mcp.access): nothing runs them");
	});

	it("fails and changes nothing if a stronger setting keeps VS Code's host on", async () => {
		editor.policy = "all";
		await expect(chosen("here")).rejects.toThrow("stays on: another setting or a policy controls chat.mcp.access");
		expect(editor.settings).toEqual({});
		expect(editor.shared.answer?.runner).toBeUndefined();
		expect(rowNote(editor.shared, workspaceOrigin)).toBe("VS Code can run it too");
	});

	it("writes nothing if VS Code's host is off already", async () => {
		editor.scopes.set("user", "none");
		expect(await chosen("here")).toContain("off already");
		expect(editor.settings).toEqual({ user: "none" });
		// MCP Host does not undo a setting that it did not write.
		await chosen("both");
		expect(editor.settings).toEqual({ user: "none" });
	});

	it("is announced, so that rows and servers follow", async () => {
		let count = 0;
		editor.shared.onDidChange(() => count++);
		await chosen("editor");
		expect(count).toBeGreaterThan(0);
	});
});
