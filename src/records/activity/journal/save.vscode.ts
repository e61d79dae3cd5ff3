import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { oneLine } from "../../../base/text.ts";
import { activityExportName, activityLines, activityTable } from "./export.ts";
import { type ActivityItem, recordsOf } from "./items.ts";

/** Saves the entries in a format and a file that the user chooses. */
export async function save(items: readonly ActivityItem[]): Promise<string> {
	if (items.length === 0) return "There is nothing to export.";
	const count = countOf(items.length);
	const title = `Export ${count} of the Activity`;
	const options = { title, placeHolder: "Choose a format", ignoreFocusOut: true };
	const format = await vscode.window.showQuickPick(formats, options);
	if (format === undefined) return "";
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({
		defaultUri: vscode.Uri.joinPath(folder, activityExportName(new Date(), format.ending)),
		filters: { [format.label]: [format.ending] },
		title,
	});
	if (target === undefined) return "";
	const records = recordsOf(items);
	const text = format.ending === "csv" ? activityTable(records) : activityLines(records);
	await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
	const rows = `${records.length.toLocaleString("en-US")} records`;
	return `Exported ${count} (${rows}) to ${oneLine(path.posix.basename(target.path), 100)}.`;
}

/** The forms in which the activity is exported. VS Code's own dialog, as in a browser, has no list of them. */
const formats = [
	{ label: "JSON Lines", ending: "jsonl", detail: "Every detail, and what is needed to verify it" },
	{ label: "Comma-Separated Values", ending: "csv", detail: "A table for spreadsheets" },
] as const;

/** A number of entries in words, as the view counts them. */
export function countOf(entries: number): string {
	return entries === 1 ? "1 entry" : `${entries.toLocaleString("en-US")} entries`;
}
