import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { oneLine } from "../../../base/text.ts";
import { samplingExportName, samplingLines } from "../samplingWords.ts";
import { activityExportName, activityLines, activityTable } from "./export.ts";
import { type ActivityItem, recordsOf } from "./items.ts";

/** Saves the entries; for sampling requests only their contents, if they are recorded. */
export async function save(items: readonly ActivityItem[]): Promise<string> {
	if (items.length === 0) return "There is nothing to export.";
	const held = items.flatMap(({ sampling }) => sampling ?? []);
	const isSampling = held.length > 0 && items.every(({ group }) => group === "sampling");
	const count = countOf(isSampling ? held.length : items.length);
	const format = isSampling ? formats[0] : await chooseFormat(count);
	if (format === undefined) return "";
	const name = isSampling ? samplingExportName(new Date()) : activityExportName(new Date(), format.ending);
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({
		defaultUri: vscode.Uri.joinPath(folder, name),
		filters: { [format.label]: [format.ending] },
		title: `Export ${count} of the ${isSampling ? "Sampling Log" : "Activity"}`,
	});
	if (target === undefined) return "";
	const records = recordsOf(items);
	const isTable = format.ending === "csv";
	const text = isSampling ? samplingLines(held) : isTable ? activityTable(records) : activityLines(records);
	await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
	const rows = isSampling ? "" : ` (${records.length.toLocaleString("en-US")} records)`;
	return `Exported ${count}${rows} to ${oneLine(path.posix.basename(target.path), 100)}.`;
}

/** The forms in which the activity is exported. VS Code's own dialog, as in a browser, has no list of them. */
const formats = [
	{ label: "JSON Lines", ending: "jsonl", detail: "Every detail, and what is needed to verify it" },
	{ label: "Comma-Separated Values", ending: "csv", detail: "A table for spreadsheets" },
] as const;

async function chooseFormat(count: string): Promise<(typeof formats)[number] | undefined> {
	return vscode.window.showQuickPick(formats, {
		title: `Export ${count} of the Activity`,
		placeHolder: "Choose a format",
		ignoreFocusOut: true,
	});
}

/** A number of entries in words, as the view counts them. */
export function countOf(entries: number): string {
	return entries === 1 ? "1 entry" : `${entries.toLocaleString("en-US")} entries`;
}
