import { homedir } from "node:os";
import * as vscode from "vscode";
import { oneLine } from "../base/text.ts";
import type { Openable, ResourceOpener } from "./open.vscode.ts";
import { saveName } from "./saveName.ts";

/** How long the note that a file was saved stays in the status bar, in milliseconds. */
const noteMs = 5000;

/**
 * Saves a resource as a file. The person picks the place, and the dialog asks before it replaces a file (security.md
 * RES-02).
 * @throws HostError as `ResourceReader.read` does; the error of the file system when the file cannot be written.
 */
export async function saveResource(opener: ResourceOpener, openable: Openable): Promise<void> {
	const chosen = await opener.choose(openable, "Which contents should be saved?");
	if (chosen === undefined) return;
	const name = saveName(chosen.uri, chosen.isCombined ? "text/plain" : chosen.mimeType, chosen.bytes);
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({
		defaultUri: vscode.Uri.joinPath(folder, name),
		title: `Save ${oneLine(chosen.uri, 80)}`,
	});
	if (target === undefined) return;
	await vscode.workspace.fs.writeFile(target, chosen.bytes);
	vscode.window.setStatusBarMessage(`Saved ${oneLine(target.path.slice(target.path.lastIndexOf("/") + 1))}`, noteMs);
}
