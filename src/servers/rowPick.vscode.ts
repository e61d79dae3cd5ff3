import * as vscode from "vscode";
import { withoutIcons } from "../base/words.ts";
import type { RowTexts } from "../questions/listRow.ts";
import { pickRefreshing, type RefreshingPick } from "../questions/refreshingPick.vscode.ts";
import type { Remedy } from "./sessions/absence.ts";

/** A row for something that servers offer, a remedy when there is none, or, without either, a heading. */
export interface RowItem<Row> extends vscode.QuickPickItem {
	readonly row?: Row;
	readonly remedy?: Remedy;
}

/** Rows below their heading, if it says anything. */
export function itemsUnder<Row extends RowTexts>(
	heading: string,
	rows: readonly Row[],
	more: (row: Row) => Partial<vscode.QuickPickItem> = () => ({}),
): readonly RowItem<Row>[] {
	const items = rows.map((row): RowItem<Row> => ({
		row,
		label: withoutIcons(row.label),
		description: withoutIcons(row.description),
		detail: withoutIcons(row.detail),
		...more(row),
	}));
	return heading === ""
		? items
		: [{ label: withoutIcons(heading), kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** The actions if there is nothing to choose. */
export function remedyItem(remedy: Remedy): RowItem<never> {
	return { remedy, label: `$(${remedy.icon}) ${remedy.title}`, alwaysShow: true };
}

/** Runs the action of a remedy, if one was chosen. */
export function runRemedy(remedy: Remedy | undefined): void {
	if (remedy !== undefined) void vscode.commands.executeCommand(remedy.command, remedy.argument);
}

/** Lets the user choose a row, or runs a remedy. Undefined when no row is chosen. */
export async function pickRow<Row>(source: RefreshingPick<RowItem<Row>>): Promise<Row | undefined> {
	const picked = await pickRefreshing(source);
	runRemedy(picked?.remedy);
	return picked?.row;
}
