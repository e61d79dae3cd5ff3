import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { waitFor } from "./waiting.ts";

const name = "in-host.mcp-calls.json";
const text = `{
	"version": 1,
	"calls": {
		"reads": {
			"server": "travel", "resource": "travel://preferences/packing-list",
			"expect": { "text": { "contains": "Passport" } },
		},
		"fails": {
			"server": "travel", "resource": "travel://preferences/packing-list",
			"expect": { "text": { "equals": "something else" } },
		},
		"unknown": { "server": "nobody", "tool": "nothing" },
		"faulty": { "server": "travel" },
	},
}
`;

suite("Named calls", () => {
	let file: vscode.Uri;
	const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("mcpHost");
	const run = (call: string): Thenable<unknown> =>
		vscode.commands.executeCommand("mcpHost.runNamedCall", { place: name, name: call });

	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder);
		file = vscode.Uri.joinPath(folder.uri, name);
		await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
		await settings().update("demoServer", true, vscode.ConfigurationTarget.Global);
		await vscode.commands.executeCommand("mcpHost.startServer", { server: "travel" });
	});

	suiteTeardown(async () => {
		await settings().update("policy.rules", undefined, vscode.ConfigurationTarget.Global);
		await vscode.workspace.fs.delete(file);
		await vscode.commands.executeCommand("mcpHost.stopServer", { server: "travel" });
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		await settings().update("demoServer", undefined, vscode.ConfigurationTarget.Global);
	});

	test("have their errors marked on the line (CAL-01)", async () => {
		const found = (): readonly string[] =>
			vscode.languages
				.getDiagnostics(file)
				.filter(({ source }) => source === "MCP Host")
				.map(({ message, range }) => `${range.start.line + 1}: ${message}`);
		// A run reads the files first, even if the editor reports them late: the least supported one has no watcher here.
		assert.equal(await run("faulty"), undefined);
		await waitFor("the fault", () => found().length > 0);
		assert.deepEqual(found(), ['13: A call must have exactly one of "tool", "prompt" and "resource".']);
		const { languageId } = await vscode.workspace.openTextDocument(file);
		assert.equal(languageId, "jsonc");
	});

	test("are asked about in a panel, and closing it runs none (CAL-04)", async () => {
		const ended = run("reads");
		const tab = await waitFor("the review", () =>
			vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label === "Run 1 Call?"),
		);
		await vscode.window.tabGroups.close(tab);
		assert.equal(await ended, "refused");
	});

	test("run as tests without a question where a rule allows them (CAL-07)", async () => {
		const rule = { decision: "allow", server: "travel", tool: "resources/read" };
		await settings().update("policy.rules", [rule], vscode.ConfigurationTarget.Global);
		assert.equal(await run("reads"), "passed");
		assert.equal(await run("fails"), "failed");
		assert.equal(await run("unknown"), "errored");
		assert.equal(await run("faulty"), undefined);
	});
});
