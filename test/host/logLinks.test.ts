import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { waitFor } from "./waiting.ts";

suite("The log of a server", () => {
	suiteSetup(async () => {
		await vscode.extensions.getExtension("mcp-host.mcp-host")?.activate();
		// Not awaited: the command ends in the chat, which is not part of this test.
		void vscode.commands.executeCommand("mcpHost.tryDemo");
	});

	suiteTeardown(async () => {
		await vscode.commands.executeCommand("mcpHost.stopServer", { server: "travel" });
		await vscode.commands.executeCommand("workbench.action.closePanel");
	});

	test("links a line to the messages of that time (TRC-40)", async () => {
		const links = await waitFor("the links", async () => {
			await vscode.commands.executeCommand("mcpHost.showLog", { server: "travel" });
			const log = vscode.workspace.textDocuments.find(
				({ uri }) => uri.scheme === "output" && uri.path.includes("MCP Host travel"),
			);
			const found =
				log === undefined
					? []
					: await vscode.commands.executeCommand<vscode.DocumentLink[]>("vscode.executeLinkProvider", log.uri);
			const own = found.filter(({ target }) => target?.scheme === "command");
			return own.length > 0 && own;
		});
		const [link] = links;
		assert.equal(link?.tooltip, "Show in Trace");
		assert.equal(link.target?.path, "mcpHost.showInTrace");
		const [exchange] = JSON.parse(link.target.query) as readonly unknown[];
		// Nothing is thrown for an existing exchange.
		await vscode.commands.executeCommand("mcpHost.showInTrace", exchange);
	});
});
