import * as vscode from "vscode";
import { oneLine } from "../base/text.ts";
import type { McpHost } from "./host.ts";
import { LongRequests } from "./longRequests.ts";
import { statusText } from "./statusText.ts";

/** The most that the item says of running requests; the rest is in its tooltip. */
const longestText = 60;

/** The status bar item: how many servers run, what they are busy with, and whether somebody is waited for. */
export function registerStatus(host: McpHost): vscode.Disposable {
	const item = vscode.window.createStatusBarItem("mcpHost.status", vscode.StatusBarAlignment.Right, 90);
	item.name = "MCP Host";
	const long = new LongRequests(host.registry);
	const update = (): void => {
		const { sessions } = host.registry;
		const pending = host.pending.all.length;
		// A step of the walkthrough is done when something was asked.
		void vscode.commands.executeCommand("setContext", "mcpHost.hasPending", pending > 0);
		const ownRuns = sessions.some(
			({ definition, state }) => definition.origin.kind !== "demo" && state.kind === "running",
		);
		void vscode.commands.executeCommand("setContext", "mcpHost.ownServerRuns", ownRuns);
		if (sessions.length === 0 && pending === 0) {
			item.hide();
			return;
		}
		const { count, parts, waiting } = statusText(sessions, pending, vscode.workspace.isTrusted);
		const { text, lines } = long.view;
		const icon = pending > 0 ? "$(bell-dot)" : text !== "" ? "$(loading~spin)" : waiting > 0 ? "$(shield)" : "$(plug)";
		item.text = text === "" ? `${icon} MCP ${count}` : `${icon} MCP ${count}: ${oneLine(text, longestText)}`;
		item.tooltip = [...parts, ...lines].join("\n");
		// Without the progress, which would be read out again and again.
		item.accessibilityInformation = { label: parts.join(", ") };
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
