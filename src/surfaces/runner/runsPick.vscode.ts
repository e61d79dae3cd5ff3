import { withoutIcons } from "../../base/words.ts";
import * as vscode from "vscode";
import { pickRefreshing } from "../../questions/refreshingPick.vscode.ts";
import { runRow } from "./runRows.ts";
import type { ToolRun } from "./toolRun.ts";
import type { ToolRuns } from "./toolRuns.ts";

/** What the person chose to do with a run of the history. */
export interface ChosenRun {
	readonly run: ToolRun;
	readonly isAgain: boolean;
}

interface RunItem extends vscode.QuickPickItem {
	readonly run: ToolRun;
}

const againButton = { iconPath: new vscode.ThemeIcon("debug-rerun"), tooltip: "Run Again" };
const clearButton = { iconPath: new vscode.ThemeIcon("clear-all"), tooltip: "Clear Tool Runs" };

/** Lets the person choose a run of this window, to open it or to run it again. Undefined when they choose none. */
export async function pickRun(runs: ToolRuns, clear: () => Promise<void>): Promise<ChosenRun | undefined> {
	let isAgain = false;
	const picked = await pickRefreshing<RunItem>({
		content: () => ({
			items: runs.all.map(toItem),
			title: "Tool Runs",
			placeholder:
				runs.all.length === 0 ? "No tool was run in this window yet" : "Search by tool, server, state or arguments",
		}),
		identityOf: ({ run }) => run,
		watch: (refresh) => [runs.onDidChange(refresh)],
		buttons: [clearButton],
		press: () => void clear(),
		pressItem(_item, _button, then) {
			isAgain = true;
			then.choose();
		},
	});
	return picked && { run: picked.run, isAgain };
}

function toItem(run: ToolRun): RunItem {
	const { icon, label, description, detail } = runRow(run, timeOf);
	return {
		run,
		label: `$(${icon}) ${withoutIcons(label)}`,
		description: withoutIcons(description),
		detail: withoutIcons(detail),
		buttons: [againButton],
	};
}

function timeOf(milliseconds: number): string {
	return new Date(milliseconds).toLocaleTimeString(vscode.env.language);
}
