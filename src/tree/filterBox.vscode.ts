import * as vscode from "vscode";
import type { Arrangements } from "./arrangements.ts";
import type { GroupKind } from "./nodes.ts";
import { groupLabel } from "./view.ts";

/**
 * Asks for what a group is to be filtered by. The tree follows while the person types; Enter keeps the filter, an empty one
 * clears it, and leaving in any other way brings back the one before.
 */
export function askFilter(
	arrangements: Arrangements,
	{ server, group }: { readonly server: string; readonly group: GroupKind },
): Promise<void> {
	const before = arrangements.of(server, group).filter;
	const input = vscode.window.createInputBox();
	const what = groupLabel(group);
	input.title = `Filter ${what}`;
	input.placeholder = "Words of the name or address";
	input.prompt = `Shows the ${what.toLowerCase()} that have all the words in their rows. Leave it empty to show all.`;
	input.value = before;
	input.valueSelection = [0, before.length];
	let result = before;
	input.onDidChangeValue((text) => arrangements.setFilter(server, group, text.trim()));
	input.onDidAccept(() => {
		result = input.value.trim();
		input.hide();
	});
	return new Promise((resolve) => {
		input.onDidHide(() => {
			arrangements.setFilter(server, group, result);
			input.dispose();
			resolve();
		});
		input.show();
	});
}
