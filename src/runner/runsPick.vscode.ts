import * as vscode from "vscode";
import { withoutIcons } from "../completion/rows.ts";
import { runRow } from "./runRows.ts";
import type { ToolRun } from "./toolRun.ts";
import type { ToolRuns } from "./toolRuns.ts";

/** What the person chose to do with a run of the history. */
export interface ChosenRun {
	readonly run: ToolRun;
	readonly isAgain: boolean;
}

interface RunItem extends vscode.QuickPickItem {
	readonly run?: ToolRun;
}

const againButton = { iconPath: new vscode.ThemeIcon("debug-rerun"), tooltip: "Run Again" };
const clearButton = { iconPath: new vscode.ThemeIcon("clear-all"), tooltip: "Clear Tool Runs" };

/** Lets the person choose a run of this window, to open it or to run it again. Undefined when they choose none. */
export async function pickRun(runs: ToolRuns, clear: () => Promise<void>): Promise<ChosenRun | undefined> {
	const pick = vscode.window.createQuickPick<RunItem>();
	pick.title = "Tool Runs";
	pick.buttons = [clearButton];
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	const render = (): void => {
		pick.placeholder =
			runs.all.length === 0 ? "No tool was run in this window yet" : "Search by tool, server, state or arguments";
		pick.keepScrollPosition = true;
		pick.items = runs.all.map((run) => {
			const { icon, label, description, detail } = runRow(run, timeOf);
			return {
				run,
				label: `$(${icon}) ${withoutIcons(label)}`,
				description: withoutIcons(description),
				detail: withoutIcons(detail),
				buttons: [againButton],
			};
		});
	};
	const { promise, resolve } = Promise.withResolvers<ChosenRun | undefined>();
	const choose = (run: ToolRun | undefined, isAgain: boolean): void => {
		if (run === undefined) return;
		resolve({ run, isAgain });
		pick.hide();
	};
	const subscriptions: readonly vscode.Disposable[] = [
		pick,
		vscode.Disposable.from(runs.onDidChange(render)),
		pick.onDidTriggerButton(() => void clear()),
		pick.onDidTriggerItemButton(({ item }) => choose(item.run, true)),
		pick.onDidAccept(() => choose(pick.selectedItems[0]?.run, false)),
		pick.onDidHide(() => {
			resolve(undefined);
			for (const subscription of subscriptions) subscription.dispose();
		}),
	];
	render();
	pick.show();
	return promise;
}

function timeOf(milliseconds: number): string {
	return new Date(milliseconds).toLocaleTimeString(vscode.env.language);
}
