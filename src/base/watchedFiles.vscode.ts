import * as vscode from "vscode";
import { messageOf } from "./errors.ts";
import type { Disposable } from "./lifecycle.ts";
import type { Log } from "./log.ts";

/** Which settings and files of the open folders are read, and when. */
export interface WatchedFilesOptions {
	/** The setting, or the section of settings, that is read as well. */
	readonly setting: string;
	/** The folders that count, at present. */
	readonly folders: () => readonly vscode.WorkspaceFolder[];
	/**
	 * A glob pattern for the files of a folder, and for their parent folders: VS Code does not always report a file that
	 * arrives with its folder.
	 */
	readonly pattern: string;
	/** How long changes are gathered, in milliseconds: editors, formatters and version control write in bursts. */
	readonly settleMs: number;
	/** Reads everything. A rejection is logged. */
	readonly read: () => Promise<void>;
	readonly log: Log;
}

/** Settings and files that are read again when they change. */
export interface WatchedFiles extends Disposable {
	/** Reads everything again; resolves when it is read. Never rejects, and two reads never overlap. */
	refresh(): Promise<void>;
	/** The same a moment later, once for all that ask meanwhile. */
	schedule(): void;
}

/**
 * Has settings and files read again when they change, until it is disposed. Nothing is read before something changes or
 * `refresh` is called.
 */
export function watchFiles({ setting, folders, pattern, settleMs, read, log }: WatchedFilesOptions): WatchedFiles {
	const { workspace } = vscode;
	let watchers: readonly vscode.Disposable[] = [];
	let timer: NodeJS.Timeout | undefined;
	let reading = Promise.resolve();
	const refresh = (): Promise<void> => {
		clearTimeout(timer);
		reading = reading.then(read).catch((error: unknown) => log.error(messageOf(error)));
		return reading;
	};
	const schedule = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => void refresh(), settleMs);
	};
	const watch = (): void => {
		for (const watcher of watchers) watcher.dispose();
		watchers = folders().map((folder) => {
			const watcher = workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern));
			for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(schedule);
			return watcher;
		});
	};
	const listeners = [
		workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration(setting)) schedule();
		}),
		workspace.onDidChangeWorkspaceFolders(() => {
			watch();
			schedule();
		}),
	];
	watch();
	return {
		refresh,
		schedule,
		dispose() {
			clearTimeout(timer);
			for (const disposable of [...watchers, ...listeners]) disposable.dispose();
		},
	};
}
