import * as vscode from "vscode";
import type { Disposable } from "./lifecycle.ts";

/**
 * The extension's own URIs, by their paths: VS Code accepts one handler for all. It keeps earlier URIs until this is
 * created, so that no handler has to be loaded before the tree is painted.
 */
export class EditorUris implements Disposable {
	private readonly handlers = new Map<string, (query: string) => void>();
	private readonly registration: vscode.Disposable;

	constructor() {
		this.registration = vscode.window.registerUriHandler({
			handleUri: ({ path, query }) => this.handlers.get(path.replace(/\/$/, ""))?.(query),
		});
	}

	/** Calls `handle` with the query of each URI of a path, as VS Code passes it: mostly decoded once. */
	on(path: string, handle: (query: string) => void): void {
		this.handlers.set(path, handle);
	}

	dispose(): void {
		this.registration.dispose();
	}
}
