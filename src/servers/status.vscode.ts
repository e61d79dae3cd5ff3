import * as vscode from "vscode";
import type { McpHost } from "../host.ts";

/** The status bar item: how many servers run, and whether somebody is waited for. */
export function registerStatus(host: McpHost): vscode.Disposable {
	const item = vscode.window.createStatusBarItem("mcpHost.status", vscode.StatusBarAlignment.Right, 90);
	item.name = "MCP Host";
	const update = (): void => {
		const { sessions } = host.registry;
		const running = sessions.filter(({ state }) => state.kind === "running").length;
		const failed = sessions.filter(({ state }) => state.kind === "failed").length;
		const waiting = host.pending.all.length;
		void vscode.commands.executeCommand("setContext", "mcpHost.hasPending", waiting > 0);
		if (sessions.length === 0 && waiting === 0) {
			item.hide();
			return;
		}
		item.text = waiting > 0 ? `$(bell-dot) MCP ${running}` : `$(plug) MCP ${running}`;
		const parts = [`${running} of ${sessions.length} MCP servers running`];
		if (failed > 0) parts.push(`${failed} failed`);
		if (waiting > 0) parts.push(`${waiting} waiting for you`);
		item.tooltip = parts.join(", ");
		item.accessibilityInformation = { label: parts.join(", ") };
		item.backgroundColor = waiting > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
		item.command = waiting > 0 ? "mcpHost.showPending" : "mcpHost.servers.focus";
		item.show();
	};
	update();
	return vscode.Disposable.from(item, host.registry.onDidChange(update), host.pending.onDidChange(update));
}
