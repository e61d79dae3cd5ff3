import * as vscode from "vscode";
import type { Lazy } from "../base/lazy.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { PendingDecisions } from "../decisions/decision.ts";
import { badgeFor, type ChangedResources } from "./changedResources.ts";
import type { GroupContents } from "./contents.ts";
import { Expansion } from "./expansion.ts";
import { isBelowGroup, type CoreNode, type MoreNode, type TreeNode } from "./nodes.ts";
import { selectedNode } from "./selectedNode.ts";
import { ServersTree, type TreeSources } from "./tree.ts";
import { treeCommands, viewOf, type NodeView } from "./view.ts";

/** What the rooms know of the tree. */
export interface TreeContents {
	/** The rows below the groups. */
	readonly contents: GroupContents;
	readonly changes: ChangedResources;
	/** What explains a row, as Markdown. */
	readonly tooltipOf: (node: TreeNode) => string | undefined;
}

/** What the Servers view needs beside its sources. */
export interface ServersView {
	readonly rooms: Lazy<{ readonly tree: TreeContents }>;
	/** The badge is theirs first: it says that somebody is waited for. */
	readonly pending: Pick<PendingDecisions, "all" | "onDidChange">;
}

/** What is dragged: URIs, each on a line of its own. */
const uriList = "text/uri-list";

/** Registers the Servers view and keeps the context key that its welcome text asks for. */
export function registerServersTree(sources: TreeSources, { rooms, pending }: ServersView): Disposable {
	const store = new DisposableStore();
	let room: TreeContents | undefined;
	const tree = store.add(
		new ServersTree({ ...sources, hasOtherRows: (group) => room?.contents.hasOtherRows(group) ?? true }),
	);
	const expansion = new Expansion();
	const contents = async (): Promise<GroupContents> => (await rooms.get()).tree.contents;
	const viewOfCore = (node: CoreNode): NodeView =>
		viewOf(
			node,
			(group) => ({ ...tree.count(group), ...room?.contents.marks(group) }),
			({ session }) => room?.contents.serverMarks(session),
		);
	const itemOf = (node: TreeNode, view: NodeView): vscode.TreeItem => toTreeItem(node, view, expansion);
	const provider: vscode.TreeDataProvider<TreeNode> = {
		onDidChangeTreeData: (listener) => tree.onDidChange((nodes) => listener(nodes && [...nodes])),
		// What the core knows is there at once: until it is, the editor does not know on which row somebody clicks.
		getChildren: (node) =>
			node !== undefined && (node.kind === "group" || isBelowGroup(node))
				? contents().then((below) => [...below.children(node)])
				: [...tree.children(node)],
		getParent: (node) => (isBelowGroup(node) ? room?.contents.parent(node) : tree.parent(node)),
		getTreeItem: (node) =>
			isBelowGroup(node) ? contents().then((below) => itemOf(node, below.view(node))) : itemOf(node, viewOfCore(node)),
		resolveTreeItem: async (item, node) => {
			const text = (await rooms.get()).tree.tooltipOf(node);
			// Servers' text: untrusted, without HTML, without theme icons, which are the defaults.
			if (text !== undefined) item.tooltip = new vscode.MarkdownString(text);
			return item;
		},
	};
	const view = store.add(
		vscode.window.createTreeView("mcpHost.servers", {
			treeDataProvider: provider,
			dragAndDropController: {
				dragMimeTypes: [uriList],
				dropMimeTypes: [],
				// The editor area takes this; the chat takes the files that the rows stand for, which the editor adds itself.
				handleDrag: async (nodes, transfer) => {
					const below = await contents();
					const files = nodes.flatMap((node) => (isBelowGroup(node) ? (below.view(node).file ?? []) : []));
					const uris = files.map((file) => vscode.Uri.from(file).toString());
					if (uris.length > 0) transfer.set(uriList, new vscode.DataTransferItem(uris.join("\r\n")));
				},
			},
		}),
	);
	store.add(view.onDidExpandElement(({ element }) => expansion.note(element.id, true)));
	store.add(view.onDidCollapseElement(({ element }) => expansion.note(element.id, false)));

	const updateBadge = (): void => {
		view.badge = badgeFor(room?.changes.count ?? 0, pending.all.length);
	};
	store.add(pending.onDidChange(updateBadge));
	store.add(
		rooms.onDidMake((made) => {
			room = made.tree;
			store.add(room.contents.onDidChange((change) => tree.refresh(change)));
			store.add(room.changes.onDidChange(updateBadge));
			// From now on their rows say how they are shown, and what is known of them.
			for (const session of sources.directory.sessions) {
				const isMarked = room.contents.serverMarks(session).changes.length > 0;
				tree.refresh({ server: session.definition.id, ...(isMarked ? {} : { group: "resources" }) });
			}
		}),
	);

	let hadServers: boolean | undefined;
	const updateContext = (): void => {
		const hasServers = sources.directory.sessions.length > 0;
		if (hasServers === hadServers) return;
		hadServers = hasServers;
		void vscode.commands.executeCommand("setContext", "mcpHost.hasServers", hasServers);
	};
	updateContext();
	store.add(sources.directory.onDidChange(updateContext));
	store.add(
		vscode.commands.registerCommand(treeCommands.chooseRow, async () => {
			const node = await selectedNode(view);
			if (node === undefined) return;
			const { command } = isBelowGroup(node) ? (await contents()).view(node) : viewOfCore(node);
			if (command !== undefined) await vscode.commands.executeCommand(command.id, command.argument);
		}),
	);
	store.add(
		vscode.commands.registerCommand(treeCommands.showMore, async (node: MoreNode) => {
			const next = room?.contents.showMore(node);
			if (next !== undefined) await view.reveal(next, { focus: true, select: false });
		}),
	);
	store.add(vscode.commands.registerCommand(treeCommands.showProblem, showProblem));
	return store;
}

function toTreeItem(node: TreeNode, view: NodeView, expansion: Expansion): vscode.TreeItem {
	const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const isOpen = expansion.isOpen(node.id, view.startsOpen === true);
	const item = new vscode.TreeItem(view.label, view.isCollapsible ? (isOpen ? Expanded : Collapsed) : None);
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
		// Without arguments: those are kept by the editor's extension host for as long as the row is not made anew, and a click in
		// that moment, or after it was made anew while it was pointed at, would end in "command not found".
		item.command = { command: treeCommands.chooseRow, title: view.command.title };
	} else if (item.resourceUri !== undefined) {
		// The editor's own command is told by the tree how the row was chosen: by one click, two, a key, with a modifier.
		item.command = { command: "vscode.open", title: "Open", arguments: [item.resourceUri] };
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
