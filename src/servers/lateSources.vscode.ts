import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/lifecycle.ts";
import type { ConfigSource } from "./definitions/config.ts";
import { leaveOut, type LeftOut } from "./definitions/leftOut.ts";
import type { SourceSettings } from "./definitions/sourceSettings.ts";
import { editorSettings, refreshMachinePolicy, watchMachinePolicy } from "./editorSettings.vscode.ts";
import type { FollowedFiles } from "./followed.vscode.ts";

/**
 * The parts of the configuration that the first paint of the tree does not need: files of other hosts, and which
 * servers are left out.
 */
export class LateSources implements Disposable {
	private readonly changed: () => void;
	/** Made when the user follows a file of another host for the first time. */
	private followed: FollowedFiles | undefined;
	private readonly policies = new DisposableStore();

	/** `changed` is called when a file or a policy may have changed; it must gather such calls. */
	constructor(changed: () => void) {
		this.changed = changed;
		this.policies.add(
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration("chat.mcp")) changed();
			}),
		);
		this.policies.add(watchMachinePolicy(changed));
	}

	/** The files of other hosts that the user follows, and which servers the next reading of all sources leaves out. */
	async read(
		ignoredOf: SourceSettings["ignoredOf"],
		folders: readonly vscode.WorkspaceFolder[],
	): Promise<LeftOut & { readonly followed: readonly ConfigSource[] }> {
		// First: everything below is decided by it.
		await refreshMachinePolicy();
		const followed = await this.readFollowed(folders.map(({ uri }) => uri.fsPath));
		if (ignoredOf(true).length === 0) return { followed, ...leaveOut(() => false, editorSettings) };
		const { matchesAny } = await import("../base/glob.ts");
		const isIgnored: Parameters<typeof leaveOut>[0] = ({ name, origin }) =>
			matchesAny(name, ignoredOf(origin.isWorkspace));
		return { followed, ...leaveOut(isIgnored, editorSettings) };
	}

	private async readFollowed(folders: readonly string[]): Promise<readonly ConfigSource[]> {
		const setting = vscode.workspace.getConfiguration("mcpHost").inspect<unknown>("followedFiles")?.globalValue;
		if (this.followed === undefined) {
			if (!Array.isArray(setting) || setting.length === 0) return [];
			const { FollowedFiles } = await import("./followed.vscode.ts");
			this.followed = new FollowedFiles(this.changed);
		}
		return this.followed.read(setting, folders);
	}

	dispose(): void {
		this.followed?.dispose();
		this.policies.dispose();
	}
}
