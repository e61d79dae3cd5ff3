import * as vscode from "vscode";
import type { Decision } from "../decisions/decision.ts";
import type { ShowReason } from "../decisions/queue.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { freeColumn, frontOf, type Group } from "./column.ts";
import type { Panel, PanelOptions } from "./panel.vscode.ts";

/** The panel of a question, and whether it opened automatically in a column made for it. */
interface ShownPanel {
	readonly panel: Panel;
	readonly isBeside: boolean;
	readonly isOpen: () => boolean;
}

/** Where a panel opens. */
export type Placement = Pick<PanelOptions, "column" | "preserveFocus">;

/**
 * Shows questions to the user, each in its own panel. One that is asked during a user's call opens without the focus,
 * where nobody is typing. One that a server asks independently opens nothing, because the queue's `Announcer` reports
 * it. One that the user requested opens with the focus. Closing a panel ends its decision, unless that is asked in a
 * chat as well; an answer closes its panel, and after any other end the panel stays and says what happened.
 */
export class QuestionPanels implements Disposable {
	private readonly panels = new Map<string, ShownPanel>();

	/** Shows a question, or nothing if it has ended. `open` makes its panel. */
	show<T>(decision: Decision<T>, reason: ShowReason, open: (placement: Placement) => Panel): void {
		if (decision.outcome !== undefined) return;
		const shown = this.panels.get(decision.id);
		if (shown !== undefined) {
			if (reason !== "asked") return;
			// The user who requests it wants to read it: it need not stay in the narrow column in which it disturbed nobody.
			const isFirst = shown.isBeside && !shown.panel.wasActive;
			shown.panel.reveal(isFirst ? { column: vscode.ViewColumn.Active } : {});
		} else if (reason === "asked") {
			this.open(decision, open({ column: vscode.ViewColumn.Active, preserveFocus: false }), false);
		} else if (decision.subject.during !== undefined) {
			const free = freeColumn(editorGroups(), this.isEnding);
			const column = free ?? vscode.ViewColumn.Beside;
			this.open(decision, open({ column, preserveFocus: true }), free === undefined);
		}
	}

	dispose(): void {
		for (const { panel } of this.panels.values()) panel.dispose();
	}

	/** Whether the active editor is a panel whose question has ended: it closes, so nobody types in it any more. */
	private get isEnding(): boolean {
		return [...this.panels.values()].some(({ panel, isOpen }) => panel.isActive && !isOpen());
	}

	private open<T>(decision: Decision<T>, panel: Panel, isBeside: boolean): void {
		this.panels.set(decision.id, { panel, isBeside, isOpen: () => decision.outcome === undefined });
		panel.onDidClose(() => {
			this.panels.delete(decision.id);
			// One that is asked in a chat as well stays open there.
			if (decision.subject.isInline !== true) decision.lapse("closed");
		});
		void decision.settled.then(({ by }) => (by === "user" ? panel.dispose() : undefined));
	}
}

/** The groups of the editor area. */
export function editorGroups(): readonly Group[] {
	return vscode.window.tabGroups.all.map(({ viewColumn, isActive, activeTab }) => {
		if (activeTab === undefined) return { column: viewColumn, isActive, front: frontOf(undefined) };
		const { label, input } = activeTab;
		const viewType = input instanceof vscode.TabInputWebview ? { viewType: input.viewType } : {};
		return { column: viewColumn, isActive, front: frontOf({ label, isKnown: input !== undefined, ...viewType }) };
	});
}
