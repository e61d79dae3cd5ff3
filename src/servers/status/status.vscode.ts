import * as vscode from "vscode";
import { contextKeys } from "./contextKeys.ts";
import type { McpHost } from "../host.ts";
import { LongRequests } from "../sessions/longRequests.ts";
import { statusText } from "./statusText.ts";

/**
 * The status bar item and the context keys of the servers. The item shows how many servers run, or how much waits for
 * the user. It stays short, so that nothing beside it moves; the servers' activity is in its tooltip (UI-16).
 */
export function registerStatus(host: McpHost): vscode.Disposable {
	const item = vscode.window.createStatusBarItem("mcpHost.status", vscode.StatusBarAlignment.Right, 90);
	item.name = "MCP Host";
	const long = new LongRequests(host.registry);
	const told = new Map<string, boolean>();
	const update = (): void => {
		const { sessions } = host.registry;
		const pending = host.pending.all.length;
		const now = contextKeys(sessions, pending);
		for (const [key, value] of Object.entries(now)) {
			if (told.get(key) === value) continue;
			told.set(key, value);
			void vscode.commands.executeCommand("setContext", `mcpHost.${key}`, value);
		}
		if (sessions.length === 0 && pending === 0) {
			item.hide();
			return;
		}
		const asking = host.pending.all.map(({ subject }) => subject.serverId);
		const { count, parts, waiting } = statusText(sessions, asking, vscode.workspace.isTrusted);
		const { lines } = long;
		const icon =
			pending > 0 ? "$(bell-dot)" : lines.length > 0 ? "$(loading~spin)" : waiting > 0 ? "$(shield)" : "$(plug)";
		item.text = `${icon} MCP ${count}`;
		item.tooltip = [...parts, ...lines].join("\n");
		// Without the progress, which would be read out again and again.
		item.accessibilityInformation = { label: parts.join(", ") };
		// A server that was not started yet has nothing waiting, so there is no warning.
		item.backgroundColor = pending > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
		item.command =
			pending > 0 ? "mcpHost.showPending" : waiting > 0 ? "mcpHost.reviewWaiting" : "mcpHost.servers.focus";
		item.show();
	};
	update();
	return vscode.Disposable.from(
		item,
		long,
		long.onDidChange(update),
		host.registry.onDidChange(update),
		host.pending.onDidChange(update),
		vscode.workspace.onDidGrantWorkspaceTrust(update),
	);
}
