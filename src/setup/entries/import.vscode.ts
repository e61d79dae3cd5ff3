import * as vscode from "vscode";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { isWithin } from "../../base/folderPaths.ts";
import { commandsOf, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import type { AddServersPanel } from "./addServers.vscode.ts";
import type { CandidateSource } from "./candidateSource.ts";
import type { HostMachine } from "./hostFiles.ts";
import type { ImportSource } from "./importSources.ts";

const setting = "followedFiles";

/**
 * The command that imports from configurations of other hosts. `globalStorageUri` is a folder beside the file of the
 * user's settings.
 */
export function importCommands(panel: Pick<AddServersPanel, "open">, globalStorageUri: vscode.Uri) {
	return commandsOf({ "mcpHost.importServers": () => importServers(panel, globalStorageUri) });
}

/** The configurations of other hosts, except the followed files. Never rejects. */
export async function otherHosts(globalStorageUri: vscode.Uri): Promise<readonly CandidateSource[]> {
	const [{ findHostFiles, readHostFiles }, { followedPaths }] = await Promise.all([
		import("./importSources.ts"),
		import("../../servers/definitions/followedFile.ts"),
	]);
	const machine = thisMachine(globalStorageUri);
	// Followed files are used already.
	const followed = new Set(followedPaths(followedFiles()));
	const files = (await findHostFiles(machine)).filter(({ path }) => !followed.has(path));
	const sources = await readHostFiles(files, machine);
	return sources.map((source) => candidateSource(source, machine));
}

async function importServers(panel: Pick<AddServersPanel, "open">, globalStorageUri: vscode.Uri): Promise<void> {
	const sources = await otherHosts(globalStorageUri);
	if (sources.length > 0) {
		await panel.open(sources);
		return;
	}
	const where = vscode.env.remoteName === undefined ? "on this machine" : "on the machine of this remote window";
	const add = "Add Servers…";
	const answer = await showInformation(
		`No new servers of other hosts were found ${where}. MCP Host looked for the files of Claude, Cursor, VS Code, Codex and about twenty more.`,
		add,
	);
	if (answer === add) await panel.open();
}

/** This machine and what is open on it. `globalStorageUri` is a folder beside the file of the user's settings. */
export function thisMachine(globalStorageUri: vscode.Uri): HostMachine {
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	const { workspaceFile } = vscode.workspace;
	const editorFolder = vscode.Uri.joinPath(globalStorageUri, "..", "..").fsPath;
	return {
		platform: process.platform,
		home: homedir(),
		environment: process.env,
		folders: folders.map(({ uri }) => uri.fsPath),
		...(workspaceFile?.scheme === "file" ? { workspaceFile: workspaceFile.fsPath } : {}),
		editorFolder,
	};
}

function candidateSource({ heading, path, found, isOwn }: ImportSource, { folders }: HostMachine): CandidateSource {
	const folder = isOwn ? undefined : folders.find((one) => isWithin(path, one));
	return {
		heading: folder === undefined ? heading : `${heading} in ${oneLine(basename(folder), 80)}`,
		path: shortened(path),
		found,
		...(isOwn ? { follow: () => follow(path) } : {}),
	};
}

/** Follows a file; resolves with a function that reverts that. */
async function follow(path: string): Promise<() => Promise<void>> {
	const entry = shortened(path);
	await update((files) => [...files.filter((one) => one !== entry), entry]);
	return () => update((files) => files.filter((one) => one !== entry));
}

function update(change: (files: readonly unknown[]) => readonly unknown[]): Promise<void> {
	const files = change(followedFiles());
	const settings = vscode.workspace.getConfiguration("mcpHost");
	return Promise.resolve(
		settings.update(setting, files.length === 0 ? undefined : files, vscode.ConfigurationTarget.Global),
	);
}

function followedFiles(): readonly unknown[] {
	const files = vscode.workspace.getConfiguration("mcpHost").inspect<unknown>(setting)?.globalValue;
	return Array.isArray(files) ? files : [];
}

/** A path with `~` for the home folder, as the setting may have it on several machines. */
export function shortened(path: string): string {
	const home = homedir();
	return isWithin(path, home) ? join("~", path.slice(home.length)) : path;
}
