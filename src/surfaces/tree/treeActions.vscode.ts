import * as vscode from "vscode";
import type { Event } from "../../base/event.ts";
import type { Expansion } from "./expansion.ts";
import type { ConfigProblemNode, MoreNode, TreeNode } from "./nodes.ts";
import type { TreeRows } from "./rows.ts";
import { unfold } from "./unfold.ts";

/** The dragged data: URIs, each on its own line. */
const uriList = "text/uri-list";

/** The Servers view as it is shown. */
export interface ShownTree {
	readonly view: vscode.TreeView<TreeNode>;
	readonly rows: TreeRows;
	readonly expansion: Expansion;
}

/** Puts what explains a row on its item, which is returned. */
export async function explain(rows: TreeRows, item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
	const text = await rows.tooltip(node);
	// Servers' text: untrusted, without HTML, without theme icons, which are the defaults.
	if (text !== undefined) item.tooltip = new vscode.MarkdownString(text);
	return item;
}

/** Installs what was dropped on the tree, if it is a bundle. */
export async function drop(transfer: vscode.DataTransfer): Promise<void> {
	const dropped = await transfer.get(uriList)?.asString();
	if (dropped !== undefined) await vscode.commands.executeCommand("mcpHost.installBundle", dropped);
}

/** The editor area takes this; the chat takes the files of the rows, which VS Code adds itself. */
export async function drag(rows: TreeRows, nodes: readonly TreeNode[], transfer: vscode.DataTransfer): Promise<void> {
	const views = await Promise.all(nodes.map(async (node) => rows.view(node)));
	const uris = views.flatMap(({ file }) => (file === undefined ? [] : vscode.Uri.from(file).toString()));
	if (uris.length > 0) transfer.set(uriList, new vscode.DataTransferItem(uris.join("\r\n")));
}

/** Shows the next page of a group or folder, with the focus where a user goes on reading. */
export async function showMore({ view, rows }: ShownTree, node: MoreNode): Promise<void> {
	const next = rows.showMore(node);
	if (next !== undefined) await view.reveal(next, { focus: true, select: false });
}

/** Brings a row into sight and opens it; with the focus where it `isChosen`. */
export async function unfoldRow({ view, rows, expansion }: ShownTree, node: TreeNode, isChosen = false): Promise<void> {
	await rows.whenAnnounced();
	const reveal = (): Thenable<void> => view.reveal(node, { expand: true, focus: isChosen, select: isChosen });
	// The chosen row is being shown to the user, who may continue elsewhere; open editors stay open.
	if (isChosen || expansion.isOpen(node.id, false)) return reveal();
	const onDidOpen: Event<string> = (listener) => view.onDidExpandElement(({ element }) => listener(element.id));
	await unfold(node.id, { reveal, onDidOpen, isVisible: () => view.visible });
}

/** Opens the configuration at a fault in it. */
export async function showProblem({ problem }: ConfigProblemNode): Promise<void> {
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
