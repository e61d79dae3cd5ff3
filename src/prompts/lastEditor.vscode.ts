import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import type { Disposable } from "../base/lifecycle.ts";

/** Remembers the text editor that the person used last, because none is active while a panel of ours has the focus. */
export class LastEditor implements Disposable {
	private last: vscode.TextEditor | undefined;
	private readonly subscription: vscode.Disposable;

	constructor() {
		this.note(vscode.window.activeTextEditor);
		this.subscription = vscode.window.onDidChangeActiveTextEditor((editor) => this.note(editor));
	}

	/** The editor, unless its document was closed since. */
	get current(): vscode.TextEditor | undefined {
		return this.last?.document.isClosed === true ? undefined : this.last;
	}

	/** Puts a text where the cursor was, shows it, and tells the file's name. Rejects with a HostError when it cannot. */
	async insert(text: string): Promise<string> {
		const { current } = this;
		if (current === undefined) throw new HostError("invalid", "Open a file and place the cursor first.");
		const editor = await vscode.window.showTextDocument(current.document, {
			...(current.viewColumn === undefined ? {} : { viewColumn: current.viewColumn }),
			selection: current.selection,
		});
		const name = vscode.workspace.asRelativePath(editor.document.uri);
		if (await editor.edit((edit) => edit.insert(editor.selection.active, text))) return name;
		throw new HostError("invalid", `${name} cannot be changed.`);
	}

	dispose(): void {
		this.subscription.dispose();
	}

	private note(editor: vscode.TextEditor | undefined): void {
		// Output views are text editors to the API as well, but in no column; nothing can be inserted there.
		if (editor?.viewColumn !== undefined) this.last = editor;
	}
}
