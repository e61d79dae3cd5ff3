import { homedir } from "node:os";
import * as vscode from "vscode";
import { assertNever } from "../../base/assert.ts";
import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { saveName } from "../../features/resources/fileNames.ts";
import { escapeHidden } from "../../base/exactJson.ts";
import type { FinishedCall } from "../../features/tools/results/finishedCalls.ts";
import { bytesOfBlock, uriOfBlock } from "../../features/tools/results/resultMedia.ts";
import { isOpenable } from "../../features/tools/results/resultView.ts";
import { exchangeOf } from "./runView.ts";
import { shellCommandOf } from "./copyCommand.ts";
import { callMessageOf, copiedResult, rawOf } from "./runTexts.ts";
import type { RunDocuments } from "./runDocuments.vscode.ts";
import type { RunPanelActions } from "./runPort.ts";
import type { ToolRun } from "./toolRun.ts";
import type { ToolRunner } from "./toolRunner.ts";

/**
 * The actions of a run's panel; `saveCall` saves it as a named call, `openApp` shows its result by its app. Nothing is
 * opened, sent or saved automatically.
 */
export function runActions(
	runner: ToolRunner,
	documents: RunDocuments,
	saveCall: (run: ToolRun) => Promise<string>,
	openApp: (call: FinishedCall) => void,
): RunPanelActions {
	return {
		async act(run, action) {
			switch (action) {
				case "cancel":
					run.cancel();
					return "";
				case "restart-and-run":
				case "run-again":
					await runner.runAgain(run, action === "restart-and-run");
					return "";
				case "edit":
					await runner.editAndRun(run);
					return "";
				case "copy-json-rpc":
					await vscode.env.clipboard.writeText(escapeHidden(JSON.stringify(callMessageOf(run))));
					return "Copied as JSON-RPC.";
				case "copy-command": {
					const command = shellCommandOf(run);
					await vscode.env.clipboard.writeText(command);
					return "Copied as a command for a POSIX shell. Values in <…>, such as secrets, are left for you to fill in.";
				}
				case "copy-result":
					await vscode.env.clipboard.writeText(copiedResult(run));
					return "Copied the result.";
				case "save-call":
					return saveCall(run);
				case "trace":
					await vscode.commands.executeCommand("mcpHost.showInTrace", exchangeOf(run.outcome));
					return "";
				case "open-app":
					if (run.outcome?.kind === "done") openApp({ entry: run.entry, outcome: run.outcome });
					return "";
				default:
					return assertNever(action);
			}
		},
		openText: (run, part) => documents.open(run, part),
		async openBlock(run, index) {
			const uri = uriOfBlock(rawOf(run), index);
			if (uri === undefined || !isOpenable(uri))
				throw new HostError("invalid", "This part does not contain a resource to open.");
			await vscode.commands.executeCommand("mcpHost.openResource", { server: run.entry.session.definition.id, uri });
		},
		async copyAddress(run, index) {
			await vscode.env.clipboard.writeText(uriOfBlock(rawOf(run), index) ?? "");
			return "Copied the address.";
		},
		async saveBlock(run, index) {
			const found = bytesOfBlock(rawOf(run), index);
			if (found === undefined) throw new HostError("invalid", "This part of the result contains no binary data.");
			const { bytes, mimeType, uri } = found;
			const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
			const name = saveName(uri ?? `${run.entry.tool.name}-${index + 1}`, mimeType, bytes);
			const target = await vscode.window.showSaveDialog({
				defaultUri: vscode.Uri.joinPath(folder, name),
				title: `Save the result of ${oneLine(run.entry.tool.name, 60)}`,
			});
			if (target === undefined) return "";
			await vscode.workspace.fs.writeFile(target, bytes);
			return `Saved ${oneLine(target.path.slice(target.path.lastIndexOf("/") + 1))}.`;
		},
	};
}
