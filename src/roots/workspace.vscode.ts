import * as vscode from "vscode";
import { Emitter } from "../base/event.ts";
import type { Disposable } from "../base/lifecycle.ts";
import { isSameRoots, rootsOf, type Roots } from "./roots.ts";

/**
 * The folders of this window as roots, kept current. In a remote window the extension runs on the remote machine, where
 * VS Code gives the folders as `file:` URIs of that machine, which is also where local servers run.
 */
export function workspaceRoots(): Roots & Disposable {
	const read = (): Roots["current"] =>
		rootsOf(
			(vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
				name,
				scheme: uri.scheme,
				path: uri.fsPath,
			})),
		);
	const changed = new Emitter<void>();
	let current = read();
	const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
		const next = read();
		if (isSameRoots(current, next)) return;
		current = next;
		changed.fire();
	});
	return {
		get current() {
			return current;
		},
		onDidChange: changed.event,
		dispose() {
			subscription.dispose();
			changed.dispose();
		},
	};
}
