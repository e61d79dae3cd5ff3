import * as vscode from "vscode";
import type { Disposable } from "./lifecycle.ts";

/**
 * The extension's own URIs, by their paths: the editor takes one handler for all. It keeps what is opened earlier until this is
 * made, so that nothing of it has to be loaded before the tree is painted.
 */
export class EditorUris implements Disposable {
	private readonly handlers = new Map<string, (query: string) => void>();
	private readonly registration: vscode.Disposable;

	constructor() {
		this.registration = vscode.window.registerUriHandler({
			handleUri: ({ path, query }) => this.handlers.get(path.replace(/\/$/, ""))?.(query),
		});
	}

	/** Has `handle` called with the query of each URI of a path, as the editor gives it: decoded once, by most. */
	on(path: string, handle: (query: string) => void): void {
		this.handlers.set(path, handle);
	}

	dispose(): void {
		this.registration.dispose();
	}
}
