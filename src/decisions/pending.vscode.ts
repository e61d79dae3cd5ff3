import * as vscode from "vscode";
import { showInformation } from "../base/notify.vscode.ts";
import { isJsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import { selectedNode } from "../tree/selectedNode.vscode.ts";
import type { DecisionKind, PendingDecision, PendingDecisions } from "./decision.ts";

const icons: Record<DecisionKind, string> = {
	start: "shield",
	tool: "tools",
	sampling: "comment-discussion",
	elicitation: "question",
	url: "link-external",
	form: "edit",
};

/** Of the rows of the view alone. */
const chooseCommand = "_mcpHost.choosePending";

/** Registers the Pending view and the command that leads to what waits. Showing a question never answers it. */
export function registerPending(pending: PendingDecisions): vscode.Disposable {
	const provider: vscode.TreeDataProvider<PendingDecision> = {
		onDidChangeTreeData: (listener) => pending.onDidChange(() => listener(undefined)),
		getChildren: (element) => (element === undefined ? [...pending.all] : []),
		getTreeItem: ({ id, subject }) => {
			const item = new vscode.TreeItem(subject.server);
			item.id = id;
			item.description = oneLine(subject.title);
			item.tooltip = `${subject.server}: ${oneLine(subject.title)}${subject.during === undefined ? "" : `\nDuring: ${oneLine(subject.during)}`}`;
			item.iconPath = new vscode.ThemeIcon(icons[subject.kind]);
			item.command = { command: chooseCommand, title: "Review" };
			return item;
		},
	};
	const view = vscode.window.createTreeView("mcpHost.pending", { treeDataProvider: provider });
	const updateBadge = (): void => {
		const count = pending.all.length;
		view.badge = count === 0 ? undefined : { value: count, tooltip: `${count} waiting for you` };
	};
	return vscode.Disposable.from(
		view,
		pending.onDidChange(updateBadge),
		vscode.commands.registerCommand(chooseCommand, async () => (await selectedNode(view))?.reveal()),
		vscode.commands.registerCommand("mcpHost.showPending", async (argument: unknown) => {
			const id: unknown = isJsonObject(argument) ? argument["id"] : undefined;
			const named = pending.all.find((decision) => decision.id === id);
			(named ?? (await pick(pending.all)))?.reveal();
		}),
	);
}

async function pick(all: readonly PendingDecision[]): Promise<PendingDecision | undefined> {
	if (all.length === 0) void showInformation("Nothing waits for you.");
	if (all.length <= 1) return all[0];
	const picked = await vscode.window.showQuickPick(
		all.map((decision) => ({
			label: `$(${icons[decision.subject.kind]}) ${withoutIcons(oneLine(decision.subject.server, 60))}`,
			description: withoutIcons(oneLine(decision.subject.title)),
			decision,
		})),
		{ placeHolder: "Waiting for you, oldest first" },
	);
	return picked?.decision;
}
