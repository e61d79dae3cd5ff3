import * as vscode from "vscode";
import type { Lazy } from "../../base/lazy.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import { Expansion } from "./expansion.ts";
import type { ConfigProblemNode, MoreNode, TreeNode } from "./nodes.ts";
import { TreeRows, type LateRows } from "./rows.ts";
import { selectedNode } from "../../base/selectedNode.ts";
import type { TreeSources } from "./tree.ts";
import { treeCommands, type NodeView } from "./view.ts";

/** The parts that are loaded on first use. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- the module's own type
const actions = () => import("./treeActions.vscode.ts");

/** The dragged data: URIs, each on its own line. */
const uriList = "text/uri-list";

/**
 * Registers the Servers view and sets the context key of its welcome text. The badge is for `pending` decisions first,
 * because they wait for the user. `serversKnown` resolves once the servers are known; `state` keeps which rows are
 * open.
 */
export function registerServersTree(
	sources: TreeSources,
	serversKnown: Promise<void>,
	pending: Pick<PendingDecisions, "all" | "onDidChange">,
	wired: Lazy<{ readonly tree: LateRows }>,
	state: KeyValue,
): Disposable {
	const store = new DisposableStore();
	const rows = store.add(new TreeRows(sources, serversKnown, wired));
	const expansion = new Expansion(state);
	const provider: vscode.TreeDataProvider<TreeNode> = {
		onDidChangeTreeData: (listener) => rows.onDidChange((nodes) => listener(nodes && [...nodes])),
		getChildren: (node) => rows.children(node),
		getParent: (node) => rows.parent(node),
		getTreeItem: (node) => {
			const itemOf = (shown: NodeView): vscode.TreeItem => toTreeItem(node, shown, expansion);
			const view = rows.view(node);
			return view instanceof Promise ? view.then(itemOf) : itemOf(view);
		},
		resolveTreeItem: async (item, node) => (await actions()).explain(rows, item, node),
	};
	const view = store.add(
		vscode.window.createTreeView("mcpHost.servers", {
			treeDataProvider: provider,
			dragAndDropController: {
				dragMimeTypes: [uriList],
				dropMimeTypes: [uriList],
				handleDrop: async (_target, transfer) => (await actions()).drop(transfer),
				handleDrag: async (nodes, transfer) => (await actions()).drag(rows, nodes, transfer),
			},
		}),
	);
	const shown = { view, rows, expansion };
	store.add(view.onDidExpandElement(({ element }) => expansion.note(element.id, true)));
	store.add(view.onDidCollapseElement(({ element }) => expansion.note(element.id, false)));

	const updateBadge = (): void => {
		view.badge = rows.badge(pending.all.length);
	};
	store.add(pending.onDidChange(updateBadge));
	store.add(rows.onDidChangeBadge(updateBadge));

	let hadServers: boolean | undefined;
	const updateContext = (): void => {
		const hasServers = sources.directory.sessions.length > 0;
		if (hasServers === hadServers) return;
		hadServers = hasServers;
		void vscode.commands.executeCommand("setContext", "mcpHost.hasServers", hasServers);
	};
	updateContext();
	store.add(sources.directory.onDidChange(updateContext));
	type Run = Parameters<typeof vscode.commands.registerCommand>[1];
	const register = (command: string, run: Run): unknown => store.add(vscode.commands.registerCommand(command, run));
	register(treeCommands.chooseRow, async () => {
		const node = await selectedNode(view);
		if (node === undefined) return;
		const { command } = await rows.view(node);
		if (command !== undefined) await vscode.commands.executeCommand(command.id, command.argument);
	});
	register(treeCommands.showMore, async (node: MoreNode) => (await actions()).showMore(shown, node));
	register(treeCommands.unfold, async (node: TreeNode, isChosen?: boolean) =>
		(await actions()).unfoldRow(shown, node, isChosen),
	);
	register(treeCommands.showProblem, async (node: ConfigProblemNode) => (await actions()).showProblem(node));
	return store;
}

function toTreeItem(node: TreeNode, view: NodeView, expansion: Expansion): vscode.TreeItem {
	const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const isOpen = expansion.isOpen(node.id, view.startsOpen === true);
	// VS Code opens no row that it drew without a way to unfold it before.
	const isCollapsible = view.isCollapsible || (isOpen && view.staysOpen === true);
	expansion.show(node.id, isCollapsible);
	const item = new vscode.TreeItem(view.label, isCollapsible ? (isOpen ? Expanded : Collapsed) : None);
	item.id = node.id;
	item.description = view.description;
	item.contextValue = view.context;
	if (view.picture !== undefined) {
		item.iconPath = { light: vscode.Uri.parse(view.picture.light), dark: vscode.Uri.parse(view.picture.dark) };
	} else if (view.icon !== undefined) {
		const color = view.icon.color === undefined ? undefined : new vscode.ThemeColor(view.icon.color);
		item.iconPath = new vscode.ThemeIcon(view.icon.id, color);
	}
	if (view.spoken !== undefined) item.accessibilityInformation = { label: view.spoken };
	if (view.file !== undefined) item.resourceUri = vscode.Uri.from(view.file);
	if (view.command !== undefined) {
		// Without arguments: VS Code's extension host keeps those only until the row is rebuilt, and a click in that
		// moment, or after it was rebuilt below the pointer, would end in "command not found".
		item.command = { command: treeCommands.chooseRow, title: view.command.title };
	} else if (item.resourceUri !== undefined) {
		// VS Code's own command receives from the tree how the row was chosen: by one click, two, a key, with a modifier.
		item.command = { command: "vscode.open", title: "Open", arguments: [item.resourceUri] };
	}
	return item;
}
