import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { entryLenses } from "./entryLenses.ts";
import type { McpHost } from "./host.ts";
import type { SharedFiles } from "./otherHosts/sharedFiles.ts";

/** Shows MCP Host's state and actions above each entry, in the files with servers, until disposed. */
export function showEntryLenses({ registry }: McpHost, shared: SharedFiles): Disposable {
	const store = new DisposableStore();
	const changed = store.add(new vscode.EventEmitter<void>());
	store.add(registry.onDidChange(() => changed.fire()));
	store.add(shared.onDidChange(() => changed.fire()));
	const provider: vscode.CodeLensProvider = {
		onDidChangeCodeLenses: changed.event,
		provideCodeLenses: (document) =>
			entryLenses({ file: document.uri.fsPath, text: document.getText() }, registry.sessions, shared).map(
				({ range: { offset, length }, title, command = "", argument }) =>
					new vscode.CodeLens(new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), {
						title,
						command,
						...(argument === undefined ? {} : { arguments: [argument] }),
					}),
			),
	};
	const files = { scheme: "file", pattern: "**/{.vscode/mcp.json,.mcp.json}" };
	store.add(vscode.languages.registerCodeLensProvider(files, provider));
	return store;
}
