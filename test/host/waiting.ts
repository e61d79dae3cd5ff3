import * as assert from "node:assert/strict";
import * as vscode from "vscode";

/** How long to wait for the extension's own actions, in milliseconds. */
const patience = 50_000;

/** Polls until `read` returns a value other than `undefined` and `false`, and returns that; fails when it never does. */
export async function waitFor<T>(
	what: string,
	read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
	const deadline = Date.now() + patience;
	for (;;) {
		const value = await read();
		if (value !== undefined && value !== false) return value;
		assert.ok(Date.now() < deadline, `${what} did not appear`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/**
 * Writes a file and opens it in an editor. Waits until the editor has read it: the text of an earlier file with this
 * name may still be open, and requests for it are cancelled once the new text arrives.
 */
export async function openWritten(file: vscode.Uri, text: string): Promise<vscode.TextDocument> {
	await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
	const { document } = await vscode.window.showTextDocument(file);
	await waitFor("the text of the file", () => document.getText() === text);
	return document;
}

/** Waits for the quick fix with this title where `word` begins in the document. */
export async function waitForQuickFix(
	document: vscode.TextDocument,
	word: string,
	title: string,
): Promise<vscode.CodeAction> {
	return waitFor(title, async () => {
		const at = document.positionAt(document.getText().indexOf(word) + 1);
		const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
			"vscode.executeCodeActionProvider",
			document.uri,
			new vscode.Range(at, at),
			vscode.CodeActionKind.QuickFix.value,
		);
		return actions.find((action) => action.title === title);
	});
}
