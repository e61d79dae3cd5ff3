import * as vscode from "vscode";
import { oneLine } from "../base/text.ts";
import type { McpHost } from "./host.ts";
import { LongRequests } from "./longRequests.ts";

/** The most that the item says of running requests; the rest is in its tooltip. */
const longestText = 60;

/** The status bar item: how many servers run, what they are busy with, and whether somebody is waited for. */
export function registerStatus(host: McpHost): vscode.Disposable {
	const item = vscode.window.createStatusBarItem("mcpHost.status", vscode.StatusBarAlignment.Right, 90);
	item.name = "MCP Host";
	const long = new LongRequests(host.registry);
	const update = (): void => {
		const { sessions } = host.registry;
		const running = sessions.filter(({ state }) => state.kind === "running").length;
		const failed = sessions.filter(({ state }) => state.kind === "failed").length;
		const waiting = host.pending.all.length;
		if (sessions.length === 0 && waiting === 0) {
			item.hide();
			return;
		}
		const { text, lines } = long.view;
		const icon = waiting > 0 ? "$(bell-dot)" : text === "" ? "$(plug)" : "$(loading~spin)";
		item.text = text === "" ? `${icon} MCP ${running}` : `${icon} MCP ${running}: ${oneLine(text, longestText)}`;
		const parts = [`${running} of ${sessions.length} MCP servers running`];
		if (failed > 0) parts.push(`${failed} failed`);
		if (waiting > 0) parts.push(`${waiting} waiting for you`);
		item.tooltip = [parts.join(", "), ...lines].join("\n");
		// Without the progress, which would be read out again and again.
		item.accessibilityInformation = { label: parts.join(", ") };
		item.backgroundColor = waiting > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
		item.command = waiting > 0 ? "mcpHost.showPending" : "mcpHost.servers.focus";
		item.show();
	};
	update();
	return vscode.Disposable.from(
		item,
		long,
		long.onDidChange(update),
		host.registry.onDidChange(update),
		host.pending.onDidChange(update),
	);
}
