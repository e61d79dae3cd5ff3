import * as vscode from "vscode";
import { basename, dirname } from "node:path";
import { textOfBytes } from "../../base/fileText.ts";
import { KeyedDisposables } from "../../base/keyedDisposables.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { ConfigSource } from "../definitions/config.ts";
import { whyLeftOut } from "../definitions/editorLimits.ts";
import { editorSettings } from "./editorSettings.vscode.ts";
import { followedOrigin, followedPaths, parseFollowed } from "../definitions/followedFile.ts";

/** Largest file that is followed, in bytes: some hosts keep years of history beside their servers. */
const maxBytes = 50_000_000;

/** The files of other hosts that the user follows: read where they are, watched, and never written. */
export class FollowedFiles implements Disposable {
	private readonly changed: () => void;
	private readonly watchers = new KeyedDisposables((path: string) => {
		const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(path)), basename(path));
		const watcher = vscode.workspace.createFileSystemWatcher(pattern);
		for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(this.changed);
		return watcher;
	});

	/** `changed` is called when one of the files changed; it must gather such calls. */
	constructor(changed: () => void) {
		this.changed = changed;
	}

	/** Reads the files that the setting names, and watches them from now on. One that is not there holds nothing. */
	async read(setting: unknown, folders: readonly string[]): Promise<readonly ConfigSource[]> {
		const paths = followedPaths(setting);
		this.watchers.follow(paths);
		const sources: ConfigSource[] = [];
		for (const path of paths) {
			const bytes = await readFile(vscode.Uri.file(path));
			if (bytes === undefined) continue;
			const origin = await followedOrigin(path, folders);
			const whyNot = (server: Parameters<typeof whyLeftOut>[1]): string | undefined =>
				whyLeftOut(editorSettings, server, origin.isWorkspace);
			sources.push({ origin, parsed: parseFollowed(origin, bytes, whyNot) });
		}
		return sources;
	}

	dispose(): void {
		this.watchers.dispose();
	}
}

async function readFile(uri: vscode.Uri): Promise<string | undefined> {
	try {
		const { type, size } = await vscode.workspace.fs.stat(uri);
		if ((type & vscode.FileType.File) === 0 || size > maxBytes) return undefined;
		return textOfBytes(await vscode.workspace.fs.readFile(uri));
	} catch {
		// A file that cannot be read holds nothing, as one that is not there.
		return undefined;
	}
}
