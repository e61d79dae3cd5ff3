import * as vscode from "vscode";
import type { Decision } from "../decisions/decision.ts";
import type { ShowReason } from "../decisions/queue.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Panel } from "./panel.vscode.ts";

/** Where a panel opens. */
export interface Placement {
	readonly column: vscode.ViewColumn;
	readonly preserveFocus: boolean;
}

/**
 * Brings questions before the person, each in a panel of its own. One that comes up during a call of the person's opens
 * beside the editor without the focus; one that a server asks on its own opens nothing, as the queue's `Announcer` tells
 * of it; one that the person asked for opens with the focus. Closing a panel lapses its decision,
 * unless that is asked in a chat as well; an answer closes its panel, and after any other end the panel stays and says
 * what happened.
 */
export class QuestionPanels implements Disposable {
	private readonly panels = new Map<string, { readonly panel: Panel; readonly isOpen: () => boolean }>();

	/** Shows a question, or nothing if it has ended. `open` makes its panel. */
	show<T>(decision: Decision<T>, reason: ShowReason, open: (placement: Placement) => Panel): void {
		if (decision.outcome !== undefined) return;
		const shown = this.panels.get(decision.id);
		if (shown !== undefined) {
			if (reason === "asked") shown.panel.reveal();
		} else if (reason === "asked") {
			this.open(decision, open({ column: vscode.ViewColumn.Active, preserveFocus: false }));
		} else if (decision.subject.during !== undefined) {
			this.open(decision, open({ column: columnBeside(this.isEnding), preserveFocus: true }));
		}
	}

	dispose(): void {
		for (const { panel } of this.panels.values()) panel.dispose();
	}

	/** Whether the active editor is a panel whose question has ended: it closes, and nobody types in it any more. */
	private get isEnding(): boolean {
		return [...this.panels.values()].some(({ panel, isOpen }) => panel.isActive && !isOpen());
	}

	private open<T>(decision: Decision<T>, panel: Panel): void {
		this.panels.set(decision.id, { panel, isOpen: () => decision.outcome === undefined });
		panel.onDidClose(() => {
			this.panels.delete(decision.id);
			// One that is asked in a chat as well stays open there.
			if (decision.subject.isInline !== true) decision.lapse("closed");
		});
		void decision.settled.then(({ by }) => (by === "person" ? panel.dispose() : undefined));
	}
}

/**
 * The column of another panel of ours, otherwise the one beside what the person works on. A panel in which the person may
 * be typing is covered only when it `isEnding` (UI-11).
 */
function columnBeside(isEnding: boolean): vscode.ViewColumn {
	const { all, activeTabGroup } = vscode.window.tabGroups;
	const ours = all.find(({ activeTab, isActive }) => {
		if (isActive && !isEnding) return false;
		const input = activeTab?.input;
		// The workbench puts a prefix before the view type of a webview.
		return input instanceof vscode.TabInputWebview && input.viewType.includes("mcpHost.");
	});
	if (ours !== undefined) return ours.viewColumn;
	return activeTabGroup.tabs.length === 0 ? activeTabGroup.viewColumn : vscode.ViewColumn.Beside;
}
