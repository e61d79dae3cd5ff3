import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { guestTools } from "../../src/surfaces/guest/guestTools.ts";
import { waitFor } from "./waiting.ts";

/**
 * The tools for other agents, called as another extension calls them: without a chat. The editor confirms its own
 * questions automatically here, as if the user had allowed it, so that only our questions protect the server from the
 * agent.
 */
suite("The tools for other agents", () => {
	const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("mcpHost");
	const allow = (...tools: readonly string[]): Thenable<void> => {
		const rules = tools.map((tool) => ({ decision: "allow", server: "travel", tool }));
		return settings().update("policy.rules", rules, vscode.ConfigurationTarget.Global);
	};
	const search = {
		tool: "travel_searchFlights",
		arguments: { origin: "London", destination: "Rome", date: "2026-12-12", travelers: 1 },
	};

	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
		// Not awaited: the command ends in the chat, which is not part of this test.
		void vscode.commands.executeCommand("mcpHost.tryDemo");
		await waitFor("the tools", async () =>
			(await call(guestTools.find, { query: "flights" })).includes("travel_searchFlights") ? true : undefined,
		);
	});

	suiteTeardown(async () => {
		await vscode.commands.executeCommand("mcpHost.stopServer", { server: "travel" });
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		for (const name of ["policy.rules", "chat.otherAgents"]) {
			await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
		}
	});

	test("list the tools and resources of running servers (GST-01)", async () => {
		assert.match(
			await call(guestTools.find, { query: "search flights" }),
			/"tool":"travel_searchFlights".*inputSchema/,
		);
		assert.match(await call(guestTools.list, { server: "travel" }), /travel:\/\/preferences\/packing-list/);
	});

	test("call what a rule of the user allows, and nothing more without their answer (GST-02)", async () => {
		await allow("searchFlights", "resources/read");
		assert.match(await call(guestTools.call, search), /London/);
		const uri = "travel://preferences/packing-list";
		assert.match(await call(guestTools.read, { server: "travel", uri }), /Passport/);

		await allow();
		const source = new vscode.CancellationTokenSource();
		const asked = call(guestTools.call, search, source.token);
		// It is listed in Pending, and opens in a form; closing that answers nothing.
		const tab = await waitFor("the question", async () => {
			await vscode.commands.executeCommand("mcpHost.showPending");
			return vscode.window.tabGroups.all
				.flatMap(({ tabs }) => tabs)
				.find(({ label }) => label === "Call searchFlights?");
		});
		await vscode.window.tabGroups.close(tab);
		assert.equal(await Promise.race([asked, Promise.resolve("waits")]), "waits");
		source.cancel();
		await asked.then(
			(told) => assert.match(told, /cancelled|not sent/i),
			(error: unknown) => assert.match(String(error), /cancel/i),
		);
	});

	test("do nothing if the user does not allow other agents", async () => {
		await allow("searchFlights");
		await settings().update("chat.otherAgents", false, vscode.ConfigurationTarget.Global);
		assert.match(await call(guestTools.call, search), /does not allow other agents/);
		await settings().update("chat.otherAgents", undefined, vscode.ConfigurationTarget.Global);
	});
});

/** The answer of a tool, as one text. */
async function call(name: string, input: object, token?: vscode.CancellationToken): Promise<string> {
	const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
	return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("\n");
}
