import * as vscode from "vscode";
import { textOfBytes } from "../../base/fileText.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import type { ConfigOrigin, ConfigSource } from "../definitions/config.ts";
import { leaveOut, type LeftOut } from "../definitions/leftOut.ts";
import type { SourceSettings } from "../definitions/sourceSettings.ts";
import { editorSettings, refreshMachinePolicy, watchMachinePolicy } from "./editorSettings.vscode.ts";
import type { FollowedFiles } from "./followed.vscode.ts";

/**
 * The parts of the configuration that are read after the settings: the files of folders, those of other hosts, and
 * which servers are left out.
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

	/**
	 * The servers of files: those at `written`, and of other hosts those that the user follows. And which servers the
	 * next reading of all sources leaves out.
	 */
	async read(
		ignoredOf: SourceSettings["ignoredOf"],
		written: readonly ConfigOrigin[],
		folders: readonly vscode.WorkspaceFolder[],
	): Promise<LeftOut & { readonly found: readonly ConfigSource[] }> {
		// First: everything below is decided by it.
		await refreshMachinePolicy();
		const own = (await Promise.all(written.map(readSource))).flat();
		const found = [...own, ...(await this.readFollowed(folders.map(({ uri }) => uri.fsPath)))];
		if (ignoredOf(true).length === 0) return { found, ...leaveOut(() => false, editorSettings) };
		const { matchesAny } = await import("../../base/glob.ts");
		const isIgnored: Parameters<typeof leaveOut>[0] = ({ name, origin }) =>
			matchesAny(name, ignoredOf(origin.isWorkspace));
		return { found, ...leaveOut(isIgnored, editorSettings) };
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

/** The servers of a file; none where it cannot be read. */
async function readSource(origin: ConfigOrigin): Promise<readonly ConfigSource[]> {
	const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(origin.file ?? "")).then(
		(content) => content,
		() => undefined,
	);
	return bytes === undefined ? [] : [{ origin, content: { text: textOfBytes(bytes) } }];
}
