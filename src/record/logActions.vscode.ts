import { homedir } from "node:os";
import * as vscode from "vscode";
import type { Json } from "../base/json.ts";
import { askModal } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { exactJson } from "../tools/exactJson.ts";
import { exportName, toJsonLines } from "./exportLog.ts";
import type { LogActions } from "./logPort.ts";
import type { SamplingLog } from "./samplingLog.ts";
import type { SamplingEntry } from "./samplingRecord.ts";

/** What the log's buttons and commands do. Nothing leaves or is deleted by itself. */
export function logActions(log: SamplingLog): LogActions {
	return {
		async copy(entry) {
			await vscode.env.clipboard.writeText(exactJson(entry as unknown as Json));
			return "Copied the entry as JSON.";
		},
		async save(entries) {
			if (entries.length === 0) return "There is nothing to export.";
			const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
			const target = await vscode.window.showSaveDialog({
				defaultUri: vscode.Uri.joinPath(folder, exportName(new Date())),
				filters: { "JSON Lines": ["jsonl"] },
				title: `Export ${countOf(entries)} of the sampling log`,
			});
			if (target === undefined) return "";
			await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(toJsonLines(entries)));
			return `Exported ${countOf(entries)} to ${oneLine(target.path.slice(target.path.lastIndexOf("/") + 1))}.`;
		},
		async clear() {
			const clear = "Clear";
			const { entries } = await log.read();
			const detail =
				`${countOf(entries)} of all windows will be deleted from this machine. Reviews that are open stay in the log. ` +
				"This cannot be undone.";
			if ((await askModal("Clear the sampling log?", detail, clear)) !== clear) return "";
			await log.clear();
			return "The sampling log is cleared.";
		},
	};
}

function countOf(entries: readonly SamplingEntry[]): string {
	return entries.length === 1 ? "1 entry" : `${entries.length.toLocaleString("en-US")} entries`;
}
