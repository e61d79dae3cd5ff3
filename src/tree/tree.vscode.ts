import * as vscode from "vscode";
import { ServersTree, type TreeSources } from "./tree.ts";
import type { MoreNode, TreeNode } from "./nodes.ts";
import { treeCommands, viewOf } from "./view.ts";

/**
 * Registers the Servers view and keeps the context key that its welcome text asks for. `tooltipOf` gives the Markdown
 * that explains a row, when a person points at it.
 */
export function registerServersTree(
	sources: TreeSources,
	tooltipOf: (node: TreeNode) => Promise<string | undefined>,
): vscode.Disposable {
	const tree = new ServersTree(sources);
	const provider: vscode.TreeDataProvider<TreeNode> = {
		onDidChangeTreeData: (listener) => tree.onDidChange((nodes) => listener(nodes && [...nodes])),
		getChildren: (node) => [...tree.children(node)],
		getTreeItem: (node) => toTreeItem(node, tree),
		resolveTreeItem: async (item, node) => {
			const text = await tooltipOf(node);
			// Servers' text: untrusted, without HTML, without theme icons, which are the defaults.
			if (text !== undefined) item.tooltip = new vscode.MarkdownString(text);
			return item;
		},
	};
	let hadServers: boolean | undefined;
	const updateContext = (): void => {
		const hasServers = sources.directory.sessions.length > 0;
		if (hasServers === hadServers) return;
		hadServers = hasServers;
		void vscode.commands.executeCommand("setContext", "mcpHost.hasServers", hasServers);
	};
	updateContext();
	return vscode.Disposable.from(
		tree,
		vscode.window.createTreeView("mcpHost.servers", { treeDataProvider: provider }),
		sources.directory.onDidChange(updateContext),
		vscode.commands.registerCommand(treeCommands.showMore, (node: MoreNode) => tree.showMore(node)),
		vscode.commands.registerCommand(treeCommands.showProblem, showProblem),
	);
}

function toTreeItem(node: TreeNode, tree: ServersTree): vscode.TreeItem {
	const view = viewOf(node, (group) => tree.count(group));
	const { None, Collapsed } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(view.label, view.isCollapsible ? Collapsed : None);
	item.id = node.id;
	item.description = view.description;
	item.contextValue = view.context;
	if (view.icon !== undefined) {
		const color = view.icon.color === undefined ? undefined : new vscode.ThemeColor(view.icon.color);
		item.iconPath = new vscode.ThemeIcon(view.icon.id, color);
	}
	if (view.spoken !== undefined) item.accessibilityInformation = { label: view.spoken };
	if (view.command !== undefined) {
		const { id, title, argument } = view.command;
		item.command = { command: id, title, arguments: [argument] };
	}
	return item;
}

/** Opens the configuration at a fault in it. */
async function showProblem({ problem }: TreeNode & { kind: "config-problem" }): Promise<void> {
	const { file } = problem.origin;
	if (file === undefined) {
		await vscode.commands.executeCommand("mcpHost.openConfiguration");
		return;
	}
	const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
	const { offset, length } = problem.range ?? { offset: 0, length: 0 };
	const selection = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
	await vscode.window.showTextDocument(document, { selection });
}
