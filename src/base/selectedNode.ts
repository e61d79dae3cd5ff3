import { setTimeout as sleep } from "node:timers/promises";

/** How long a row that is being rebuilt is waited for, and how often it is looked for, in milliseconds. */
const selectedMs = 3000;
const lookMs = 20;

/**
 * The node of the selected row of a tree view. While the rows around it are rebuilt, VS Code does not know it for a
 * moment. A row's command asks for the node instead of having it as an argument: a command with arguments stops working
 * once its row is rebuilt, and a click at that moment ends in "Actual command not found".
 */
export async function selectedNode<T>(view: { readonly selection: readonly T[] }): Promise<T | undefined> {
	for (let waited = 0; view.selection.length === 0 && waited < selectedMs; waited += lookMs) await sleep(lookMs);
	return view.selection[0];
}
