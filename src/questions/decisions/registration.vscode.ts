import * as vscode from "vscode";
import type { Lazy } from "../../base/lazy.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { selectedNode } from "../../base/selectedNode.ts";
import type { PendingDecision, PendingDecisions } from "./pendingDecisions.ts";

/** Only for the rows of the view. */
export const choosePending = "_mcpHost.choosePending";

/** The rows of the view. */
export interface PendingRows {
	/** How the row of a decision looks. */
	itemOf(decision: PendingDecision): vscode.TreeItem;
	/** A row was clicked, or Enter was pressed on it. */
	choose(decision: PendingDecision): void;
}

/**
 * Registers the Pending view, which is there as long as there are servers, so that nothing moves when something waits.
 * Showing a question never answers it.
 */
export function registerPending(
	pending: PendingDecisions,
	wired: Lazy<{ readonly pendingRows: PendingRows }>,
): Disposable {
	const store = new DisposableStore();
	let rows: PendingRows | undefined;
	store.add(wired.onDidMake(({ pendingRows }) => (rows = pendingRows)));
	const view = store.add(
		vscode.window.createTreeView<PendingDecision>("mcpHost.pending", {
			treeDataProvider: {
				onDidChangeTreeData: (listener) => pending.onDidChange(() => listener(undefined)),
				getChildren: (element) => (element === undefined ? [...pending.all] : []),
				// Immediately when possible: rows that are drawn late would move below the user's click.
				getTreeItem: (decision) =>
					rows?.itemOf(decision) ?? wired.get().then(({ pendingRows }) => pendingRows.itemOf(decision)),
			},
		}),
	);
	const update = (): void => {
		const count = pending.all.length;
		view.badge = count === 0 ? undefined : { value: count, tooltip: `${count} waiting for you` };
		view.message = count === 0 ? "No requests are waiting for you." : "";
	};
	update();
	store.add(pending.onDidChange(update));
	const choose = async (): Promise<void> => {
		const chosen = await selectedNode(view);
		if (chosen !== undefined) (await wired.get()).pendingRows.choose(chosen);
	};
	store.add(vscode.commands.registerCommand(choosePending, choose));
	return store;
}
