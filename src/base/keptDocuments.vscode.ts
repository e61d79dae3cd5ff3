import * as vscode from "vscode";
import type { Disposable } from "./lifecycle.ts";

/** Texts as read-only documents of VS Code, by a key in their addresses. The latest are kept to be shown again. */
export class KeptDocuments<T> implements Disposable {
	private readonly scheme: string;
	private readonly most: number;
	private readonly kept = new Map<string, T>();
	private readonly registration: Disposable;

	/**
	 * `textOf` makes the text of the entry named by the first part of a query. `gone` is the message for an entry that is
	 * no longer kept.
	 */
	constructor(scheme: string, most: number, gone: string, textOf: (one: T, query: string) => string) {
		this.scheme = scheme;
		this.most = most;
		this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
			provideTextDocumentContent: ({ query }) => {
				const one = this.kept.get(query.split("&")[0] ?? "");
				return one === undefined ? gone : textOf(one, query);
			},
		});
	}

	/** Keeps one in place of the one that has been kept longest, where there are too many. */
	keep(key: string, one: T): void {
		this.kept.delete(key);
		this.kept.set(key, one);
		const [oldest] = this.kept.keys();
		if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
	}

	/** The address of a document with that name. */
	uri(name: string, query: string): vscode.Uri {
		return vscode.Uri.from({ scheme: this.scheme, path: `/${name}`, query });
	}

	/** Forgets all of them; open editors keep their contents. */
	clear(): void {
		this.kept.clear();
	}

	dispose(): void {
		this.registration.dispose();
		this.clear();
	}
}

/** Opens a document in an editor. */
export async function openDocument(uri: vscode.Uri): Promise<void> {
	await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}
