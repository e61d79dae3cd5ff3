import * as vscode from "vscode";
import type { Lazy } from "../../base/lazy.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import type { ReadableFiles } from "./fileSystem.vscode.ts";
import { resourceScheme } from "./scheme.ts";

/** Registers the files of resources: writing is refused, reading waits until the module is loaded. */
export function registerResources(wired: Lazy<{ readonly resources: ReadableFiles }>): Disposable {
	const store = new DisposableStore();
	const changed = store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	store.add(
		wired.onDidMake(({ resources }) => store.add(resources.onDidChangeFile((changes) => changed.fire(changes)))),
	);
	const files = async (): Promise<ReadableFiles> => (await wired.get()).resources;
	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};
	const fileSystem: vscode.FileSystemProvider = {
		onDidChangeFile: changed.event,
		stat: async (uri) => (await files()).stat(uri),
		readFile: async (uri) => (await files()).readFile(uri),
		watch(...what) {
			const watching = files().then((opened) => opened.watch(...what));
			return toDisposable(() => {
				// If loading failed, nothing is watched, and a reader sees the reason.
				watching.then((watch) => watch.dispose()).catch(() => undefined);
			});
		},
		readDirectory(uri) {
			throw vscode.FileSystemError.FileNotADirectory(uri);
		},
		createDirectory: refuse,
		writeFile: refuse,
		delete: refuse,
		rename: refuse,
	};
	const options = {
		isCaseSensitive: true,
		isReadonly: new vscode.MarkdownString("Resources of MCP servers are read-only."),
	};
	store.add(vscode.workspace.registerFileSystemProvider(resourceScheme, fileSystem, options));
	return store;
}
